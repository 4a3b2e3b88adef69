package dev.postrider.jdbc;

import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReasonCount;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunReport;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reading half of reminders in a database. */
public abstract class SqlReminderStore implements ReminderStore {
  private final SqlStore<?> store;

  protected SqlReminderStore(SqlStore<?> store) {
    this.store = store;
  }

  private <T> T ask(SqlStore.Query<ReminderReader, T> query) {
    return store.ask(reader -> query.run(new ReminderReader(reader)));
  }

  @Override
  public final Optional<StoredReminder> reminder(UUID id) {
    return ask(reader -> reader.reminder(id));
  }

  @Override
  public final Page<StoredReminder> reminders(
      @Nullable String account, @Nullable String cursor, int limit) {
    return ask(reader -> reader.reminders(account, cursor, limit));
  }

  @Override
  public final List<ReminderTarget> targets(UUID reminder, int from, int limit) {
    return ask(reader -> reader.targets(reminder, from, limit));
  }

  @Override
  public final List<StoredReminder> due(Set<String> accounts, Instant now, int limit) {
    return ask(reader -> reader.due(accounts, now, limit));
  }

  @Override
  public final CompletableFuture<Optional<Instant>> nextFire(Set<String> accounts) {
    return store.read(reader -> new ReminderReader(reader).nextFire(accounts));
  }

  @Override
  public final Optional<StoredRun> run(UUID id) {
    return ask(reader -> reader.run(id));
  }

  @Override
  public final Page<StoredRun> runs(RunFilter filter, @Nullable String cursor, int limit) {
    return ask(reader -> reader.runs(filter, cursor, limit));
  }

  @Override
  public final List<StoredRun> active(Set<String> accounts) {
    return ask(reader -> reader.active(accounts));
  }

  @Override
  public final Map<TargetStatus, Integer> counts(UUID run) {
    return ask(reader -> reader.counts(run));
  }

  @Override
  public final Optional<StoredRun> going(UUID reminder) {
    return ask(reader -> reader.going(reminder));
  }

  @Override
  public final Set<String> accounts(UUID run) {
    return ask(reader -> reader.accounts(run));
  }

  @Override
  public final List<ReasonCount> reasons(UUID run, int limit) {
    return ask(reader -> reader.reasons(run, limit));
  }

  @Override
  public final Map<String, Integer> left(UUID run, int from, int to) {
    return ask(reader -> reader.left(run, from, to));
  }

  @Override
  public final List<RunTarget> pending(UUID run, String account, int from, int to, int limit) {
    return ask(reader -> reader.pending(run, account, from, to, limit));
  }

  @Override
  public final List<RunTarget> sending(String account) {
    return ask(reader -> reader.sending(account));
  }

  @Override
  public final Page<RunTarget> targets(
      UUID run, RunTargetFilter filter, @Nullable String cursor, int limit) {
    return ask(reader -> reader.targets(run, filter, cursor, limit));
  }

  @Override
  public final List<RunReport> reported(Set<String> accounts, @Nullable Long after, int limit) {
    return ask(reader -> reader.reported(accounts, after, limit));
  }

  @Override
  public final int sentOn(String account, LocalDate day) {
    return ask(reader -> reader.sentOn(account, day));
  }

  // ---- what would make no sense

  /** What ends a target must be an end. */
  protected static void requireEnd(TargetStatus status) {
    if (!status.ended()) {
      throw new IllegalArgumentException("a target does not end as " + status.label());
    }
  }

  /** What is being sent to is its sender's. */
  protected static void requireFollowed(RunTarget target, TargetStatus status) {
    if (target.status() == TargetStatus.SENDING || status == TargetStatus.SENDING) {
      throw new IllegalArgumentException("a target that is being sent to follows nothing");
    }
  }

  /** What is being sent to is neither settled nor revived by being called so. */
  protected static void requireSettled(TargetStatus status) {
    if (status == TargetStatus.SENDING) {
      throw new IllegalArgumentException("a target is begun, not settled, as sending");
    }
  }
}
