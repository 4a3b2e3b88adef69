package dev.postrider.channels.sandbox;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.Settings;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One account's way into the sandbox. Thread-safe. */
final class SandboxLink implements Link {
  private static final Duration SLOW = Duration.ofSeconds(2);
  private static final Duration THROTTLE = Duration.ofSeconds(3);

  /** Until the first report on what was taken, and between two. */
  private static final Duration REPORT = Duration.ofSeconds(1);

  /** How often a report is told at most. */
  private static final int TELLINGS = 600;

  private final SandboxAccount account;
  private final Scheduler scheduler;
  private final Duration latency;
  private final boolean deduplicates;
  private final boolean reconciles;
  private final SandboxLimits limits;
  private final RandomFaults faults;

  SandboxLink(SandboxAccount account, Settings settings, Scheduler scheduler) {
    this.account = account;
    this.scheduler = scheduler;
    latency = settings.duration("latency", Duration.ZERO);
    deduplicates = SandboxChannel.deduplicates(settings);
    reconciles = settings.flag("reconciles", false);
    limits = SandboxLimits.of(settings);
    faults = RandomFaults.of(settings);
  }

  @Override
  public Outcome send(Dispatch part) {
    Set<FaultKeyword> tricks = FaultKeyword.in(part.text());
    pause(tricks.contains(FaultKeyword.SLOW) ? latency.plus(SLOW) : latency);
    String offline = account.offline();
    if (offline != null) {
      return new Outcome.NotSent("offline: " + offline);
    }
    if (account.isBroken()) {
      return new Outcome.AccountBroken("refused until the next probe");
    }
    Outcome.Throttled throttled = limits.take(part.to(), scheduler.instant());
    if (throttled != null) {
      return throttled;
    }
    Outcome outcome = byChat(part.to());
    for (FaultKeyword trick : tricks) {
      outcome = outcome == null ? play(trick, part) : outcome;
    }
    outcome = outcome == null ? befall(faults.next(), part) : outcome;
    return outcome == null ? Outcome.delivered(deliver(part)) : outcome;
  }

  private static @Nullable Outcome byChat(String chat) {
    return switch (chat) {
      case "blocked" -> new Outcome.Rejected(Blame.TARGET, "this chat has blocked us");
      case "moved" -> new Outcome.Repairable(new Fix.NewChat("moved-here"), "the chat has moved");
      default -> null;
    };
  }

  private @Nullable Outcome play(FaultKeyword trick, Dispatch part) {
    if (trick.once && !account.first(trick, part.key())) {
      return null;
    }
    return switch (trick) {
      case SLOW -> null;
      case FAIL -> new Outcome.Rejected(Blame.MESSAGE, "refused because of #fail");
      case FLAKY -> new Outcome.NotSent("not sent once because of #flaky");
      case UNKNOWN -> lost(part, "no verdict because of #unknown");
      case THROTTLE -> new Outcome.Throttled(ThrottleScope.CHAT, THROTTLE, "because of #throttle");
      case BROKEN -> broken("refused because of #broken");
      case MARKUP ->
          part.isMarkup()
              ? new Outcome.Repairable(new Fix.PlainText(), "markup refused because of #markup")
              : null;
      case BOUNCE -> reported(part, State.SENT, State.FAILED);
      case READ -> reported(part, State.SENT, State.DELIVERED, State.READ);
    };
  }

  /** Takes the part, and tells later what became of it, as the platforms do that only queue. */
  private Outcome reported(Dispatch part, State... states) {
    String id = deliver(part);
    Duration after = Duration.ZERO;
    for (State state : states) {
      after = after.plus(REPORT);
      String why = state == State.FAILED ? "not delivered because of #bounce" : null;
      scheduler.after(
          after,
          () -> {
            DeliveryReport report = new DeliveryReport(id, state, scheduler.instant(), why);
            tell(report, TELLINGS);
          });
    }
    return Outcome.accepted(id);
  }

  /** Tells it again until somebody takes it, as platforms do; after a while it is given up. */
  private void tell(DeliveryReport report, int times) {
    scheduler.start(
        "sandbox-report",
        () -> {
          try {
            account.report(report);
          } catch (RuntimeException e) {
            if (times > 1) {
              scheduler.after(REPORT, () -> tell(report, times - 1));
            }
          }
        });
  }

  private @Nullable Outcome befall(RandomFaults.@Nullable Kind fault, Dispatch part) {
    return switch (fault) {
      case null -> null;
      case notSent -> new Outcome.NotSent("not sent, by chance");
      // It really is unknown: half of these arrive.
      case unknown ->
          faults.coin()
              ? lost(part, "no verdict, by chance")
              : new Outcome.Unknown("no verdict, by chance");
      case throttled -> new Outcome.Throttled(ThrottleScope.CHAT, THROTTLE, "throttled, by chance");
      case rejected -> new Outcome.Rejected(Blame.MESSAGE, "refused, by chance");
      case broken -> broken("account refused, by chance");
    };
  }

  private Outcome lost(Dispatch part, String cause) {
    deliver(part);
    return new Outcome.Unknown(cause);
  }

  private Outcome broken(String cause) {
    account.broken(true);
    return new Outcome.AccountBroken(cause);
  }

  private String deliver(Dispatch part) {
    return account.inbox.deliver(part, scheduler.instant(), deduplicates);
  }

  private void pause(Duration length) {
    if (!length.isPositive()) {
      return;
    }
    try {
      scheduler.pause(length);
    } catch (Scheduler.Interrupted e) {
      throw new NotSentException("interrupted before the sandbox took it");
    }
  }

  @Override
  public UploadResult upload(PartFile cargo) throws IOException {
    PartFile.Bytes bytes = Objects.requireNonNull(cargo.bytes());
    try (InputStream in = bytes.open()) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return new UploadResult.Done(FileHandle.of(account.newFile()));
  }

  @Override
  public Reconciliation reconcile(Dispatch part) {
    if (!reconciles) {
      return new Reconciliation.Inconclusive();
    }
    String id = account.inbox.find(part.key());
    return id == null
        ? new Reconciliation.Absent()
        : new Reconciliation.Found(new Receipt(id, false));
  }

  @Override
  public LoginState login(LoginRequest request) {
    return account.pairing.login(request);
  }

  @Override
  public Probe probe() {
    String offline = account.offline();
    if (offline != null) {
      return new Probe.Unreachable("offline: " + offline);
    }
    account.broken(false);
    return new Probe.Healthy("sandbox");
  }
}
