package dev.postrider.channels.whatsappweb;

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

/** Reads GOWA's answers: a code, then the status where the code says nothing. */
final class GowaVerdict {
  private static final String CHECK = "whether baseUrl is GOWA's address, such as http://gowa:3000";
  private static final Duration RATE = Duration.ofMinutes(1);
  private static final int LONGEST = 300;
  static final String NOT_PAIRED = "the phone is not paired";
  static final String RECONNECTS = "GOWA connects to WhatsApp";

  /** Codes of accounts that cannot be used: 401 too, which is about WhatsApp and not about us. */
  private static final Set<String> NOT_READY =
      Set.of("AUTHENTICATION_ERROR", "INVALID_WA_CLI", "SESSION_SAVED_ERROR");

  private static final ErrorTable CODES =
      ErrorTable.of(
          ErrorTable.rejected(Blame.TARGET, "INVALID_JID"),
          ErrorTable.rejected(Blame.MESSAGE, "VALIDATION_ERROR", "400"),
          ErrorTable.notSent("UPLOAD_MEDIA_ERROR"),
          ErrorTable.row(
              cause -> new Outcome.AccountBroken(cause + " (check deviceId)"),
              "NOT_FOUND",
              "DEVICE_NOT_FOUND",
              "DEVICE_ID_REQUIRED"));

  private static final ErrorTable STATUSES =
      ErrorTable.of(
          ErrorTable.rejected(Blame.MESSAGE, 400, 405, 413, 415, 422),
          ErrorTable.row(
              cause -> new Outcome.AccountBroken(cause + " (check username and password)"),
              401,
              403),
          ErrorTable.row(cause -> new Outcome.AccountBroken(cause + " (check " + CHECK + ")"), 404),
          ErrorTable.unknown(408, 500, 502, 504));

  private final PermanentErrors permanent;
  private final InstantSource clock;

  GowaVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
  }

  Answer of(Response response) {
    JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
    if (body == null || !body.has("code")) {
      return new Answer.Failed(foreign(response));
    }
    String code = body.path("code").asString("");
    return response.status() == 200 && code.equals("SUCCESS")
        ? new Answer.Said(body.path("results"))
        : refusal(response, body, code);
  }

  private Answer refusal(Response response, JsonNode body, String code) {
    int status = response.status();
    String message = body.path("message").asString("");
    String cause = (status + " " + code + ": " + message).strip();
    cause = cause.length() <= LONGEST ? cause : cause.substring(0, LONGEST) + "…";
    if (code.equals("WA_REACHOUT_TIMELOCK")) {
      return new Answer.ClosedToStrangers(status + " " + code);
    }
    String lower = message.toLowerCase(Locale.ROOT);
    if (NOT_READY.contains(code) || lower.contains("not logg")) {
      boolean reconnects = lower.contains("connect"); // it is paired, and does that by itself
      return new Answer.NotReady(reconnects ? RECONNECTS : NOT_PAIRED, !reconnects);
    }
    if (status == 429) {
      Duration asked = response.retryAfter(clock.instant());
      return new Answer.Failed(
          new Outcome.Throttled(ThrottleScope.ACCOUNT, asked == null ? RATE : asked, cause));
    }
    if (message.contains("rate-overlimit")) {
      return new Answer.Failed(new Outcome.Throttled(ThrottleScope.ACCOUNT, RATE, cause));
    }
    Outcome byCode = CODES.byCode(code, cause);
    Outcome known = byCode == null ? STATUSES.byCode(status, cause) : byCode;
    if (known == null) {
      return new Answer.Failed(foreign(response));
    }
    return new Answer.Failed(known instanceof Outcome.Unknown ? permanent.or(known, cause) : known);
  }

  private Outcome foreign(Response response) {
    return new ForeignAnswer(clock, permanent, ThrottleScope.ACCOUNT, Set.of(401, 403, 404), CHECK)
        .read(response);
  }
}
