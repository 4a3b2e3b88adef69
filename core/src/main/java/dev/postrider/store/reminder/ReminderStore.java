package dev.postrider.store.reminder;

import dev.postrider.message.MessageId;
import dev.postrider.store.Store;
import dev.postrider.store.message.Page;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps reminders, their runs, and the targets of each run. Writes and reads are as {@link
 * Store}'s; every write says what it expects to find. What a run has achieved is what its targets
 * say; nothing counts beside them.
 *
 * <p>Thread-safe.
 */
public interface ReminderStore {

  // ---- reminders

  /**
   * Stores a reminder with all of its targets.
   *
   * @param expected the version it replaces; null if it is new
   * @return false if there is another version, or the id is taken; then nothing was changed
   */
  CompletableFuture<Boolean> save(
      StoredReminder reminder, List<ReminderTarget> targets, @Nullable Long expected);

  /** Forgets a reminder; its runs stay. */
  CompletableFuture<Boolean> delete(UUID id);

  Optional<StoredReminder> reminder(UUID id);

  /** Lists reminders, the newest first. */
  Page<StoredReminder> reminders(@Nullable String account, @Nullable String cursor, int limit);

  /** The targets of a reminder in their order, from place {@code from}. */
  List<ReminderTarget> targets(UUID reminder, int from, int limit);

  /** Of these chats, the ones the account has heard of: they wrote, or a run has reached them. */
  Set<String> known(String account, Collection<String> chats);

  // ---- firing

  /** Reminders of these accounts whose time has come, the earliest first. */
  List<StoredReminder> due(Set<String> accounts, Instant now, int limit);

  /** When the next reminder of these accounts fires. */
  CompletableFuture<Optional<Instant>> nextFire(Set<String> accounts);

  /**
   * Makes a run, and a pending target for each of the reminder's, in one write. Nothing if the
   * reminder is gone, has another version, or has a run for this instant, or if it is to be alone
   * and is not.
   */
  CompletableFuture<Optional<StoredRun>> fire(Firing firing);

  /**
   * A firing.
   *
   * @param reminder as it was read
   * @param instant for which it fires
   * @param nextFire when it fires after that; null if it does not
   * @param scheduled whether it fires because of its schedule: then {@code nextFire} takes effect
   * @param missed why it does not really fire: then the run has ended as failed, with this summary
   *     and without targets; null if it does
   * @param alone whether it does not fire while a run of the reminder has not ended
   */
  record Firing(
      UUID run,
      StoredReminder reminder,
      Instant instant,
      @Nullable Instant nextFire,
      boolean scheduled,
      @Nullable String missed,
      boolean alone,
      Instant now) {}

  // ---- runs

  Optional<StoredRun> run(UUID id);

  /** Lists runs, the newest first. */
  Page<StoredRun> runs(RunFilter filter, @Nullable String cursor, int limit);

  /** Runs that have not ended and have targets of these accounts, the oldest first. */
  List<StoredRun> active(Set<String> accounts);

  /** A run of the reminder that has not ended, if there is one. */
  Optional<StoredRun> going(UUID reminder);

  /** The accounts that targets of a run were given to. */
  Set<String> accounts(UUID run);

  /** Stores how a run stands now, if nobody has changed it since it was read. */
  CompletableFuture<Boolean> update(StoredRun run);

  // ---- targets

  /** How many targets of a run stand where. */
  Map<TargetStatus, Integer> counts(UUID run);

  /** Why targets of a run failed, were skipped or cancelled; the most frequent reasons first. */
  List<ReasonCount> reasons(UUID run, int limit);

  /**
   * How many targets of each of its accounts are pending or being sent to, from one place to before
   * another.
   */
  Map<String, Integer> left(UUID run, int from, int to);

  /** Pending targets of a run that the account sends to, of these places, in their order. */
  List<RunTarget> pending(UUID run, String account, int from, int to, int limit);

  /** Targets that the account is sending to, of all runs. */
  List<RunTarget> sending(String account);

  /** Targets of a run in their order. */
  Page<RunTarget> targets(UUID run, RunTargetFilter filter, @Nullable String cursor, int limit);

  /**
   * Begins with a pending target: it is being sent to, and has one more try. Counts its messages
   * for the day.
   *
   * @param target as it was read
   * @param sends how many messages it will get at most
   * @param ceiling most messages the account's runs may send on this day; null for any number
   */
  CompletableFuture<Begun> begin(
      RunTarget target, int sends, LocalDate day, @Nullable Integer ceiling, Instant now);

  /** The result of beginning. */
  enum Begun {
    YES,
    /** The day has no room for it. */
    FULL,
    /** It is not pending any more, or its run does not run. */
    STALE
  }

  /** It has got a message; the next one follows. False if it is another try's. */
  CompletableFuture<Boolean> advance(RunTarget target, int step, List<MessageId> messages);

  /**
   * Ends a target that is being sent to, or makes it pending again.
   *
   * @param target as it was begun
   * @return false if it is another try's
   */
  CompletableFuture<Boolean> settle(
      RunTarget target,
      TargetStatus status,
      int step,
      List<MessageId> messages,
      @Nullable String error,
      Instant now);

  /** Ends pending targets of a run, of these places, at most {@code limit}; gives how many. */
  CompletableFuture<Integer> endPending(
      UUID run, int from, int to, TargetStatus status, String error, Instant now, int limit);

  /**
   * Gives pending targets of a run to another account, at most {@code limit}; gives how many. Each
   * has one more try: whoever has read it before cannot begin with it.
   */
  CompletableFuture<Integer> reassign(UUID run, String from, String to, int limit);

  /**
   * Makes targets pending again that ended so, at most {@code limit}; gives how many. What they
   * have got they do not get again.
   */
  CompletableFuture<Integer> revive(UUID run, Set<TargetStatus> ended, int limit);

  // ---- what platforms say later

  /**
   * Messages of runs on which more was told since they were last taken in, those of these accounts,
   * in the order of their rows from after that one on. They are noted in the write that stores what
   * was told.
   *
   * @param after null for the first ones
   */
  List<RunReport> reported(Set<String> accounts, @Nullable Long after, int limit);

  /**
   * Changes where a target stands that is not being sent to, if that is as it was read and of the
   * same try. When it ended stays as it is.
   */
  CompletableFuture<Boolean> follow(
      RunTarget target, TargetStatus status, int step, @Nullable String error);

  /** These were taken in; more that was told meanwhile stays. */
  CompletableFuture<Void> followed(List<RunReport> reports);

  /** How many messages the account's runs have sent, or begun to send, on that day. */
  int sentOn(String account, LocalDate day);

  // ---- retention

  /** Forgets runs that ended before the instant, and days, at most {@code limit} targets. */
  CompletableFuture<Integer> prune(Instant before, int limit);
}
