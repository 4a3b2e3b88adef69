package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.channels.whatsappweb.Bridge.Answer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Reads WAHA's answers. Its engines throw, and whatever they throw becomes a 500: that proves
 * nothing, unless its text names something that goes wrong before anything is sent.
 */
final class WahaVerdict {
  private static final String CHECK = "whether baseUrl is WAHA's address, such as http://waha:3000";
  private static final Duration RATE = Duration.ofMinutes(1);
  private static final int LONGEST = 300;

  /** What engines throw before they send. */
  private static final ErrorTable THROWN =
      ErrorTable.of(
          ErrorTable.throttled(ThrottleScope.ACCOUNT, RATE, "rate-overlimit"),
          ErrorTable.rejected(
              Blame.TARGET,
              "invalid wid",
              "wid error",
              "no lid for user",
              "not-acceptable",
              "item-not-found",
              "not a group participant",
              "the number is not registered"),
          ErrorTable.rejected(
              Blame.MESSAGE,
              "ffmpeg",
              "unsupported media",
              "media is too large",
              "not implemented"));

  private static final ErrorTable STATUSES =
      ErrorTable.of(
          ErrorTable.rejected(Blame.MESSAGE, 400, 405, 413, 415, 422, 501),
          ErrorTable.row(cause -> new Outcome.AccountBroken(cause + " (check apiKey)"), 401),
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause + " (the key of apiKey is not allowed to do that in this session)"),
              403),
          ErrorTable.row(cause -> new Outcome.AccountBroken(cause + " (check " + CHECK + ")"), 404),
          ErrorTable.unknown(408, 500, 502, 504));

  private final String account;
  private final PermanentErrors permanent;
  private final InstantSource clock;

  WahaVerdict(String account, PermanentErrors permanent, InstantSource clock) {
    this.account = account;
    this.permanent = permanent;
    this.clock = clock;
  }

  Answer of(Response response) {
    JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
    if (body == null && response.whole() && response.status() == 200) {
      body = Json.readArray(response.body());
    }
    if (body == null) {
      return new Answer.Failed(foreign(response));
    }
    return response.status() / 100 == 2 ? new Answer.Said(body) : refusal(response, body);
  }

  private Answer refusal(Response response, JsonNode body) {
    int status = response.status();
    String words = words(body);
    if (words.isEmpty()) {
      return new Answer.Failed(foreign(response));
    }
    String cause = status + " " + words;
    String lower = words.toLowerCase(Locale.ROOT);
    if (status == 422 && lower.contains("not as expected")) {
      String session = body.path("status").asString("");
      return new Answer.NotReady(words(session), needsPerson(session));
    }
    if (status == 422 && lower.contains("does not exist")
        || status == 404 && lower.contains("session")) {
      return new Answer.Failed(
          new Outcome.AccountBroken(
              cause + " (" + AccountContext.howToLogIn(account) + ", which makes it)"));
    }
    if (lower.contains("reachout") || lower.contains("reach-out")) {
      return new Answer.ClosedToStrangers(cause);
    }
    if (status == 429) {
      Duration asked = response.retryAfter(clock.instant());
      return new Answer.Failed(
          new Outcome.Throttled(ThrottleScope.ACCOUNT, asked == null ? RATE : asked, cause));
    }
    Outcome thrown = status == 500 ? THROWN.byText(words, cause) : null;
    Outcome known = thrown == null ? STATUSES.byCode(status, cause) : thrown;
    if (known == null) {
      return new Answer.Failed(foreign(response));
    }
    return new Answer.Failed(known instanceof Outcome.Unknown ? permanent.or(known, cause) : known);
  }

  /** Whether a session of this status stays as it is until a person does something. */
  static boolean needsPerson(String status) {
    return switch (status) {
      case "SCAN_QR_CODE",
          "PASSKEY_REQUIRED",
          "PASSKEY_CONFIRMATION_REQUIRED",
          "STOPPED",
          "FAILED" ->
          true;
      default -> false;
    };
  }

  /** What a status of a session means for people. */
  static String words(String status) {
    return switch (status) {
      case "SCAN_QR_CODE" -> "the phone is not paired (SCAN_QR_CODE)";
      case "PASSKEY_REQUIRED", "PASSKEY_CONFIRMATION_REQUIRED" ->
          "WhatsApp wants a passkey (" + status + "): finish the pairing in WAHA's dashboard";
      case "STOPPED" -> "the session is stopped";
      case "FAILED" -> "the session has failed: the phone has logged it out, or is gone";
      case "STARTING" -> "the session is starting";
      default -> "the session is not ready" + (status.isEmpty() ? "" : " (" + status + ")");
    };
  }

  /** What was wrong, without the request that WAHA likes to repeat. */
  private static String words(JsonNode body) {
    for (JsonNode said :
        new JsonNode[] {body.at("/exception/message"), body.path("message"), body.path("error")}) {
      String text =
          said.isArray()
              ? String.join("; ", said.valueStream().map(it -> it.asString("")).toList())
              : said.asString("");
      if (!text.isEmpty()) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
      }
    }
    return "";
  }

  private Outcome foreign(Response response) {
    return new ForeignAnswer(clock, permanent, ThrottleScope.ACCOUNT, Set.of(401, 403, 404), CHECK)
        .read(response);
  }
}
