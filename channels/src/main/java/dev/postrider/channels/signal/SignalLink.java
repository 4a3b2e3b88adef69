package dev.postrider.channels.signal;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.KeptFiles;
import dev.postrider.channels.signal.Daemon.Reply;
import dev.postrider.channels.signal.SignalVerdict.Challenge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One number's connection to Signal. Thread-safe. */
final class SignalLink implements Link {
  private static final String CHALLENGE = "challenge";
  private static final int NO_SUCH_METHOD = -32601;

  private final AccountContext context;
  private final Daemon daemon;
  private final String number;
  private final SignalVerdict verdict;
  private final SignalEvents events;
  private final @Nullable Path folder;
  private final KeptFiles kept = KeptFiles.base64();
  private final String captcha;
  private final boolean standing;

  /** Whether Signal wants a captcha, as far as this link has seen. */
  private volatile boolean challenged;

  SignalLink(AccountContext context, Daemon daemon) {
    Settings settings = Settings.of(context.config());
    this.context = context;
    this.daemon = daemon;
    number = settings.required("number");
    verdict = new SignalVerdict(number, context.config().id());
    events = new SignalEvents(number);
    String shared = settings.text("filesFolder", "");
    folder = shared.isEmpty() ? null : Path.of(shared);
    captcha = settings.text("captcha", "");
    standing = !(daemon instanceof HttpDaemon);
    if (standing) {
      context.notReady("connecting to signal-cli");
    }
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    Reply reply;
    try (SignalFiles files = SignalFiles.of(dispatch.cargo(), kept, folder)) {
      SignalRequest request = SignalRequest.of(dispatch, number, files.names());
      reply = daemon.ask(request.method(), request.params());
    } catch (IOException e) {
      return new Outcome.NotSent("a file cannot be handed to signal-cli: " + e.getMessage());
    }
    Challenge challenge = verdict.challenge(reply);
    if (challenge != null) {
      challenged = true;
      context
          .memory()
          .write(
              Remembered.until(
                  context.scheduler().instant().plus(challenge.openFor()),
                  null,
                  CHALLENGE,
                  challenge.token()));
    }
    Outcome outcome = verdict.read(reply);
    if (challenged && outcome instanceof Outcome.Delivered taken) { // somebody has solved it
      challenged = false;
      return new Outcome.Delivered(
          taken.receipt(), Map.of(), List.of(Remembered.forget(null, CHALLENGE)), taken.note());
    }
    return outcome;
  }

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public void listen(InboundSink inlet) throws Exception {
    try {
      daemon.listen(
          new Daemon.Ear() {
            @Override
            public void connected() {
              if (standing) {
                context.ready();
              }
              inlet.connected();
            }

            @Override
            public void heard(JsonNode received) {
              SignalEvents.Told told = events.read(received);
              if (told != null) {
                inlet.take(told.messages(), told.reports(), null, List.of(), told.aliases());
              }
            }
          });
    } finally {
      if (standing) {
        context.notReady("the connection to signal-cli has ended");
      }
    }
  }

  @Override
  public Probe probe() {
    Probe unsolved = solve();
    if (unsolved != null) {
      return unsolved;
    }
    return switch (daemon.askOnce("listAccounts", Map.of())) {
      case Reply.Said(JsonNode accounts) -> among(accounts);
      case Reply.Refused(int code, _, _) when code == NO_SUCH_METHOD ->
          new Probe.Healthy(number); // it was started for one account, and would not run without
      case Reply reply -> Probe.of(verdict.read(reply), number);
    };
  }

  private Probe among(JsonNode accounts) {
    List<String> numbers =
        accounts.valueStream().map(it -> it.path("number").asString("")).toList();
    if (numbers.contains(number)) {
      return new Probe.Healthy(number);
    }
    return new Probe.Broken(
        "signal-cli does not have %s, but %s; register or link it, or correct number"
            .formatted(
                number,
                numbers.isEmpty()
                    ? "no account at all"
                    : numbers.stream().collect(Collectors.joining(", "))));
  }

  /**
   * Brings Signal the solution of what it asked, if there is one; null if nothing is open. Nobody
   * can be asked whether it is: a send tells, once a person has resumed the account.
   */
  private @Nullable Probe solve() {
    String token = context.memory().read(null, CHALLENGE).orElse(null);
    if (token == null) {
      return null;
    }
    challenged = true;
    if (captcha.isEmpty()) {
      return new Probe.Broken(verdict.captcha(token));
    }
    Map<String, String> solution =
        Map.of("account", number, "challenge", token, "captcha", captcha);
    return switch (daemon.askOnce("submitRateLimitChallenge", solution)) {
      case Reply.Said _ -> {
        context.memory().remove(null, CHALLENGE);
        challenged = false;
        yield null;
      }
      case Reply.Refused(_, String message, _) ->
          new Probe.Broken(
              "Signal does not take the captcha (%s). %s"
                  .formatted(message, verdict.captcha(token)));
      case Reply.Failed(Outcome outcome) -> Probe.of(outcome, number);
    };
  }

  @Override
  public void close() {
    daemon.close();
  }
}
