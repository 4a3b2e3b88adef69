package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Base of the suites about reminders; what they need no other account for is {@code bot}'s. */
abstract class ReminderBehaviour extends StoreBehaviour {
  /** After the last place of a run's targets. */
  static final int ALL = Integer.MAX_VALUE;

  static final LocalDate DAY = LocalDate.of(2026, 3, 1);

  ReminderBehaviour(StoreContract contract) {
    super(contract);
  }

  ReminderStore reminders() {
    return store.reminders();
  }

  static UUID nextId() {
    return MessageDraft.nextId().value();
  }

  static List<MessageId> messages(int count) {
    return Stream.generate(MessageDraft::nextId).limit(count).toList();
  }

  // ---- reminders

  /** A reminder to be stored, made at that second. */
  static StoredReminder draft(String account, @Nullable Instant nextFire, long second) {
    return new StoredReminder(
        nextId(),
        "a reminder",
        account,
        nextFire,
        "{\"text\": \"hello\"}",
        0,
        1,
        at(second),
        at(second));
  }

  static ReminderTarget target(String chat) {
    return target("bot", chat);
  }

  static ReminderTarget target(String account, String chat) {
    return new ReminderTarget(account, chat, "the " + chat, Map.of("name", chat));
  }

  /** As many chats, of bot. */
  static List<ReminderTarget> targets(int count) {
    return IntStream.range(0, count).mapToObj(n -> target("chat-" + n)).toList();
  }

  StoredReminder save(StoredReminder draft, List<ReminderTarget> targets) {
    assertThat(done(reminders().save(draft, targets, null))).isTrue();
    return read(draft.id());
  }

  /** A reminder of bot's that is fired by hand. */
  StoredReminder saved(ReminderTarget... targets) {
    return save(draft("bot", null, 0), List.of(targets));
  }

  StoredReminder saved(int targets) {
    return save(draft("bot", null, 0), targets(targets));
  }

  StoredReminder read(UUID id) {
    return reminders()
        .reminder(id)
        .orElseThrow(() -> new AssertionError("there is no reminder " + id));
  }

  // ---- firing

  /** A firing by hand. */
  static Firing byHand(StoredReminder reminder, Instant now) {
    return new Firing(nextId(), reminder, now, null, false, null, false, now);
  }

  static Firing scheduled(StoredReminder reminder, Instant instant, @Nullable Instant next) {
    return new Firing(nextId(), reminder, instant, next, true, null, false, instant);
  }

  StoredRun fire(Firing firing) {
    return done(reminders().fire(firing))
        .orElseThrow(() -> new AssertionError("did not fire: " + firing));
  }

  StoredRun fire(StoredReminder reminder, long second) {
    return fire(byHand(reminder, at(second)));
  }

  // ---- runs

  StoredRun run(UUID id) {
    return reminders().run(id).orElseThrow(() -> new AssertionError("there is no run " + id));
  }

  /** The run as it is read, and with this status. */
  static StoredRun with(StoredRun run, RunStatus status, @Nullable Instant endedAt) {
    return new StoredRun(
        run.id(),
        run.reminder(),
        run.name(),
        run.instant(),
        run.account(),
        status,
        run.reason(),
        run.until(),
        run.document(),
        run.total(),
        run.summary(),
        run.createdAt(),
        run.startedAt(),
        endedAt,
        run.resumedAt(),
        run.version());
  }

  /** Changes the run's status, whatever its version. */
  StoredRun become(StoredRun run, RunStatus status) {
    Instant endedAt = status.ended() ? at(50) : null;
    assertThat(done(reminders().update(with(run(run.id()), status, endedAt)))).isTrue();
    return run(run.id());
  }

  /** A run that runs. */
  StoredRun running(StoredReminder reminder, long second) {
    return become(fire(reminder, second), RunStatus.RUNNING);
  }

  StoredRun running(int targets) {
    return running(saved(targets), 1);
  }

  // ---- targets

  List<RunTarget> all(StoredRun run) {
    return reminders().targets(run.id(), RunTargetFilter.ALL, null, 1_000_000).items();
  }

  RunTarget target(StoredRun run, int n) {
    return all(run).get(n);
  }

  List<TargetStatus> statuses(StoredRun run) {
    return all(run).stream().map(RunTarget::status).toList();
  }

  Begun begin(RunTarget target) {
    return begin(target, 1, null);
  }

  Begun begin(RunTarget target, int sends, @Nullable Integer ceiling) {
    return done(reminders().begin(target, sends, DAY, ceiling, at(10)));
  }

  /** The target as it was begun. */
  RunTarget begun(StoredRun run, int n) {
    assertThat(begin(target(run, n))).isEqualTo(Begun.YES);
    return target(run, n);
  }

  boolean settle(RunTarget begun, TargetStatus status) {
    String error = status == TargetStatus.SENT ? null : "because";
    return done(reminders().settle(begun, status, begun.step(), begun.messages(), error, at(20)));
  }

  /** Lets the target end so. */
  void end(StoredRun run, int n, TargetStatus status) {
    assertThat(settle(begun(run, n), status)).isTrue();
  }

  int sent() {
    return reminders().sentOn("bot", DAY);
  }
}
