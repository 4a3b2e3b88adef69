package dev.postrider.jdbc;

import dev.postrider.inbound.InboundId;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The reading half of an inbound store on a database. */
public abstract class SqlInboundStore implements InboundStore {
  private final SqlStore<?> store;

  protected SqlInboundStore(SqlStore<?> store) {
    this.store = store;
  }

  private <T> T ask(SqlStore.Query<InboundReader, T> query) {
    return store.ask(reader -> query.run(new InboundReader(reader)));
  }

  private <T> CompletableFuture<T> read(SqlStore.Query<InboundReader, T> query) {
    return store.read(reader -> query.run(new InboundReader(reader)));
  }

  @Override
  public final Optional<StoredInbound> leased(UUID lease) {
    return ask(reader -> reader.leased(lease));
  }

  @Override
  public final List<StoredInbound> expiredLeases(Instant now, int limit) {
    return ask(reader -> reader.lapsed(now, limit));
  }

  @Override
  public final CompletableFuture<Optional<Instant>> nextLeaseExpiry() {
    return read(InboundReader::nextLapse);
  }

  @Override
  public final CompletableFuture<Optional<Instant>> nextDue(Set<String> accounts, Instant now) {
    return read(reader -> reader.nextDue(accounts, now));
  }

  @Override
  public final Map<InboundId, List<InboundFile>> files(Collection<InboundId> ids) {
    return ask(reader -> reader.files(ids));
  }

  @Override
  public final List<InboundNote> notes(InboundId id) {
    return ask(reader -> reader.notes(id));
  }

  @Override
  public final Unfollowed unfollowed(@Nullable Long afterRow, int limit) {
    return ask(reader -> reader.unfollowed(afterRow, limit));
  }

  @Override
  public final Optional<SessionView> session(String id) {
    return ask(reader -> reader.session(id));
  }

  @Override
  public final Page<SessionView> sessions(
      @Nullable String account, @Nullable String cursor, int limit) {
    return ask(reader -> reader.sessions(account, cursor, limit));
  }

  @Override
  public final Page<SessionEntry> history(String session, @Nullable String cursor, int limit) {
    return ask(reader -> reader.history(session, cursor, limit));
  }

  @Override
  public final List<QueueMinute> minutes(Instant since, int limit) {
    return ask(reader -> reader.minutes(since, limit));
  }

  @Override
  public final Page<AuditEntry> audit(@Nullable String cursor, int limit) {
    return ask(reader -> reader.audit(cursor, limit));
  }
}
