package dev.postrider.channels.msteams;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.FloodWatch;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer of the Bot Connector. Its code decides, then its status. It does not say whether
 * a limit was the conversation's or the tenant's. Thread-safe.
 */
final class TeamsVerdict {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** Several requests at once changed the same conversation; asked to try again soon. */
  private static final Duration BUSY = Duration.ofSeconds(2);

  /** By the code, without spaces; see Microsoft's status codes from bot conversational APIs. */
  static final ErrorTable CODES =
      ErrorTable.of(
          target("the app must be installed again there", "BotNotInConversationRoster"),
          target("the bot is blocked there", "ConversationBlockedByUser"),
          target("nobody may write there any more", "MessageWritesBlocked"),
          target(
              "there is no such conversation (any more), or the bot has never been in it",
              "ConversationNotFound"),
          target(
              "the app is not installed for this person: they, or an administrator, must install"
                  + " it first",
              "ForbiddenOperationException"),
          target(
              "this tenant is served elsewhere: set baseUrl to the address named",
              "InvalidBotApiHost"),
          ErrorTable.rejected(Blame.TARGET, "NotEnoughPermissions"),
          ErrorTable.rejected(Blame.MESSAGE, "BadSyntax", "BadArgument", "ContentStreamNotAllowed"),
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause
                          + " (check appId, and that the Azure bot has the channel Microsoft"
                          + " Teams)"),
              "BotNotRegistered"),
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause + " (an administrator must allow the app in the Teams admin center)"),
              "BotDisabledByAdmin"),
          ErrorTable.throttled(ThrottleScope.CHAT, BUSY, "PreconditionFailed"),
          ErrorTable.unknown("ServiceError"));

  /** Where the code is none of those. */
  static final ErrorTable STATUSES =
      ErrorTable.of(
          ErrorTable.rejected(Blame.MESSAGE, 400, 405, 413, 415, 422),
          ErrorTable.broken(401),
          ErrorTable.rejected(Blame.TARGET, 403, 404, 410),
          ErrorTable.throttled(ThrottleScope.CHAT, BUSY, 409, 412),
          ErrorTable.unknown(408, 500, 502, 504));

  private static ErrorTable.Row target(String remedy, Object... codes) {
    return ErrorTable.row(
        cause -> new Outcome.Rejected(Blame.TARGET, cause + " (" + remedy + ")"), codes);
  }

  private final PermanentErrors permanent;
  private final InstantSource clock;
  private final FloodWatch flood;

  TeamsVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
    this.flood = new FloodWatch(clock);
  }

  /** What was made of it, and what of it could be left out. */
  record Asked(String chat, boolean reply, boolean inlineFiles) {}

  /** The result of a part. */
  Outcome of(Response response, Asked asked) {
    JsonNode body = Json.readObject(response.body());
    String id = body == null ? null : Json.text(body, "id");
    return response.status() / 100 == 2 && id != null
        ? Outcome.delivered(id)
        : refusal(response, body, asked);
  }

  Outcome refusal(Response response, @Nullable JsonNode body, Asked asked) {
    if (body == null || !(body.path("error").isObject() || body.path("message").isString())) {
      return flood.widen(notTeams(response), asked.chat());
    }
    JsonNode error = body.path("error");
    String code = error.path("code").asString("");
    String cause = cause(response, code, body);
    if (response.status() == 429) {
      Duration delay = response.retryAfter(clock.instant());
      return flood.widen(
          new Outcome.Throttled(ThrottleScope.CHAT, delay == null ? PAUSE : delay, cause),
          asked.chat());
    }
    if (code.equals("ActivityNotFoundInConversation")) {
      return asked.reply()
          ? new Outcome.Repairable(new Fix.DropReply(), cause)
          : new Outcome.Rejected(Blame.MESSAGE, cause + " (the thread is gone)");
    }
    if (response.status() == 413 && asked.inlineFiles()) {
      return new Outcome.Repairable(new Fix.AsDocument(), cause);
    }
    Outcome known = CODES.byCode(code.replace(" ", ""), cause);
    known = known == null ? STATUSES.byCode(response.status(), cause) : known;
    return switch (known) {
      case null ->
          response.status() / 100 == 4
              ? new Outcome.Rejected(Blame.MESSAGE, cause)
              : notTeams(response);
      case Outcome.Unknown unknown -> permanent.or(unknown, cause);
      default -> known;
    };
  }

  private static String cause(Response response, String code, JsonNode body) {
    String message = body.path("error").path("message").asString(body.path("message").asString(""));
    return (response.status() + " " + code + " " + message).replaceAll(" {2,}", " ").strip();
  }

  private Outcome notTeams(Response response) {
    return new ForeignAnswer(
            clock, permanent, ThrottleScope.CHAT, Set.of(401), "whether baseUrl is right")
        .read(response);
  }
}
