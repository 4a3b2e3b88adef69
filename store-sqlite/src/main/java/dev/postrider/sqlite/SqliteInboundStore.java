package dev.postrider.sqlite;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.SqlInboundStore;
import dev.postrider.jdbc.SqlStore;
import dev.postrider.jdbc.inbound.RawInbound;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.StoreFailures;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.inbound.InboundWriter;
import dev.postrider.sqlite.inbound.SessionWriter;
import dev.postrider.sqlite.message.LaneAssigner;
import dev.postrider.sqlite.message.MessageEndEffects;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.sql.TurnSql;
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

/** The inbound store on one SQLite file. Thread-safe. */
final class SqliteInboundStore extends SqlInboundStore {
  private final StoreAccess access;
  private final JdbcSession session;
  private final LeaseWriter leaseWriter;
  private final MessageEndEffects endEffects;
  private final SessionWriter sessions;
  private final InboundWriter inbox;

  SqliteInboundStore(
      SqlStore<SqliteReader> store,
      StoreAccess access,
      JdbcSession session,
      LeaseWriter leaseWriter,
      MessageEndEffects endEffects,
      SessionWriter sessions,
      InboundWriter inbox) {
    super(store);
    this.access = access;
    this.session = session;
    this.leaseWriter = leaseWriter;
    this.endEffects = endEffects;
    this.sessions = sessions;
    this.inbox = inbox;
  }

  // ---- handing out

  @Override
  public CompletableFuture<List<StoredInbound>> lease(LeaseRequest request) {
    return StoreFailures.decoded(
        "lease",
        access.write(() -> leaseWriter.lease(request)),
        events -> events.stream().map(RawInbound::decode).toList());
  }

  @Override
  public CompletableFuture<Optional<StoredInbound>> take(
      StoredInbound upTo, UUID lease, Instant now, Instant until) {
    return StoreFailures.decoded(
        "take",
        access.write(() -> Optional.ofNullable(leaseWriter.take(upTo, lease, now, until))),
        event -> event.map(RawInbound::decode));
  }

  @Override
  public CompletableFuture<Boolean> extend(UUID lease, Instant until) {
    return access.write(() -> leaseWriter.extend(lease, until));
  }

  @Override
  public CompletableFuture<CompletionResult> complete(Completion completion) {
    return StoreFailures.prepared(
        "give back",
        () -> {
          List<LaneAssigner.Encoded> answers =
              completion.answers().stream().map(leaseWriter::encoded).toList();
          return access.write(() -> leaseWriter.complete(completion, answers));
        });
  }

  @Override
  public CompletableFuture<Integer> disown(@Nullable String holder, Instant now) {
    return access.write(() -> leaseWriter.disown(holder, now));
  }

  @Override
  public CompletableFuture<Optional<StoredInbound>> replay(
      InboundId dead, InboundId as, Instant now) {
    return StoreFailures.decoded(
        "replay",
        access.write(() -> Optional.ofNullable(leaseWriter.replay(dead, as, now))),
        event -> event.map(RawInbound::decode));
  }

  @Override
  public CompletableFuture<Boolean> discard(InboundId id, Instant now) {
    return access.write(() -> leaseWriter.discard(id));
  }

  // ---- files that are kept

  @Override
  public CompletableFuture<List<InboundFile>> claimFiles(
      Instant now, Instant latest, Instant until, int limit) {
    return access.write(() -> inbox.claimFiles(now, latest, until, limit));
  }

  @Override
  public CompletableFuture<Boolean> fileDone(InboundFile file, @Nullable Instant nextAt) {
    return access.write(() -> inbox.fileDone(file, nextAt));
  }

  // ---- what follows

  @Override
  public CompletableFuture<EndEffects> follow(MessageId id, Instant now) {
    return access.write(() -> endEffects.follow(id, now));
  }

  @Override
  public CompletableFuture<Boolean> pauseSession(String id, String reason, Instant now) {
    return access.write(() -> sessions.pause(id, reason, now));
  }

  @Override
  public CompletableFuture<Boolean> resumeSession(String id) {
    return access.write(() -> sessions.resume(id));
  }

  // ---- how the queues went

  @Override
  public CompletableFuture<Void> save(String node, QueueMinute minute, boolean depths) {
    QueueMinute.Flow in = minute.inbound();
    QueueMinute.Flow out = minute.outbound();
    return access.write(
        () -> {
          session.update(
              TurnSql.SAVE_MINUTE,
              Values.micros(minute.at()),
              node,
              depths ? in.waiting() : null,
              depths ? in.underWay() : null,
              depths ? in.deadLetters() : null,
              in.taken(),
              in.done(),
              in.errors(),
              in.lost(),
              depths ? out.waiting() : null,
              depths ? out.underWay() : null,
              depths ? out.deadLetters() : null,
              out.taken(),
              out.done(),
              out.errors(),
              out.lost());
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> pruneMinutes(Instant before, int limit) {
    return access.write(() -> session.update(TurnSql.DELETE_MINUTES, Values.micros(before), limit));
  }

  // ---- what operators did

  @Override
  public CompletableFuture<Void> record(AuditEntry entry) {
    return access.write(
        () -> {
          session.update(
              TurnSql.RECORD_AUDIT,
              Values.micros(entry.at()),
              Rows.bytes(entry.id()),
              entry.operator(),
              entry.action(),
              entry.target(),
              entry.outcome());
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> pruneAudit(Instant before, int limit) {
    return access.write(() -> session.update(TurnSql.DELETE_AUDIT, Values.micros(before), limit));
  }
}
