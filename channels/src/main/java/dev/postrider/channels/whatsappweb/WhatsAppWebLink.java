package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.Settings;
import dev.postrider.channels.whatsappweb.Bridge.Answer;
import dev.postrider.channels.whatsappweb.Bridge.Sent;
import dev.postrider.channels.whatsappweb.Bridge.Session;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One paired account, through its bridge. Thread-safe. */
final class WhatsAppWebLink implements Link {
  /** That the bridge's engine does not take ids of ours. */
  private static final String NO_OWN_IDS = "no-own-ids";

  /** The id of the last part without an id of ours, by chat. */
  private static final String LAST = "last";

  private static final String UNTOLD =
      "; no webhookSecret: what people write is not taken in, and no receipts come";

  private static final String REFUSED_LATE =
      "; that WhatsApp closes the account to strangers is seen minutes late";

  /** How far the bridge's clock and ours may be apart. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  private final AccountContext context;
  private final Scheduler time;
  private final Memory memory;
  private final Bridge bridge;
  private final Strangers strangers;
  private final Duration settle;
  private final Duration statusInterval;
  private final Warmup warmup;
  private final String untold; // what is missing without webhooks
  private final @Nullable CatchUp catchUp;
  private @Nullable String said; // why the account is not ready; guarded by this

  WhatsAppWebLink(AccountContext context) {
    this.context = context;
    time = context.scheduler();
    memory = context.memory();
    Settings settings = Settings.of(context.config());
    bridge = WhatsAppWebChannel.bridge(context.config(), time);
    strangers =
        new Strangers(
            bridge, memory, time, WhatsAppWebChannel.newChatsPerDay(settings), this::nothingSent);
    settle = settings.duration("settle", Duration.ofSeconds(3));
    statusInterval = settings.duration("statusInterval", Duration.ofSeconds(15));
    warmup = new Warmup(context, WhatsAppWebChannel.warmup(settings));
    Duration every = settings.duration("catchUp", Duration.ofMinutes(5));
    boolean told = !settings.text("webhookSecret", "").isEmpty();
    boolean gowa = WhatsAppWebChannel.isGowa(settings); // which has nothing else to read there
    catchUp =
        every.isPositive() && (told || !gowa)
            ? new CatchUp(bridge, memory, time, every, told)
            : null;
    untold = told ? "" : gowa ? UNTOLD : UNTOLD + REFUSED_LATE;
    context.notReady("the bridge is being asked how the paired phone is");
  }

  @Override
  public Outcome send(Dispatch part) {
    String number = Jid.isHidden(part.to()) ? bridge.number(part.to()) : null;
    if (number != null) {
      return new Outcome.Repairable(
          new Fix.NewChat(number), "WhatsApp hides " + number + " behind " + part.to());
    }
    if (part.mayHaveArrivedAt() != null && find(part) instanceof Reconciliation.Found(var known)) {
      return new Outcome.Delivered(known, Map.of(), remember(part, known.id()));
    }
    warmup.apply();
    Outcome held = strangers.before(part);
    if (held != null) {
      return held;
    }
    return switch (bridge.send(part)) {
      case Answer.Said(JsonNode body) -> accepted(part, bridge.sentId(body));
      case Answer.ClosedToStrangers(String cause) -> strangers.closed(cause);
      case Answer.NotReady(String cause, boolean login) -> notReady(cause, login);
      case Answer.Failed(Outcome outcome) -> outcome;
    };
  }

  private Outcome accepted(Dispatch part, String id) {
    return id.isEmpty()
        ? new Outcome.Unknown("the bridge took it, but named no id")
        : new Outcome.Delivered(new Receipt(id, true), Map.of(), remember(part, id));
  }

  /** What a part that WhatsApp has leaves to be known. */
  private List<Remembered> remember(Dispatch part, String id) {
    List<Remembered> all = new ArrayList<>(strangers.delivered(part));
    if (!bridge.hasOwnId(part)) {
      all.add(Remembered.of(part.to(), LAST, id));
    } else if (!id.equals(WahaRequest.id(part))) {
      all.add(Remembered.of(null, NO_OWN_IDS, "1"));
    }
    return all;
  }

  /** The account waits: messages are not charged for it. */
  private Outcome notReady(String cause, boolean login) {
    say(cause, login);
    return new Outcome.Unreachable(words(cause, login));
  }

  private String words(String cause, boolean login) {
    return login ? AccountContext.howToLogIn(context.config().id()) + ": " + cause : cause;
  }

  /** Tells it once, however often it is seen. */
  private synchronized void say(String cause, boolean login) {
    if (cause.equals(said)) {
      return;
    }
    said = cause;
    if (login) {
      context.needsLogin(cause);
    } else {
      context.notReady(cause);
    }
  }

  private synchronized void ready() {
    said = null;
    context.ready();
  }

  /** Of a question that was asked before anything was sent. */
  private Outcome nothingSent(Answer answer) {
    return switch (answer) {
      case Answer.Said _ -> new Outcome.NotSent("the bridge gave no answer that can be used");
      case Answer.NotReady(String cause, boolean login) -> notReady(cause, login);
      case Answer.ClosedToStrangers(String cause) -> strangers.closed(cause);
      case Answer.Failed(Outcome.Unknown(String cause)) -> new Outcome.NotSent(cause);
      case Answer.Failed(Outcome.Rejected(_, String cause)) -> new Outcome.NotSent(cause);
      case Answer.Failed(Outcome outcome) -> outcome;
    };
  }

  /** A text is the same message when it comes again with its id; nothing else is. */
  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return bridge.hasOwnId(part) && memory.read(null, NO_OWN_IDS).isEmpty() ? usual : Duration.ZERO;
  }

  @Override
  public Reconciliation reconcile(Dispatch part) {
    time.pause(settle); // the bridge may still be at it
    return find(part);
  }

  /**
   * Never says that a part is absent: a bridge may be sending it while it answers, and its history
   * may be switched off.
   */
  private Reconciliation find(Dispatch part) {
    if (bridge.hasOwnId(part)) {
      String id = WahaRequest.id(part);
      return Boolean.TRUE.equals(bridge.has(part.to(), id)) ? found(id) : unclear();
    }
    String last = memory.read(part.to(), LAST).orElse(null);
    List<Sent> all = bridge.sentSince(part.to(), part.mayBeThereSince().minus(SKEW));
    for (Sent sent : all == null ? List.<Sent>of() : all) {
      if (sent.id().equals(last)) {
        break; // this one, and all before, are other parts
      }
      if (isLike(part, sent)) {
        return found(sent.id());
      }
    }
    return unclear();
  }

  private static boolean isLike(Dispatch part, Sent sent) {
    return sent.file() == !part.part().media().isEmpty()
        && Objects.equals(words(part.text()), words(sent.text()));
  }

  private static String words(@Nullable String text) {
    return text == null ? "" : text.strip();
  }

  private static Reconciliation found(String id) {
    return new Reconciliation.Found(new Receipt(id, true));
  }

  private static Reconciliation unclear() {
    return new Reconciliation.Inconclusive();
  }

  @Override
  public Probe probe() {
    return switch (bridge.state()) {
      case Session.Working(String identity) -> {
        ready();
        yield new Probe.Healthy(identity + untold);
      }
      case Session.NotReady(String cause, boolean login) ->
          new Probe.Unreachable(words(cause, login));
      case Session.Away(String cause) -> new Probe.Unreachable(cause);
      case Session.Broken(String cause) -> new Probe.Broken(cause);
    };
  }

  @Override
  public boolean listens() {
    return true;
  }

  /** Watches how the paired account is, and reads what the bridge has failed to tell. */
  @Override
  public void listen(InboundSink inlet) {
    do {
      switch (bridge.state()) {
        case Session.Working _ -> {
          warmup.apply();
          ready();
          hear(inlet);
        }
        case Session.NotReady(String cause, boolean login) -> away(inlet, cause, login);
        case Session.Away(String cause) -> away(inlet, cause, false);
        case Session.Broken(String cause) -> away(inlet, cause, false);
      }
    } while (inlet.pause(statusInterval));
  }

  private void hear(InboundSink inlet) {
    String silence = catchUp == null ? null : catchUp.look(inlet);
    if (silence == null) {
      inlet.connected();
    } else {
      inlet.failing(silence);
    }
  }

  private void away(InboundSink inlet, String cause, boolean login) {
    say(cause, login);
    inlet.failing(words(cause, login));
    if (catchUp != null) {
      catchUp.soon();
    }
  }

  @Override
  public LoginState login(LoginRequest request) throws IOException {
    LoginState state = bridge.login(request);
    if (state instanceof LoginState.LoggedIn) {
      ready();
    }
    return state;
  }

  /** What an answer says that is not what was asked for. */
  static String cause(Answer answer) {
    return switch (answer) {
      case Answer.Said _ -> "the bridge gave no answer that can be used";
      case Answer.NotReady(String cause, _) -> cause;
      case Answer.ClosedToStrangers(String cause) -> cause;
      case Answer.Failed(Outcome outcome) -> cause(outcome);
    };
  }

  /** What an outcome says of itself. */
  static String cause(Outcome outcome) {
    return switch (Probe.of(outcome, "")) {
      case Probe.Unreachable(String cause) -> cause;
      case Probe.Broken(String cause) -> cause;
      case Probe.Healthy _ -> outcome.label();
    };
  }

  @Override
  public void close() {
    bridge.close();
  }
}
