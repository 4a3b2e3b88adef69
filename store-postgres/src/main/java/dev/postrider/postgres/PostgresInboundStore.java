package dev.postrider.postgres;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.InboundReader;
import dev.postrider.jdbc.SqlInboundStore;
import dev.postrider.jdbc.inbound.RawInbound;
import dev.postrider.jdbc.session.StoreFailures;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.inbound.InboundWriter;
import dev.postrider.postgres.sql.InboundFileSql;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.postgres.write.InboundWriteOp;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.StoredInbound;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The inbound store on a PostgreSQL database. Thread-safe. */
final class PostgresInboundStore extends SqlInboundStore {
  private final PostgresStore store;
  private final InboundWriter writer;

  PostgresInboundStore(PostgresStore store, InboundWriter writer) {
    super(store);
    this.store = store;
    this.writer = writer;
  }

  // ---- handing out

  @Override
  public CompletableFuture<List<StoredInbound>> lease(LeaseRequest request) {
    return store
        .write(new InboundWriteOp.Take(request))
        .thenApply(events -> events.stream().map(RawInbound::decode).toList());
  }

  @Override
  public CompletableFuture<Optional<StoredInbound>> take(
      StoredInbound upTo, UUID lease, Instant now, Instant until) {
    return store
        .alone(
            (session, _, _) -> Optional.ofNullable(writer.take(session, upTo, lease, now, until)))
        .thenApply(event -> event.map(RawInbound::decode));
  }

  @Override
  public CompletableFuture<Boolean> extend(UUID lease, Instant until) {
    return store.write(new InboundWriteOp.Extend(lease, until));
  }

  @Override
  public CompletableFuture<CompletionResult> complete(Completion completion) {
    return StoreFailures.prepared(
        "give back", () -> store.write(new InboundWriteOp.GiveBack(completion, store.cipher())));
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
            (session, columns, sideEffects) ->
                Optional.ofNullable(writer.replay(session, columns, sideEffects, dead, as, now)))
        .thenApply(event -> event.map(RawInbound::decode));
  }

  @Override
  public CompletableFuture<Boolean> discard(InboundId id, Instant now) {
    return store.alone((session, _, sideEffects) -> writer.discard(session, sideEffects, id));
  }

  // ---- files that are kept

  @Override
  public CompletableFuture<List<InboundFile>> claimFiles(
      Instant now, Instant latest, Instant until, int limit) {
    return store.alone(
        (session, _, _) ->
            session.all(
                InboundFileSql.CLAIM_FILES,
                row -> InboundReader.file(row, new InboundId(row.getObject(6, UUID.class))),
                Values.micros(until),
                Values.micros(latest),
                Values.micros(now),
                limit));
  }

  @Override
  public CompletableFuture<Boolean> fileDone(InboundFile file, @Nullable Instant nextAt) {
    return store.alone(
        (session, _, _) ->
            session.update(
                    InboundFileSql.FILE_DONE,
                    InboundReader.state(file, nextAt),
                    nextAt == null ? 0L : Values.micros(nextAt),
                    file.hash(),
                    file.error(),
                    file.inbound().value(),
                    file.index(),
                    file.attempts())
                > 0);
  }

  // ---- what follows

  /** Reads the message beside the writer: what has ended does not change any more. */
  @Override
  public CompletableFuture<EndEffects> follow(MessageId id, Instant now) {
    return store
        .raw(id)
        .thenCompose(
            message ->
                message
                    .filter(found -> Values.status(found.status()).ended())
                    .map(ended -> store.write(new InboundWriteOp.Follow(ended, now)))
                    .orElseGet(() -> CompletableFuture.completedFuture(EndEffects.NOTHING)));
  }

  // ---- sessions

  @Override
  public CompletableFuture<Boolean> pauseSession(String id, String reason, Instant now) {
    return store.alone((session, columns, _) -> writer.pause(session, columns, id, reason, now));
  }

  @Override
  public CompletableFuture<Boolean> resumeSession(String id) {
    return store.alone(
        (session, columns, sideEffects) -> writer.resume(session, columns, sideEffects, id));
  }

  // ---- how the queues went

  @Override
  public CompletableFuture<Void> save(String node, QueueMinute minute, boolean depths) {
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
