package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.message.MessageId;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.store.Store;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.RunReport;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.time.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets targets and their runs follow what platforms say later of their messages.
 *
 * <p>The store notes each message of a run on which more was told, in the same write; the note goes
 * when the target and its run say so too. What happens to be done twice changes nothing the second
 * time: a target's place is always worked out anew, from all that is known of its messages. Belongs
 * to the run scheduler's task.
 */
final class ReceiptFollower {
  private static final int PAGE = 250;

  private final Scheduler time;
  private final Store store;
  private final ReminderStore reminders;
  private final RunEnds ends;
  private final Consumer<RunTarget> failed;
  private @Nullable Long after;

  /**
   * @param failed is told of targets that were taken to be reached
   */
  ReceiptFollower(Postrider postrider, RunEnds ends, Consumer<RunTarget> failed) {
    this.time = postrider.time();
    this.store = postrider.store(StoreAccess.OWN);
    this.reminders = store.reminders();
    this.ends = ends;
    this.failed = failed;
  }

  /** Takes in a few; whether there may be more. */
  boolean follow(Set<String> accounts) {
    List<RunReport> page = reminders.reported(accounts, after, PAGE);
    List<RunReport> done = new ArrayList<>(page.size());
    Set<UUID> changed = new LinkedHashSet<>();
    for (RunReport report : page) {
      if (follow(report, changed)) {
        done.add(report);
      }
    }
    changed.forEach(ends::countAgain);
    if (!done.isEmpty()) {
      time.await(reminders.followed(done));
    }
    // What is left is of targets that are being sent to: the next look begins with the first again.
    after = page.size() < PAGE ? null : page.getLast().row();
    return after != null;
  }

  /** False if it is to be looked at again: its target is being sent to. */
  private boolean follow(RunReport report, Set<UUID> changed) {
    RunTarget target = store.find(report.message()).flatMap(this::target).orElse(null);
    if (target == null) {
      return true;
    }
    if (target.status() == TargetStatus.SENDING) {
      return false;
    }
    if (!target.messages().contains(origin(report.message()))) {
      return true; // it only claims to be one of the run's
    }
    return switch (target.status()) {
      case SENDING -> false;
      case SKIPPED, CANCELLED -> true;
      case PENDING, FAILED, SENT, DELIVERED, READ -> {
        Word word = word(target);
        if (word.failedStep != null || target.status() == TargetStatus.FAILED) {
          changed.add(target.run()); // also if a look that was interrupted has set it
        }
        yield set(target, word);
      }
    };
  }

  /** False if somebody else has changed the target meanwhile. */
  private boolean set(RunTarget target, Word word) {
    int step = word.failedStep == null ? target.step() : Math.min(word.failedStep, target.step());
    boolean pending = target.status() == TargetStatus.PENDING;
    if (target.status() == TargetStatus.FAILED && !(word.status.reached() && word.all)) {
      return true; // it failed before, and still does
    }
    TargetStatus status = pending ? TargetStatus.PENDING : word.status;
    if (status == target.status() && step == target.step()) {
      return true;
    }
    String error = pending ? target.error() : word.error;
    boolean followed = time.await(reminders.follow(target, status, step, error));
    if (followed && status == TargetStatus.FAILED) {
      failed.accept(target);
    }
    return followed;
  }

  private Optional<RunTarget> target(StoredMessage message) {
    if (message.message().runId() == null
        || !(message.message().metadata().get("target") instanceof Number n)) {
      return Optional.empty();
    }
    try {
      UUID run = UUID.fromString(message.message().runId());
      String from = String.valueOf(n.intValue());
      return reminders.targets(run, RunTargetFilter.ALL, from, 1).items().stream()
          .filter(target -> target.n() == n.intValue())
          .findFirst();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not the name of a run
    }
  }

  /**
   * Where a target stands by what is known of its messages.
   *
   * @param failedStep the first of its messages that failed; null if none did
   * @param all whether each of the run's messages was sent to it
   */
  private record Word(
      TargetStatus status, @Nullable Integer failedStep, @Nullable String error, boolean all) {}

  private Word word(RunTarget target) {
    Map<Integer, StoredMessage> latest = new TreeMap<>(); // by step; a later try counts
    for (MessageId id : target.messages()) {
      store.find(id).ifPresent(message -> latest.put(TargetRun.step(message), lastReplay(message)));
    }
    TargetStatus least = TargetStatus.READ;
    for (Map.Entry<Integer, StoredMessage> step : latest.entrySet()) {
      StoredMessage message = step.getValue();
      if (message.status().deadLetter() || !message.status().ended()) { // or is sent again
        return new Word(TargetStatus.FAILED, step.getKey(), TargetRun.error(message), false);
      }
      TargetStatus reached = reached(store.receipts(message.id()));
      least = reached.compareTo(least) < 0 ? reached : least;
    }
    boolean further = target.status().reached() && target.status().compareTo(least) > 0;
    boolean all = target.status() == TargetStatus.FAILED && latest.size() == steps(target.run());
    return new Word(latest.isEmpty() || further ? target.status() : least, null, null, all);
  }

  /** What was sent instead of it in the end, if it was replayed. */
  private StoredMessage lastReplay(StoredMessage message) {
    StoredMessage last = message;
    while (last.replayedAs() != null) {
      StoredMessage next = store.find(last.replayedAs()).orElse(null);
      if (next == null) {
        return last;
      }
      last = next;
    }
    return last;
  }

  /** The message that it replays in the end, or it itself. */
  private MessageId origin(MessageId id) {
    MessageId first = id;
    for (MessageId before = replayed(first); before != null; before = replayed(first)) {
      first = before;
    }
    return first;
  }

  private @Nullable MessageId replayed(MessageId id) {
    return store.find(id).map(StoredMessage::replayOf).orElse(null);
  }

  private int steps(UUID run) {
    return reminders
        .run(run)
        .map(found -> ScriptJson.read(found.document()).messages().size())
        .orElse(Integer.MAX_VALUE);
  }

  private static TargetStatus reached(List<ReceiptState> receipts) {
    DeliveryReport.State state = ReceiptState.of(receipts);
    return switch (state) {
      case READ -> TargetStatus.READ;
      case DELIVERED -> TargetStatus.DELIVERED;
      case SENT, FAILED -> TargetStatus.SENT; // that it failed is only recorded
      case null -> TargetStatus.SENT;
    };
  }
}
