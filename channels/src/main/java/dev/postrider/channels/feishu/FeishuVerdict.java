package dev.postrider.channels.feishu;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;
import static dev.postrider.channels.verdict.ErrorTable.throttled;
import static dev.postrider.channels.verdict.ErrorTable.unknown;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.RetryAfter;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads an answer. Feishu's code decides, whatever the status: many a 200 is a refusal. */
final class FeishuVerdict {
  private static final Duration SHORT = Duration.ofSeconds(5);

  /** A month's calls do not come back by asking; somebody may buy more. */
  private static final Duration QUOTA = Duration.ofHours(1);

  private static final int LONGEST_CAUSE = 500;
  private static final int PARAMETER = 230001;

  /** A token that is not taken, whatever Feishu said of its end. */
  private static final Set<Integer> TOKEN = Set.of(99991661, 99991663, 99991664, 99991671);

  private static final ErrorTable ERRORS =
      ErrorTable.of(
          throttled(ThrottleScope.ACCOUNT, SHORT, 99991400),
          throttled(ThrottleScope.ACCOUNT, Duration.ofSeconds(10), 11232),
          throttled(ThrottleScope.CHAT, Duration.ofSeconds(1), 230020),
          throttled(ThrottleScope.ACCOUNT, QUOTA, 99991403),
          // The bot is not there, or may not speak there; nobody is there.
          rejected(
              Blame.TARGET,
              230002,
              230013,
              230018,
              230029,
              230034,
              230035,
              230038,
              230045,
              230053,
              232009,
              99992351,
              99992352,
              99992353,
              99992361,
              99992364),
          rejected(
              Blame.MESSAGE,
              230015,
              230022,
              230025,
              230028,
              230054,
              230055,
              230075,
              234001,
              234006,
              234010,
              9499,
              19002,
              19024,
              99991402,
              99992402),
          // The message replied to, or its thread, is gone, or takes no replies.
          repairable(
              new Fix.DropReply(), 230011, 230019, 230050, 230071, 230072, 230110, 230111, 231003),
          repairable(new Fix.PlainText(), 230099),
          repairable(new Fix.UploadInstead(), 230017),
          repairable(new Fix.AsDocument(), 234011, 234039),
          unknown(230049), // a try of ours is under way: the same key again tells
          notSent(230101, 232096, 234042),
          broken(99991661, 99991663, 99991664, 99991671),
          broken(
              99991401, 99991662, 99991665, 99991668, 99991672, 99991673, 99991679, 230006, 230027,
              230036, 234002, 234007, 234041),
          broken(10003, 10005, 10012, 10013, 10014, 10015, 10016, 11205),
          broken(19001, 19021, 19022));

  private static final Map<Integer, String> REMEDIES =
      Map.ofEntries(
          Map.entry(230002, "add the bot to the chat"),
          Map.entry(230006, "add the bot feature to the app, and publish a version"),
          Map.entry(11205, "add the bot feature to the app, and publish a version"),
          Map.entry(230013, "let the app be available to this person, and publish a version"),
          Map.entry(230027, "add the permission im:message:send_as_bot, and publish a version"),
          Map.entry(99991672, "add the permission it names, and publish a version"),
          Map.entry(99991401, "allow this server's address under the app's IP allowlist"),
          Map.entry(10003, "check appId and appSecret, and whether region is right"),
          Map.entry(10014, "check appId and appSecret, and whether region is right"),
          Map.entry(99991403, "the organisation's calls of this month are used up"),
          Map.entry(19001, "check webhookUrl: the bot may be gone from its group"),
          Map.entry(19021, "check secret, and this machine's clock"),
          Map.entry(19022, "allow this server's address in the bot's security settings"),
          Map.entry(19024, "the text has none of the keywords of the bot's security settings"));

  private final PermanentErrors permanent;
  private final InstantSource clock;

  FeishuVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
  }

  /** What Feishu answered, if it did what it was asked to; else null. */
  static @Nullable JsonNode done(Response response) {
    JsonNode body = Json.readObject(response.body());
    return body != null && response.status() / 100 == 2 && code(body) == 0 ? body : null;
  }

  static boolean isTokenRefused(Response response) {
    JsonNode body = Json.readObject(response.body());
    return body != null && TOKEN.contains(code(body));
  }

  /** Below zero if there is none; webhooks had another name for it once. */
  private static int code(JsonNode body) {
    JsonNode code = body.has("code") ? body.path("code") : body.path("StatusCode");
    return code.isIntegralNumber() ? code.asInt(-1) : -1;
  }

  /** Why something was not done. */
  Outcome refusal(Response response) {
    JsonNode body = Json.readObject(response.body());
    int code = body == null ? -1 : code(body);
    if (body == null || code < 0) {
      return new ForeignAnswer(
              clock,
              permanent,
              ThrottleScope.ACCOUNT,
              Set.of(401, 404),
              "whether baseUrl is the API of Feishu or Lark")
          .read(response);
    }
    String cause = cause(code, body);
    if (code == 0) {
      return new Outcome.Unknown(response.status() + " with code 0, and not what was asked for");
    }
    Outcome known = code == PARAMETER ? parameter(cause) : ERRORS.byCode(code, cause);
    if (known instanceof Outcome.Throttled(ThrottleScope scope, Duration usual, _)) {
      return new Outcome.Throttled(scope, patience(response, usual), cause);
    }
    if (known != null) {
      return known;
    }
    if (response.status() == 429) {
      return new Outcome.Throttled(ThrottleScope.ACCOUNT, patience(response, SHORT), cause);
    }
    return response.status() / 100 == 4
        ? new Outcome.Rejected(Blame.MESSAGE, cause)
        : permanent.or(new Outcome.Unknown(cause), cause);
  }

  private static String cause(int code, JsonNode body) {
    String said = body.path("msg").asString(body.path("StatusMessage").asString("")).strip();
    String text = said.substring(0, Math.min(said.length(), LONGEST_CAUSE));
    String remedy = REMEDIES.get(code);
    return (code + " " + text).strip() + (remedy == null ? "" : " (" + remedy + ")");
  }

  /** One code for whatever is wrong with a request; what it was comes after {@code ext=}. */
  private static Outcome parameter(String cause) {
    String why = cause.substring(cause.indexOf("ext=") + 1).toLowerCase(Locale.ROOT);
    if (why.contains("receive_id")) {
      return new Outcome.Rejected(Blame.TARGET, cause);
    }
    return why.contains("image_key") || why.contains("file_key")
        ? new Outcome.Repairable(new Fix.UploadInstead(), cause)
        : new Outcome.Rejected(Blame.MESSAGE, cause);
  }

  /** How long Feishu asks to wait; if it does not say, as long as usual. */
  private Duration patience(Response response, Duration usual) {
    String reset = response.headers().get("x-ogw-ratelimit-reset");
    Duration asked = reset == null ? null : RetryAfter.parse(reset, clock.instant());
    if (asked == null) {
      asked = response.retryAfter(clock.instant());
    }
    return asked == null || asked.isZero() ? usual : asked;
  }
}
