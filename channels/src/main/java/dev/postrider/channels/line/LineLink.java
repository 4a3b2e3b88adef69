package dev.postrider.channels.line;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One account's connection. Thread-safe. */
final class LineLink implements Link {
  private static final String RETRY_KEY = "X-Line-Retry-Key";
  static final String QUOTE = "quote:";
  static final String UNFOLLOWED = "unfollowed";

  /** Which messages use the token of an event. */
  enum Replying {
    /** Those that belong to a turn, or reply to a message. */
    ANSWERS,
    ALWAYS,
    NEVER;

    static Replying of(Settings settings) {
      return switch (settings.text("reply", "answers")) {
        case "answers" -> ANSWERS;
        case "always" -> ALWAYS;
        case "never" -> NEVER;
        default -> throw settings.wrong("reply", "is none of answers, always and never");
      };
    }
  }

  private final LineApi api;
  private final LineVerdict verdict;
  private final Memory memory;
  private final InstantSource clock;
  private final ReplyTokens tokens;
  private final LineMulticast multicast;
  private final Replying replying;
  private final String preview;
  private final boolean hears;

  LineLink(AccountContext context) {
    Settings settings = Settings.of(context.config());
    clock = context.scheduler();
    memory = context.memory();
    replying = Replying.of(settings);
    preview = LineChannel.preview(settings);
    hears = !LineChannel.secret(settings).isEmpty();
    tokens = new ReplyTokens(memory, clock);
    verdict = new LineVerdict(PermanentErrors.of(settings), clock);
    api = new LineApi(settings, clock);
    multicast = new LineMulticast(memory, context.scheduler(), this::multicast);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    try {
      String reply = dispatch.replyToId();
      String quote = reply == null ? null : memory.read(dispatch.to(), QUOTE + reply).orElse(null);
      LineRequest request = LineRequest.of(dispatch, preview, quote);
      if (reply != null && !request.quotes()) {
        return new Outcome.Repairable(
            new Fix.DropReply(),
            quote == null
                ? "no token to quote " + reply + " with has come in"
                : "LINE quotes with a text only");
      }
      Outcome replied = reply(dispatch, request);
      return replied == null ? push(dispatch, request) : replied;
    } catch (InvalidInput e) {
      return new Outcome.Rejected(Blame.MESSAGE, e.first().toString());
    }
  }

  /** The result of a reply; null if the part cannot go out as one. */
  private @Nullable Outcome reply(Dispatch dispatch, LineRequest request) {
    // What may have arrived by a push must be repeated by a push, whose key LINE knows.
    boolean may = dispatch.mayHaveArrivedAt() == null && request.canReply() && wants(dispatch);
    String token = may ? tokens.take(dispatch) : null;
    if (token == null) {
      return null;
    }
    HttpCall call = api.post("/v2/bot/message/reply").json(request.reply(token));
    Outcome outcome = outcome(call);
    if (outcome instanceof Outcome.Delivered(Receipt receipt, var handles, _, var note)) {
      return new Outcome.Delivered(receipt, handles, List.of(ReplyTokens.settled(dispatch)), note);
    }
    if (!(outcome instanceof Outcome.Unknown)) {
      tokens.settle(dispatch); // refused: nothing was sent
    }
    return LineVerdict.isTooLate(outcome) ? null : outcome;
  }

  private boolean wants(Dispatch dispatch) {
    return switch (replying) {
      case ANSWERS -> dispatch.message().turnId() != null || dispatch.message().replyToId() != null;
      case ALWAYS -> true;
      case NEVER -> false;
    };
  }

  private Outcome push(Dispatch dispatch, LineRequest request) {
    String blocked = memory.read(dispatch.to(), UNFOLLOWED).orElse(null);
    if (dispatch.mayHaveArrivedAt() != null) {
      tokens.settle(dispatch); // that it is sent in spite of the doubt was decided elsewhere
    }
    Outcome shared = multicast.send(dispatch, request);
    Outcome outcome = shared == null ? pushAlone(dispatch, request) : shared;
    return blocked != null && outcome instanceof Outcome.Delivered(Receipt receipt, _, _, _)
        ? new Outcome.Delivered(
            receipt,
            Map.of(),
            List.of(),
            "the user has blocked the account since " + blocked + ": LINE shows it to nobody")
        : outcome;
  }

  private Outcome pushAlone(Dispatch dispatch, LineRequest request) {
    return outcome(
        api.post("/v2/bot/message/push")
            .header(RETRY_KEY, LineRequest.retryKey(dispatch.key()))
            .json(request.push(dispatch.to())));
  }

  private Outcome multicast(String key, LineRequest request, List<String> users) {
    return outcome(
        api.post("/v2/bot/message/multicast").header(RETRY_KEY, key).json(request.multicast(users)),
        users.size());
  }

  private Outcome outcome(HttpCall call) {
    return outcome(call, 1);
  }

  private Outcome outcome(HttpCall call, int users) {
    return switch (api.ask(call)) {
      case LineApi.Answer.Nothing(Outcome outcome) -> outcome;
      case LineApi.Answer.Said(var response) -> {
        Outcome outcome = verdict.of(response);
        yield LineVerdict.isQuota(outcome) ? usedUp(users) : outcome;
      }
    };
  }

  /**
   * The account waits: a person has to raise the quota, or the month has to end. But what is left
   * may be enough for some of many.
   */
  private Outcome usedUp(int users) {
    LineQuota quota = LineQuota.ask(api);
    if (users > 1 && quota.someLeft()) {
      return new Outcome.Repairable(
          new Fix.Alone(), "429 LINE's monthly limit is near (" + quota.words() + ")");
    }
    quota.refused(memory, clock.instant());
    return new Outcome.AccountBroken(usedUp(quota));
  }

  private static String usedUp(LineQuota quota) {
    return "429 LINE's monthly limit is reached ("
        + quota.words()
        + "): waits until the month ends or the plan allows more";
  }

  /** Pushes and multicasts are known by their keys; a reply has none. */
  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return tokens.isInDoubt(part) ? Duration.ZERO : usual;
  }

  /** Who we are, and what does not keep us from sending but should be known. */
  @Override
  public Probe probe() {
    return switch (api.ask(api.get("/v2/bot/info"))) {
      case LineApi.Answer.Nothing(Outcome outcome) -> Probe.of(outcome, "");
      case LineApi.Answer.Said(var response) -> {
        JsonNode body = Json.readObject(response.body());
        if (response.status() != 200 || body == null || !body.has("userId")) {
          yield Probe.of(verdict.of(response), "");
        }
        LineQuota quota = LineQuota.ask(api);
        yield quota.isStillRefused(memory)
            ? new Probe.Broken(usedUp(quota))
            : new Probe.Healthy(
                body.path("displayName").asString("")
                    + " "
                    + body.path("basicId").asString("")
                    + ", "
                    + quota.words()
                    + webhook());
      }
    };
  }

  /** What keeps LINE from telling us anything; empty if nothing does. */
  private String webhook() {
    if (!hears
        || !(api.ask(api.get("/v2/bot/channel/webhook/endpoint"))
            instanceof LineApi.Answer.Said(var response))) {
      return "";
    }
    JsonNode body = Json.readObject(response.body());
    if (response.status() == 404) {
      return "; no webhook address is set in the LINE Developers console";
    }
    return response.status() == 200 && body != null && !body.path("active").asBoolean(true)
        ? "; the webhook is off: switch on \"Use webhook\" in the LINE Developers console"
        : "";
  }

  @Override
  public void close() {
    api.close();
  }
}
