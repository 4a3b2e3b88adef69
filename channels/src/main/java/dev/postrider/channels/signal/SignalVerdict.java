package dev.postrider.channels.signal;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.row;
import static dev.postrider.channels.verdict.ErrorTable.unknown;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.signal.Daemon.Reply;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What signal-cli's answers mean. It tells how each recipient fared; where one of a group got the
 * message, all is done that can be: to send it again would show it twice there.
 *
 * @param number whose account it is, for the commands that people are told to run
 * @param account what the configuration calls it
 */
record SignalVerdict(String number, String account) {
  static final int USER_ERROR = -1;
  static final int IO_ERROR = -3;
  static final int UNTRUSTED = -4;
  static final int RATE_LIMIT = -5;
  static final int CAPTCHA_REJECTED = -6;
  private static final int SHOWN = 5;

  /** For a limit that does not say how long. */
  private static final Duration THROTTLE = Duration.ofMinutes(5);

  /** A challenge is open for a day, whatever else is said of the next try. */
  private static final Duration CHALLENGE = Duration.ofDays(1);

  /** How each recipient fared, if none got it; a worse word comes before a better one. */
  static final ErrorTable RESULTS =
      ErrorTable.of(
          // Whatever happened on the way to Signal: the request may have arrived.
          unknown("NETWORK_FAILURE"),
          row(
              cause -> new Outcome.Throttled(ThrottleScope.ACCOUNT, THROTTLE, cause),
              "RATE_LIMIT_FAILURE"),
          ErrorTable.notSent("INVALID_PRE_KEY_FAILURE"),
          rejected(Blame.TARGET, "IDENTITY_FAILURE", "UNREGISTERED_FAILURE"));

  private static final List<String> WORST_FIRST =
      List.of(
          "NETWORK_FAILURE",
          "RATE_LIMIT_FAILURE",
          "INVALID_PRE_KEY_FAILURE",
          "IDENTITY_FAILURE",
          "UNREGISTERED_FAILURE");

  static final ErrorTable CODES =
      ErrorTable.of(
          unknown(IO_ERROR, -32603),
          rejected(Blame.TARGET, UNTRUSTED),
          row(cause -> new Outcome.Throttled(ThrottleScope.ACCOUNT, THROTTLE, cause), RATE_LIMIT),
          broken(CAPTCHA_REJECTED, -32601), // another program, or one too old
          rejected(Blame.MESSAGE, USER_ERROR, -32600, -32602, -32700));

  /** What signal-cli means by codes that stand for many things. */
  static final ErrorTable TEXTS =
      ErrorTable.of(
          broken(
              "specified account does not exist",
              "requires valid account parameter",
              "requires account parameter",
              "authorizationfailedexception",
              "authorization failed",
              "notregisteredexception",
              "accountcheckexception",
              "account is not registered"),
          rejected(
              Blame.TARGET,
              "is not registered",
              "group not found",
              "not a group member",
              "invalid group id",
              "invalid phone number",
              "sending message to group",
              "only admins"),
          rejected(
              Blame.MESSAGE,
              "attachmentinvalidexception",
              "failed to add attachment",
              "failed to send sticker",
              "stringlength",
              "string value length"));

  /** Signal wants to be shown a person. */
  record Challenge(String token, Duration openFor) {}

  Outcome read(Reply reply) {
    return switch (reply) {
      case Reply.Failed(Outcome outcome) -> outcome;
      case Reply.Said(JsonNode result) -> said(result);
      case Reply.Refused(int code, String message, JsonNode data) ->
          refused(code, message, data.path("response").path("results"));
    };
  }

  /** What has to be solved before Signal takes more; null if nothing. */
  @Nullable Challenge challenge(Reply reply) {
    if (!(reply instanceof Reply.Refused(_, _, JsonNode data))) {
      return null; // somebody got it
    }
    for (JsonNode result : data.path("response").path("results")) {
      String token = Json.text(result, "token");
      if (token != null) {
        Duration asked = wait(result, CHALLENGE);
        return new Challenge(token, asked.compareTo(CHALLENGE) > 0 ? asked : CHALLENGE);
      }
    }
    return null;
  }

  private Outcome said(JsonNode result) {
    Long timestamp = Json.count(result.path("timestamp"));
    if (timestamp == null) {
      return new Outcome.Unknown("taken, but without a timestamp");
    }
    List<JsonNode> missed = missed(result.path("results"));
    String note =
        missed.isEmpty()
            ? null
            : "%d of %d did not get it: %s"
                .formatted(missed.size(), result.path("results").size(), each(missed));
    return new Outcome.Delivered(
        new Receipt(Long.toString(timestamp), false), Map.of(), List.of(), note);
  }

  private Outcome refused(int code, String message, JsonNode results) {
    String cause = "signal-cli: " + code + " " + message;
    List<JsonNode> missed = missed(results);
    if (!missed.isEmpty()) {
      return missed(missed, cause);
    }
    Outcome known = TEXTS.byText(message, cause + remedy(message));
    Outcome byCode = CODES.byCode(code, cause);
    return known != null ? known : byCode != null ? byCode : new Outcome.Unknown(cause);
  }

  private Outcome missed(List<JsonNode> missed, String cause) {
    String told = cause + ": " + each(missed);
    JsonNode challenged = first(missed, it -> it.hasNonNull("token"));
    if (challenged != null) {
      return new Outcome.AccountBroken(captcha(challenged.path("token").asString()));
    }
    for (String type : WORST_FIRST) {
      JsonNode worst = first(missed, it -> type(it).equals(type));
      if (worst != null) {
        Outcome outcome = RESULTS.byCode(type, told);
        return outcome instanceof Outcome.Throttled(ThrottleScope scope, Duration delay, _)
            ? new Outcome.Throttled(scope, wait(worst, delay), told)
            : outcome == null ? new Outcome.Unknown(told) : outcome;
      }
    }
    return new Outcome.Unknown(told);
  }

  private static @Nullable JsonNode first(List<JsonNode> results, Predicate<JsonNode> which) {
    return results.stream().filter(which).findFirst().orElse(null);
  }

  private static Duration wait(JsonNode result, Duration otherwise) {
    Long seconds = Json.count(result.path("retryAfterSeconds"));
    return seconds == null || seconds <= 0 ? otherwise : Duration.ofSeconds(seconds);
  }

  private static List<JsonNode> missed(JsonNode results) {
    return results.valueStream().filter(result -> !type(result).equals("SUCCESS")).toList();
  }

  private static String type(JsonNode result) {
    return result.path("type").asString("");
  }

  /** Who did not get it and why, the same reason once. */
  private String each(List<JsonNode> missed) {
    Map<String, List<JsonNode>> byType =
        missed.stream()
            .collect(
                Collectors.groupingBy(
                    SignalVerdict::type, LinkedHashMap::new, Collectors.toList()));
    return byType.entrySet().stream()
        .map(entry -> names(entry.getValue()) + " " + why(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String names(List<JsonNode> missed) {
    String names =
        missed.stream().limit(SHOWN).map(it -> who(it)).collect(Collectors.joining(", "));
    return missed.size() > SHOWN ? names + " and " + (missed.size() - SHOWN) + " more" : names;
  }

  private static String who(JsonNode result) {
    JsonNode address = result.path("recipientAddress");
    String number = Json.text(address, "number");
    String uuid = Json.text(address, "uuid");
    return number != null ? number : uuid != null ? uuid : "somebody";
  }

  private String why(String type, List<JsonNode> missed) {
    return switch (type) {
      case "UNREGISTERED_FAILURE" -> "not registered at Signal";
      case "IDENTITY_FAILURE" ->
          "has a new safety number, which nobody has confirmed; compare it and run: signal-cli -a "
              + number
              + " trust -v SAFETY_NUMBER "
              + who(missed.getFirst());
      case "NETWORK_FAILURE" -> "not reached, as signal-cli had trouble with Signal's servers";
      case "RATE_LIMIT_FAILURE" -> "not reached, as Signal limits the rate";
      case "INVALID_PRE_KEY_FAILURE" -> "has keys that Signal could not use";
      default -> type;
    };
  }

  /** What a person does about a challenge. */
  String captcha(String token) {
    return "Signal wants a captcha solved before it takes more: open"
        + " https://signalcaptchas.org/challenge/generate.html, solve it, copy the link behind"
        + " \"Open Signal\" and set it as the account's captcha; or give it to signal-cli"
        + " (submitRateLimitChallenge --challenge "
        + token
        + " --captcha THE_LINK) and run: postrider accounts resume "
        + account;
  }

  private String remedy(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("account")) {
      return "; register or link " + number + " with signal-cli";
    }
    return lower.contains("attachment")
        ? "; signal-cli must be able to read filesFolder under the same path"
        : lower.contains("string") ? "; give the account a filesFolder" : "";
  }
}
