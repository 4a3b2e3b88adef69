package dev.postrider.channels.sandbox;

import dev.postrider.channel.AccountContext;
import dev.postrider.inbound.DeliveryReport;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the sandbox knows of one account, beyond the life of a link. Thread-safe. */
final class SandboxAccount {
  private static final int TRICKS_KEPT = 10_000;

  final SandboxInbox inbox;
  final SandboxPairing pairing;
  private final Map<String, Boolean> spentTricks = new SandboxInbox.Recent<>(TRICKS_KEPT);
  private volatile @Nullable AccountContext context;
  private volatile @Nullable String offline;
  private volatile boolean broken;
  private volatile Consumer<DeliveryReport> reports = _ -> {};
  private final AtomicInteger files = new AtomicInteger();

  SandboxAccount(String id) {
    inbox = new SandboxInbox(id);
    pairing = new SandboxPairing(id);
  }

  /** Somebody wants to know what becomes of what was taken. */
  void callBack(Consumer<DeliveryReport> to) {
    reports = to;
  }

  void report(DeliveryReport report) {
    reports.accept(report);
  }

  // The context is told without a lock held: it belongs to the engine, which has locks of its own.

  void open(AccountContext opened) {
    context = opened;
    String reason = offline;
    if (reason != null) {
      opened.notReady(reason);
    }
  }

  void offline(String reason) {
    offline = reason;
    AccountContext opened = context;
    if (opened != null) {
      opened.notReady(reason);
    }
  }

  void online() {
    offline = null;
    AccountContext opened = context;
    if (opened != null) {
      opened.ready();
    }
  }

  /** Why nothing can be sent, or null. */
  @Nullable String offline() {
    return offline;
  }

  boolean isBroken() {
    return broken;
  }

  void broken(boolean now) {
    broken = now;
  }

  /** A name for bytes that were brought here; the sandbox reads them and lets them go. */
  String newFile() {
    return "sandbox-file-" + files.incrementAndGet();
  }

  /** Whether this is the first time the trick is played on this key. */
  boolean first(FaultKeyword trick, String key) {
    synchronized (spentTricks) {
      return spentTricks.put(trick + key, true) == null;
    }
  }
}
