package dev.postrider.channels.whatsapp;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads an answer. Meta's code decides, whatever the status; texts only where it is too broad. */
final class WhatsAppVerdict {
  static final int WINDOW_CLOSED = 131047;

  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private static final int NO_SUCH_OBJECT = 33;

  private final PermanentErrors permanent;
  private final InstantSource clock;
  private final PairLimit pairs;

  WhatsAppVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
    this.pairs = new PairLimit(clock);
  }

  /** The result of a part for this user. Meta only accepts: the last word comes by webhook. */
  Outcome of(Response response, String user) {
    JsonNode body = Json.readObject(response.body());
    String id = body == null ? "" : body.path("messages").path(0).path("id").asString("");
    if (body != null && response.status() / 100 == 2 && !id.isEmpty()) {
      pairs.passed(user);
      return new Outcome.Delivered(
          new Receipt(id, true), Map.of(), List.of(), note(body.path("messages").path(0)));
    }
    return refusal(response, user);
  }

  /** Templates can be accepted and not sent on yet, or not at all; null if nothing is said. */
  private static @Nullable String note(JsonNode message) {
    String status = message.path("message_status").asString("");
    return switch (status) {
      case "", "accepted" -> null;
      case "held_for_quality_assessment" ->
          status + ": Meta looks at the template first, and sends or drops the message then";
      default -> status;
    };
  }

  /** Why something was not done for this user. */
  Outcome refusal(Response response, String user) {
    JsonNode body = Json.readObject(response.body());
    JsonNode error = body == null ? null : body.path("error");
    if (error == null || !error.path("code").isIntegralNumber()) {
      return notMeta(response);
    }
    int code = error.path("code").asInt(-1);
    String cause = cause(code, error);
    Outcome known = byCode(code, error.path("error_subcode").asInt(0), cause, user);
    if (known != null) {
      return known;
    }
    if (response.status() == 429) {
      return throttled(response, cause);
    }
    if (error.path("is_transient").asBoolean(false)) {
      return permanent.or(new Outcome.NotSent(cause), cause);
    }
    return response.status() / 100 == 4
        ? new Outcome.Rejected(Blame.MESSAGE, cause)
        : permanent.or(new Outcome.Unknown(cause), cause);
  }

  private static String cause(int code, JsonNode error) {
    String message = error.path("message").asString("").replaceFirst("^\\(#" + code + "\\) ", "");
    String details = error.path("error_data").path("details").asString("");
    return code + " " + (details.isEmpty() ? message : message + ": " + details);
  }

  private @Nullable Outcome byCode(int code, int subcode, String cause, String user) {
    return switch (code) {
      case 131021, 131026, 131030, 130497, 137000 -> new Outcome.Rejected(Blame.TARGET, cause);
      case WINDOW_CLOSED ->
          new Outcome.Rejected(
              Blame.MESSAGE,
              cause + " (more than 24 hours since the user wrote: only a template can be sent)");
      case 100 -> parameter(subcode, cause);
      case 130472,
          131008,
          131009,
          131050,
          131051,
          131052,
          131062,
          131063,
          132000,
          132001,
          132005,
          132007,
          132008,
          132012,
          132015,
          132016,
          132068,
          132069,
          135000 ->
          new Outcome.Rejected(Blame.MESSAGE, cause);
      // It could not fetch the address, or use what was uploaded; once more, with the bytes.
      case 131053 -> new Outcome.Repairable(new Fix.UploadInstead(), cause);
      case 131056 -> new Outcome.Throttled(ThrottleScope.CHAT, pairs.refused(user), cause);
      // Of marketing templates this user gets no more today; whatever else is for him must pass.
      case 131049 -> new Outcome.Rejected(Blame.MESSAGE, cause);
      case 130429 -> new Outcome.Throttled(ThrottleScope.ACCOUNT, SHORT, cause);
      case 4, 80007, 131057, 131064 -> new Outcome.Throttled(ThrottleScope.ACCOUNT, MINUTE, cause);
      case 131048 -> new Outcome.Throttled(ThrottleScope.ACCOUNT, HOUR, cause);
      case 1, 2, 131000, 131016, 133004 -> permanent.or(new Outcome.NotSent(cause), cause);
      case 0, 3, 10, 190, 368, 131005, 131031, 131037, 131042, 131045 ->
          new Outcome.AccountBroken(cause);
      default ->
          code / 100 == 2 || code / 1000 == 133 // permissions; registration of the number
              ? new Outcome.AccountBroken(cause)
              : null;
    };
  }

  /** One code for whatever is wrong with a request. */
  private static Outcome parameter(int subcode, String cause) {
    if (subcode == NO_SUCH_OBJECT) {
      return new Outcome.AccountBroken(cause + " (check phoneNumberId and the token's rights)");
    }
    return cause.toLowerCase(Locale.ROOT).contains("media attachment id")
        ? new Outcome.Repairable(new Fix.UploadInstead(), cause)
        : new Outcome.Rejected(Blame.MESSAGE, cause);
  }

  private Outcome notMeta(Response response) {
    return new ForeignAnswer(
            clock,
            permanent,
            ThrottleScope.ACCOUNT,
            Set.of(401, 404),
            "whether baseUrl is the Graph API")
        .read(response);
  }

  private Outcome throttled(Response response, String cause) {
    Duration delay = response.retryAfter(clock.instant());
    return new Outcome.Throttled(ThrottleScope.ACCOUNT, delay == null ? SHORT : delay, cause);
  }
}
