package dev.postrider.channels.twitch;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;
import static dev.postrider.channels.verdict.ErrorTable.row;
import static dev.postrider.channels.verdict.ErrorTable.throttled;

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
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer to a message. Status 200 says only that Twitch has looked at it: whether it was
 * sent, and why not, is inside. Thread-safe.
 */
final class TwitchVerdict {
  static final String DUPLICATE = "msg_duplicate";

  /** For a limit that does not say how long it lasts. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Pattern SECONDS = Pattern.compile("(\\d{1,7}) (?:more )?second");

  /** Why a message was dropped. Twitch lists no codes for Helix; most are those of its IRC. */
  private static final ErrorTable DROPPED =
      ErrorTable.of(
          throttled(
              ThrottleScope.CHAT,
              LIMIT,
              "msg_ratelimit",
              "msg_slowmode",
              "msg_timedout",
              DUPLICATE),
          // Moderators see it first.
          row(TwitchVerdict::held, "msg_rejected", "automod_held"),
          rejected(
              Blame.TARGET,
              "msg_banned",
              "msg_channel_suspended",
              "msg_channel_blocked",
              "msg_followersonly",
              "msg_followersonly_followed",
              "msg_followersonly_zero",
              "msg_subsonly",
              "msg_emoteonly",
              "msg_room_not_found",
              "tos_ban"),
          row(
              cause ->
                  new Outcome.Rejected(
                      Blame.TARGET,
                      cause + " (log in as the bot and acknowledge the warning in that chat)"),
              "user_warned"),
          rejected(
              Blame.MESSAGE,
              "msg_rejected_mandatory",
              "msg_bad_characters",
              "msg_r9k",
              "channel_settings"),
          broken("msg_requires_verified_phone_number", "msg_verified_email", "msg_suspended"));

  /** The same for a code that is not listed: what Twitch says of it. */
  private static final ErrorTable DROPPED_TEXTS =
      ErrorTable.of(
          throttled(ThrottleScope.CHAT, LIMIT, "slow mode", "too quickly", "timed out"),
          rejected(
              Blame.TARGET,
              "banned",
              "suspended",
              "followers-only",
              "subscribers-only",
              "emote-only"));

  /** Of a status that has several meanings. */
  private static final ErrorTable TEXTS =
      ErrorTable.of(
          repairable(new Fix.DropReply(), "reply_parent_message_id", "reply parent"),
          row(
              cause ->
                  new Outcome.AccountBroken(
                      cause
                          + " (authorise the bot again with scope=user:write:chat+user:read:chat)"),
              "scope"),
          row(
              cause -> new Outcome.AccountBroken(cause + " (senderId is not the token's user)"),
              "must match the user id",
              "must match the id"),
          row(
              cause ->
                  new Outcome.AccountBroken(cause + " (clientId and the token are of two apps)"),
              "client id"),
          rejected(Blame.TARGET, "broadcaster_id"));

  private static final ErrorTable STATUSES =
      ErrorTable.of(
          rejected(Blame.MESSAGE, 400, 413, 422),
          row(
              cause ->
                  new Outcome.Rejected(
                      Blame.TARGET,
                      cause
                          + " (the bot is banned or timed out there; with an app's token, the"
                          + " broadcaster must allow channel:bot or make it a moderator)"),
              403),
          row(cause -> new Outcome.AccountBroken(cause + " (check baseUrl)"), 404));

  private final PermanentErrors permanent;
  private final InstantSource clock;
  private final FloodWatch floods;

  TwitchVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
    floods = new FloodWatch(clock);
  }

  private static Outcome held(String cause) {
    return new Outcome.Delivered(
        new Receipt("", true), Map.of(), List.of(), "held until moderators let it pass: " + cause);
  }

  /** Whether the answer says that the access token is good no more. */
  static boolean refusesToken(Response response) {
    return response.status() == 401 && TEXTS.byText(words(response), "") == null;
  }

  /** Whether Twitch has dropped it because the same was said just before. */
  static boolean isDuplicate(Response response) {
    JsonNode body = response.status() == 200 ? Json.readObject(response.body()) : null;
    JsonNode said = body == null ? null : body.path("data").path(0);
    return said != null
        && !said.path("is_sent").asBoolean(true)
        && said.path("drop_reason").path("code").asString("").equals(DUPLICATE);
  }

  /** Whether Twitch refuses the repetition of anything that was said in that chat of late. */
  static boolean isNotUnique(Outcome outcome) {
    return outcome instanceof Outcome.Rejected(_, String cause) && cause.startsWith("msg_r9k");
  }

  /** The result of a message for this chat. */
  Outcome of(Response response, String chat) {
    JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
    if (body == null) {
      return foreign(response);
    }
    if (response.status() != 200) {
      return refusal(response);
    }
    JsonNode said = body.path("data").path(0);
    if (!said.path("is_sent").isBoolean()) {
      return foreign(response);
    }
    String id = said.path("message_id").asString("");
    if (!said.path("is_sent").asBoolean()) {
      return floods.widen(dropped(said.path("drop_reason"), id), chat);
    }
    return id.isEmpty()
        ? new Outcome.Unknown("Twitch has sent it, and names no id")
        : Outcome.delivered(id);
  }

  private static Outcome dropped(JsonNode reason, String id) {
    String code = reason.path("code").asString("");
    String text = reason.path("message").asString("");
    String cause = (code + " " + text).strip();
    Outcome known = DROPPED.byCode(code, cause);
    known = known == null ? DROPPED_TEXTS.byText(text, cause) : known;
    return switch (known) {
      case null -> new Outcome.Rejected(Blame.MESSAGE, cause);
      case Outcome.Throttled it ->
          new Outcome.Throttled(it.scope(), seconds(text, it.delay()), cause);
      case Outcome.Delivered it when !id.isEmpty() ->
          new Outcome.Delivered(new Receipt(id, true), Map.of(), List.of(), it.note());
      case Outcome it -> it;
    };
  }

  /** How long, if the text says it; a second more, since that is rounded. */
  private static Duration seconds(String text, Duration otherwise) {
    Matcher found = SECONDS.matcher(text);
    return found.find() ? Duration.ofSeconds(Long.parseLong(found.group(1)) + 1) : otherwise;
  }

  /** What an answer means that refuses a request. */
  Outcome refusal(Response response) {
    JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
    int status = response.status();
    if (status == 429) {
      return limit(response);
    }
    if (body == null || !body.has("message")) {
      return foreign(response);
    }
    String cause = cause(response);
    Outcome byText = status / 100 == 4 ? TEXTS.byText(words(response), cause) : null;
    Outcome known = byText == null ? STATUSES.byCode(status, cause) : byText;
    if (known != null) {
      return known;
    }
    Outcome open =
        status / 100 == 4 ? new Outcome.Rejected(Blame.MESSAGE, cause) : new Outcome.Unknown(cause);
    return open instanceof Outcome.Unknown ? permanent.or(open, cause) : open;
  }

  /** Helix tells when the bucket is full again, in seconds since 1970. */
  private Outcome limit(Response response) {
    Duration asked = response.retryAfter(clock.instant());
    Duration reset = untilReset(response.headers().get("ratelimit-reset"));
    Duration wait = asked != null ? asked : reset != null ? reset : ForeignAnswer.THROTTLE;
    return new Outcome.Throttled(ThrottleScope.ACCOUNT, wait, cause(response));
  }

  private @Nullable Duration untilReset(@Nullable String seconds) {
    if (seconds == null || !seconds.matches("\\d{1,11}")) {
      return null;
    }
    Duration wait =
        Duration.between(clock.instant(), Instant.ofEpochSecond(Long.parseLong(seconds)));
    return wait.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : wait;
  }

  static String cause(Response response) {
    String words = words(response);
    return response.status() + " " + (words.isEmpty() ? response.excerpt() : words);
  }

  private static String words(Response response) {
    JsonNode body = Json.readObject(response.body());
    return body == null ? "" : body.path("message").asString("");
  }

  Outcome foreign(Response response) {
    return new ForeignAnswer(
            clock, permanent, ThrottleScope.ACCOUNT, Set.of(404), "whether baseUrl is right")
        .read(response);
  }
}
