package dev.postrider.channels.line;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer. LINE has no codes: the status decides, and the text where a status has several
 * meanings.
 */
final class LineVerdict {
  private static final String CHECK = "whether baseUrl is https://api.line.me";

  /** Of a status that has several meanings, by what its text says. */
  private static final ErrorTable TEXTS =
      ErrorTable.of(
          ErrorTable.repairable(new Fix.DropReply(), "quotetoken", "quote token"),
          ErrorTable.rejected(
              Blame.TARGET,
              "the property, 'to',",
              "the property, to,",
              "failed to send messages",
              "hasn't added the line official account",
              "not a member",
              "not found the user"));

  private static final ErrorTable STATUSES =
      ErrorTable.of(
          ErrorTable.rejected(Blame.MESSAGE, 400, 405, 410, 413, 415),
          ErrorTable.row(
              cause -> new Outcome.AccountBroken(cause + " (issue a new token in the console)"),
              401),
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause + " (the account's plan or rights do not allow it)"),
              403),
          ErrorTable.row(cause -> new Outcome.AccountBroken(cause + " (check " + CHECK + ")"), 404),
          ErrorTable.unknown(408, 500, 502, 504));

  private final PermanentErrors permanent;
  private final InstantSource clock;

  LineVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
  }

  /** The result of a part. */
  Outcome of(Response response) {
    JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
    if (body == null) {
      return foreign(response);
    }
    int status = response.status();
    if (status / 100 == 2 || status == 409) {
      String id = receipt(response, body, status);
      return id == null ? foreign(response) : Outcome.delivered(id);
    }
    return body.has("message") ? refusal(response, body) : foreign(response);
  }

  /** The ids of all that was sent; of a repeat, of what was sent then. Null if LINE names none. */
  private static @Nullable String receipt(Response response, JsonNode body, int status) {
    String ids =
        body.path("sentMessages")
            .valueStream()
            .map(sent -> sent.path("id").asString(""))
            .filter(id -> !id.isEmpty())
            .collect(Collectors.joining(","));
    return ids.isEmpty()
        ? response.headers().get(status == 409 ? "x-line-accepted-request-id" : "x-line-request-id")
        : ids;
  }

  private Outcome refusal(Response response, JsonNode body) {
    int status = response.status();
    String cause = status + " " + words(body);
    if (status == 429) {
      Duration asked = response.retryAfter(clock.instant());
      return new Outcome.Throttled(
          ThrottleScope.ACCOUNT, asked == null ? ForeignAnswer.THROTTLE : asked, cause);
    }
    Outcome byText = status == 400 || status == 403 ? TEXTS.byText(cause, cause) : null;
    if (byText != null) {
      return byText;
    }
    Outcome known = STATUSES.byCode(status, cause);
    if (known == null) {
      return foreign(response);
    }
    return known instanceof Outcome.Unknown ? permanent.or(known, cause) : known;
  }

  /** What LINE says, with each thing that it finds wrong. */
  private static String words(JsonNode body) {
    String details =
        body.path("details")
            .valueStream()
            .map(
                it ->
                    (it.path("property").asString("") + ": " + it.path("message").asString(""))
                        .strip())
            .collect(Collectors.joining("; "));
    String message = body.path("message").asString("");
    return details.isEmpty() ? message : message + " (" + details + ")";
  }

  /** Whether LINE refuses because the messages of the month are used up; no matter of waiting. */
  static boolean isQuota(Outcome outcome) {
    return outcome instanceof Outcome.Throttled(_, _, String cause)
        && cause.contains("monthly limit");
  }

  /** Whether a reply came too late, or its token was used: nothing was sent. */
  static boolean isTooLate(Outcome outcome) {
    return outcome instanceof Outcome.Rejected(_, String cause)
        && cause.contains("Invalid reply token");
  }

  private Outcome foreign(Response response) {
    return new ForeignAnswer(clock, permanent, ThrottleScope.ACCOUNT, Set.of(401, 404), CHECK)
        .read(response);
  }
}
