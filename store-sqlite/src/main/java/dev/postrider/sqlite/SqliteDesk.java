package dev.postrider.sqlite;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.Failures;
import dev.postrider.jdbc.RawEvent;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.SqlDesk;
import dev.postrider.jdbc.SqlStore;
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

/** The desk on one SQLite file. Thread-safe. */
final class SqliteDesk extends SqlDesk {
  private final Access access;
  private final Session session;
  private final Handing handing;
  private final Following following;
  private final Sessions sessions;

  SqliteDesk(
      SqlStore<Reader> store,
      Access access,
      Session session,
      Handing handing,
      Following following,
      Sessions sessions) {
    super(store);
    this.access = access;
    this.session = session;
    this.handing = handing;
    this.following = following;
    this.sessions = sessions;
  }

  // ---- handing out

  @Override
  public CompletableFuture<List<StoredInbound>> lease(HandOut wish) {
    return Failures.decoded(
        "lease",
        access.write(() -> handing.lease(wish)),
        events -> events.stream().map(RawEvent::decode).toList());
  }

  @Override
  public CompletableFuture<Boolean> extend(UUID lease, Instant until) {
    return access.write(() -> handing.extend(lease, until));
  }

  @Override
  public CompletableFuture<HandedBack> giveBack(HandBack back) {
    return Failures.prepared(
        "give back",
        () -> {
          List<Placer.Encoded> answers = back.answers().stream().map(handing::encoded).toList();
          return access.write(() -> handing.giveBack(back, answers));
        });
  }

  @Override
  public CompletableFuture<Integer> disown(@Nullable String holder, Instant now) {
    return access.write(() -> handing.disown(holder, now));
  }

  @Override
  public CompletableFuture<Optional<StoredInbound>> replay(
      InboundId dead, InboundId as, Instant now) {
    return Failures.decoded(
        "replay",
        access.write(() -> Optional.ofNullable(handing.replay(dead, as, now))),
        event -> event.map(RawEvent::decode));
  }

  @Override
  public CompletableFuture<Boolean> discard(InboundId id, Instant now) {
    return access.write(() -> handing.discard(id));
  }

  // ---- what follows

  @Override
  public CompletableFuture<Followed> follow(MessageId id, Instant now) {
    return access.write(() -> following.follow(id, now));
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
  public CompletableFuture<Void> save(String node, Minute minute, boolean depths) {
    Minute.Flow in = minute.inbound();
    Minute.Flow out = minute.outbound();
    return access.write(
        () -> {
          session.update(
              DeskSql.SAVE_MINUTE,
              Values.micros(minute.at()),
              node,
              depths ? in.waiting() : null,
              depths ? in.underWay() : null,
              depths ? in.deadLetters() : null,
              in.taken(),
              in.done(),
              in.errors(),
              depths ? out.waiting() : null,
              depths ? out.underWay() : null,
              depths ? out.deadLetters() : null,
              out.taken(),
              out.done(),
              out.errors());
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> pruneMinutes(Instant before, int limit) {
    return access.write(() -> session.update(DeskSql.DELETE_MINUTES, Values.micros(before), limit));
  }

  // ---- what operators did

  @Override
  public CompletableFuture<Void> record(AuditEntry entry) {
    return access.write(
        () -> {
          session.update(
              DeskSql.RECORD_AUDIT,
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
    return access.write(() -> session.update(DeskSql.DELETE_AUDIT, Values.micros(before), limit));
  }
}
