package dev.postrider.store.reminder;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as the store keeps it.
 *
 * @param reminder whose firing it is; that may have been changed or deleted since
 * @param instant for which it was fired; no reminder has two runs for one
 * @param account of the reminder
 * @param reason why it waits or is paused
 * @param until when that is over, if anybody knows
 * @param document the reminder as it was when it fired, without its targets
 * @param summary how it ended, for people
 * @param startedAt when it first began to send
 * @param resumedAt when it was last taken up after its end
 * @param version grows with every change
 */
public record StoredRun(
    UUID id,
    UUID reminder,
    String name,
    Instant instant,
    String account,
    RunStatus status,
    @Nullable String reason,
    @Nullable Instant until,
    String document,
    int total,
    @Nullable String summary,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant resumedAt,
    long version) {

  /** The same, standing so. */
  public StoredRun with(
      RunStatus newStatus, @Nullable String newReason, @Nullable Instant newUntil) {
    return new StoredRun(
        id, reminder, name, instant, account, newStatus, newReason, newUntil, document, total,
        summary, createdAt, startedAt, endedAt, resumedAt, version);
  }

  /** The same, started then; nothing changes if it was started before. */
  public StoredRun started(Instant at) {
    return times(startedAt == null ? at : startedAt, endedAt, resumedAt, summary, version);
  }

  /** The same, ended so. */
  public StoredRun ended(RunStatus newStatus, String newSummary, Instant at) {
    return with(newStatus, null, null).times(startedAt, at, resumedAt, newSummary, version);
  }

  /** The same, taken up after its end. */
  public StoredRun resumed(Instant at) {
    return times(startedAt, null, at, null, version);
  }

  /** The same after it was stored. */
  public StoredRun next() {
    return times(startedAt, endedAt, resumedAt, summary, version + 1);
  }

  private StoredRun times(
      @Nullable Instant started,
      @Nullable Instant ended,
      @Nullable Instant resumed,
      @Nullable String newSummary,
      long newVersion) {
    return new StoredRun(
        id,
        reminder,
        name,
        instant,
        account,
        status,
        reason,
        until,
        document,
        total,
        newSummary,
        createdAt,
        started,
        ended,
        resumed,
        newVersion);
  }
}
