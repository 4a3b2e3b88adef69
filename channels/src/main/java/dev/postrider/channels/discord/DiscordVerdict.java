package dev.postrider.channels.discord;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads an answer: Discord's own code decides first, then the status. */
final class DiscordVerdict {
  /** For a delay that is not told. */
  private static final Duration SHORT = Duration.ofSeconds(5);

  private static final Duration SWITCHED_OFF = Duration.ofMinutes(1);
  private static final Duration OPENED_TOO_MANY = Duration.ofMinutes(10);

  private final PermanentErrors permanent;
  private final InstantSource clock;

  DiscordVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
  }

  /**
   * The result of a request.
   *
   * @param quoting whether it was to quote another message
   */
  Outcome of(Response response, ApiRoute door, boolean quoting) {
    JsonNode body = Json.readObject(response.body());
    if (body == null) {
      return notDiscord(response, door);
    }
    int status = response.status();
    if (status / 100 == 2) {
      String id = body.path("id").asString("");
      return id.isEmpty()
          ? new Outcome.Unknown(status + " without the message")
          : Outcome.delivered(id);
    }
    int code = body.path("code").asInt(0);
    String cause = cause(status, code, body);
    if (status == 429) {
      return new Outcome.Throttled(
          scope(response, body, door), delay(response, body, usual(code)), cause);
    }
    return switch (code) {
      case 10008 -> unknownMessage(door, quoting, cause);
      case 160002 -> new Outcome.Repairable(new Fix.DropReply(), cause);
      case 50035 ->
          body.path("errors").has("message_reference")
              ? new Outcome.Repairable(new Fix.DropReply(), cause)
              : new Outcome.Rejected(Blame.MESSAGE, cause);
      case 20016, 20028, 20029, 40003, 40062, 130000 ->
          new Outcome.Throttled(door.scope(), delay(response, body, usual(code)), cause);
      case 40004, 40006 ->
          new Outcome.Throttled(ThrottleScope.CHANNEL, delay(response, body, usual(code)), cause);
      case 40001, 40002, 50014, 40333 -> new Outcome.AccountBroken(cause);
      case 10015, 10062, 50027 -> door.closed(cause);
      case 10003, 10004, 20009, 40058, 40067, 50001, 50007, 50008, 50013, 50024, 160005 ->
          new Outcome.Rejected(Blame.TARGET, cause);
      case 40005, 50006, 50045, 50046, 50109, 200000, 200001, 240000 ->
          new Outcome.Rejected(Blame.MESSAGE, cause);
      default -> byStatus(status, door, cause);
    };
  }

  /**
   * A bot that quotes nothing hears this of its own message: it came by before, and was deleted.
   */
  private static Outcome unknownMessage(ApiRoute door, boolean quoting, String cause) {
    if (quoting) {
      return new Outcome.Repairable(new Fix.DropReply(), cause);
    }
    return door == ApiRoute.BOT
        ? Outcome.delivered("")
        : new Outcome.Rejected(Blame.MESSAGE, cause);
  }

  private Outcome byStatus(int status, ApiRoute door, String cause) {
    return switch (status) {
      case 401 -> door.closed(cause);
      case 403 -> new Outcome.Rejected(Blame.TARGET, cause);
      case 404 ->
          door == ApiRoute.BOT ? new Outcome.Rejected(Blame.MESSAGE, cause) : door.closed(cause);
      case 408 -> permanent.or(new Outcome.Unknown(cause), cause);
      case 502 -> permanent.or(new Outcome.Unreachable(cause), cause);
      default ->
          status >= 400 && status < 500
              ? new Outcome.Rejected(Blame.MESSAGE, cause)
              : permanent.or(new Outcome.Unknown(cause), cause);
    };
  }

  private Outcome notDiscord(Response response, ApiRoute door) {
    int status = response.status();
    String cause = status + " without a readable answer: " + response.excerpt();
    return switch (status) {
      case 401 -> door.closed(cause);
      // In Discord's words: there was not a gateway available to process the request.
      case 502 -> permanent.or(new Outcome.Unreachable(cause), cause);
      // Whoever stands before Discord has had enough of this address, not of one bot or chat.
      default ->
          new ForeignAnswer(clock, permanent, ThrottleScope.CHANNEL, Set.of(), "the address")
              .read(response);
    };
  }

  private static ThrottleScope scope(Response response, JsonNode body, ApiRoute door) {
    boolean global =
        body.path("global").asBoolean(false)
            || "global".equals(response.headers().get("x-ratelimit-scope"));
    return global ? ThrottleScope.ACCOUNT : door.scope();
  }

  private static Duration usual(int code) {
    return switch (code) {
      case 40003 -> OPENED_TOO_MANY;
      case 40004, 40006 -> SWITCHED_OFF;
      default -> SHORT;
    };
  }

  private Duration delay(Response response, @Nullable JsonNode body, Duration usual) {
    JsonNode seconds = body == null ? null : body.path("retry_after");
    Duration told =
        seconds != null && seconds.isNumber()
            ? Duration.ofMillis((long) Math.ceil(seconds.doubleValue() * 1000))
            : response.retryAfter(clock.instant());
    return told == null ? usual : told;
  }

  private static String cause(int status, int code, JsonNode body) {
    String cause = status + " " + code + " " + body.path("message").asString("");
    String detail = detail("", body.path("errors"));
    return detail == null ? cause : cause + ": " + detail;
  }

  /** The first complaint about a field, with the way to it. */
  private static @Nullable String detail(String path, JsonNode errors) {
    for (Map.Entry<String, JsonNode> entry : errors.properties()) {
      String detail =
          entry.getKey().equals("_errors")
              ? path + " " + entry.getValue().path(0).path("message").asString("")
              : detail(
                  path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(), entry.getValue());
      if (detail != null) {
        return detail;
      }
    }
    return null;
  }
}
