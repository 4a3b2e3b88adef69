package dev.postrider.postgres;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.Failures;
import dev.postrider.jdbc.RawEvent;
import dev.postrider.jdbc.SqlDesk;
import dev.postrider.jdbc.Values;
import dev.postrider.message.MessageId;
import dev.postrider.store.AuditEntry;
import dev.postrider.store.Followed;
import dev.postrider.store.HandBack;
import dev.postrider.store.HandOut;
import dev.postrider.store.HandedBack;
import dev.postrider.store.Minute;
import dev.postrider.store.StoredInbound;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The desk on a PostgreSQL database. Thread-safe. */
final class PostgresDesk extends SqlDesk {
  private final PostgresStore store;
  private final DeskWriter writer;

  PostgresDesk(PostgresStore store, DeskWriter writer) {
    super(store);
    this.store = store;
    this.writer = writer;
  }

  // ---- handing out

  @Override
  public CompletableFuture<List<StoredInbound>> lease(HandOut wish) {
    return store
        .write(new DeskOp.Take(wish))
        .thenApply(events -> events.stream().map(RawEvent::decode).toList());
  }

  @Override
  public CompletableFuture<Boolean> extend(UUID lease, Instant until) {
    return store.write(new DeskOp.Extend(lease, until));
  }

  @Override
  public CompletableFuture<HandedBack> giveBack(HandBack back) {
    return Failures.prepared(
        "give back", () -> store.write(new DeskOp.GiveBack(back, store.cipher())));
  }

  @Override
  public CompletableFuture<Integer> disown(@Nullable String holder, Instant now) {
    return store.alone((session, _, _) -> writer.disown(session, holder, now));
  }

  @Override
  public CompletableFuture<Optional<StoredInbound>> replay(
      InboundId dead, InboundId as, Instant now) {
    return store
        .alone(
            (session, batches, effects) ->
                Optional.ofNullable(writer.replay(session, batches, effects, dead, as, now)))
        .thenApply(event -> event.map(RawEvent::decode));
  }

  @Override
  public CompletableFuture<Boolean> discard(InboundId id, Instant now) {
    return store.alone((session, _, effects) -> writer.discard(session, effects, id));
  }

  // ---- what follows

  /** Reads the message beside the writer: what has ended does not change any more. */
  @Override
  public CompletableFuture<Followed> follow(MessageId id, Instant now) {
    return store
        .raw(id)
        .thenCompose(
            message ->
                message
                    .filter(found -> Values.status(found.status()).ended())
                    .map(ended -> store.write(new DeskOp.Follow(ended, now)))
                    .orElseGet(() -> CompletableFuture.completedFuture(Followed.NOTHING)));
  }

  // ---- sessions

  @Override
  public CompletableFuture<Boolean> pauseSession(String id, String reason, Instant now) {
    return store.alone((session, _, _) -> writer.pause(session, id, reason, now));
  }

  @Override
  public CompletableFuture<Boolean> resumeSession(String id) {
    return store.alone((session, _, effects) -> writer.resume(session, effects, id));
  }

  // ---- how the queues went

  @Override
  public CompletableFuture<Void> save(String node, Minute minute, boolean depths) {
    return store.alone(
        (session, _, _) -> {
          writer.save(session, node, minute, depths);
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> pruneMinutes(Instant before, int limit) {
    return store.change(SessionSql.DELETE_MINUTES, Values.micros(before), limit);
  }

  @Override
  public CompletableFuture<Void> record(AuditEntry entry) {
    return store.alone(
        (session, _, _) -> {
          session.update(
              SessionSql.RECORD_AUDIT,
              Values.micros(entry.at()),
              entry.id(),
              entry.operator(),
              entry.action(),
              entry.target(),
              entry.outcome());
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> pruneAudit(Instant before, int limit) {
    return store.change(SessionSql.DELETE_AUDIT, Values.micros(before), limit);
  }
}
