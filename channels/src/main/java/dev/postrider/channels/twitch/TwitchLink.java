package dev.postrider.channels.twitch;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Sha256;
import dev.postrider.channels.twitch.TwitchApi.Answer;
import dev.postrider.channels.twitch.TwitchApi.User;
import dev.postrider.channels.twitch.TwitchLogin.Session;
import dev.postrider.channels.twitch.TwitchLogin.State;
import dev.postrider.message.Receipt;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** One bot's connection. Thread-safe. */
final class TwitchLink implements Link {
  /** Twitch drops what is the same as the message before it, for so long. */
  static final Duration SAME_TEXT = Duration.ofSeconds(30);

  private static final String LAST_TEXT = "lastText";

  private final HttpSender http;
  private final TwitchLogin login;
  private final TwitchVerdict verdict;
  private final TwitchApi api;
  private final TwitchSocket socket;
  private final Memory memory;
  private final InstantSource clock;

  TwitchLink(AccountContext context) {
    Settings settings = Settings.of(context.config());
    clock = context.scheduler();
    memory = context.memory();
    http = HttpSender.of(settings, TwitchLogin.secrets(settings));
    login = new TwitchLogin(settings, clock, memory, http);
    verdict = new TwitchVerdict(PermanentErrors.of(settings), clock);
    api = new TwitchApi(http, login, verdict, clock, settings);
    socket = new TwitchSocket(http, login, api, verdict, settings);
  }

  @Override
  public Outcome send(Dispatch part) {
    return switch (api.broadcaster(part.to())) {
      case User.Not(Outcome outcome) -> outcome;
      case User.Found(String id) -> send(part, id);
    };
  }

  private Outcome send(Dispatch part, String broadcaster) {
    Answer answer =
        api.ask(
            TwitchLogin.WRITE,
            (base, session) ->
                HttpCall.post(URI.create(base + "/chat/messages"))
                    .json(TwitchRequest.body(part, broadcaster, session)));
    return switch (answer) {
      case Answer.None(Outcome outcome) -> outcome;
      case Answer.Came(Response response, _) -> read(response, part, broadcaster);
    };
  }

  private Outcome read(Response response, Dispatch part, String broadcaster) {
    if (TwitchVerdict.isDuplicate(response)) {
      return repeated(part, broadcaster);
    }
    Outcome outcome = verdict.of(response, broadcaster);
    if (part.mayHaveArrivedAt() != null && TwitchVerdict.isNotUnique(outcome)) {
      return arrivedBefore();
    }
    return outcome instanceof Outcome.Delivered it && !it.receipt().accepted()
        ? new Outcome.Delivered(
            it.receipt(), it.handles(), List.of(remember(part, broadcaster)), it.note())
        : outcome;
  }

  /**
   * Twitch dropped it as a repetition. If somebody said the same here less than 30 seconds ago in
   * another message, that is what it repeats, and so would every earlier try of it: it waits. If
   * nobody did, an earlier try of its own has arrived.
   */
  private Outcome repeated(Dispatch part, String broadcaster) {
    Instant now = clock.instant();
    String last = memory.read(broadcaster, LAST_TEXT).orElse("");
    String text = digest(part) + " ";
    if (last.startsWith(text)) {
      Instant free = Instant.parse(last.substring(text.length())).plus(SAME_TEXT);
      if (free.isAfter(now)) {
        return again(Duration.between(now, free));
      }
    }
    return part.mayHaveArrivedAt() == null ? again(SAME_TEXT) : arrivedBefore();
  }

  private static Outcome again(Duration wait) {
    return new Outcome.Throttled(
        ThrottleScope.CHAT,
        wait,
        TwitchVerdict.DUPLICATE + ": Twitch takes the same text again after 30 seconds");
  }

  private static Outcome arrivedBefore() {
    return new Outcome.Delivered(
        new Receipt("", false), Map.of(), List.of(), "an earlier try had arrived; its id is lost");
  }

  private Remembered remember(Dispatch part, String broadcaster) {
    Instant now = clock.instant();
    return Remembered.until(now.plus(SAME_TEXT), broadcaster, LAST_TEXT, digest(part) + " " + now);
  }

  private static String digest(Dispatch part) {
    return Sha256.hex(TwitchRequest.text(part)).substring(0, 32);
  }

  @Override
  public Probe probe() {
    return switch (login.state()) {
      case State.Out(Outcome outcome) -> Probe.of(outcome, "");
      case State.In(Session session) -> {
        String missing = session.lacks(TwitchLogin.WRITE);
        yield missing == null
            ? new Probe.Healthy(identity(session) + login.trouble() + socket.trouble())
            : new Probe.Broken(missing);
      }
    };
  }

  private static String identity(Session session) {
    return session.isApp() ? "an app, for user " + session.user() : session.name();
  }

  @Override
  public boolean listens() {
    return socket.listens();
  }

  @Override
  public void listen(InboundSink inlet) throws IOException, InterruptedException {
    socket.listen(inlet);
  }

  @Override
  public void close() {
    http.close();
  }
}
