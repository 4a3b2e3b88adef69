package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base of the suites: a fresh store on real threads, whose account {@code bot} is leased to the
 * test. A store is told the time with every call, so the tests need no clock: they count seconds
 * from {@link MessageDraft#NOON}.
 */
abstract class StoreBehaviour {
  /** Later than anything a test does. */
  static final Instant FAR = MessageDraft.NOON.plusSeconds(1_000_000_000);

  private final StoreContract contract;

  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  Path folder;

  SystemScheduler time = new SystemScheduler();

  @SuppressWarnings("NullAway.Init") // opened before each test
  Store store;

  @SuppressWarnings("NullAway.Init") // taken before each test
  Lease lease;

  StoreBehaviour(StoreContract contract) {
    this.contract = contract;
  }

  @BeforeEach
  void openStore() {
    store = contract.open(folder, time);
    lease = lease("bot");
  }

  @AfterEach
  void closeStore() {
    store.close();
    time.close();
  }

  /** Closes the store and opens it again, for the same data; takes the lease of bot again. */
  void reopen() {
    reopenWithoutLease();
    lease = lease("bot");
  }

  /** The same for a store that may give no leases yet. */
  void reopenWithoutLease() {
    assumeTrue(contract.remembers(), "the store is not meant to remember");
    store.close();
    store = contract.open(folder, time);
  }

  boolean remembers() {
    return contract.remembers();
  }

  // ---- waiting

  /** The value of the future, or its exception as it is. */
  <T> T done(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  /** What the future failed with. */
  <T> Throwable failure(CompletableFuture<T> future) {
    try {
      T value = done(future);
      throw new AssertionError("did not fail but gave " + value);
    } catch (RuntimeException e) {
      return e;
    }
  }

  static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new AssertionError("there is none");
    }
    return value;
  }

  static Instant at(long second) {
    return MessageDraft.NOON.plusSeconds(second);
  }

  // ---- acting

  Lease lease(String account) {
    return done(store.acquire(account, "the test")).orElseThrow();
  }

  /** A message from bot to the chat. */
  static MessageDraft to(String chat) {
    return MessageDraft.to("bot", chat);
  }

  AcceptResult.Stored accept(MessageDraft draft) {
    AcceptResult acceptance = done(store.accept(draft.build()));
    if (acceptance instanceof AcceptResult.Stored stored) {
      return stored;
    }
    throw new AssertionError("was not stored: " + acceptance);
  }

  StoredMessage stored(MessageDraft draft) {
    return accept(draft).message();
  }

  /** A message under way: accepted at that second and reserved at once. */
  StoredMessage sending(MessageDraft draft) {
    AcceptResult.Stored stored = accept(draft.reserve(leave(draft.createdAt())));
    if (!stored.reserved()) {
      throw new AssertionError("was not reserved: " + stored);
    }
    return stored.message();
  }

  /** A message that ended with that status. */
  StoredMessage ended(MessageDraft draft, Status status, Instant when) {
    StoredMessage sending = sending(draft);
    settle(SettlementDraft.of(sending, lease).status(status).at(when));
    return find(sending.id());
  }

  Reservation leave(Instant when, Budget... spent) {
    return new Reservation(lease, when, List.of(spent));
  }

  StoredMessage reserve(StoredMessage message, Instant when) {
    return done(store.reserve(message.row(), leave(when)))
        .orElseThrow(() -> new AssertionError("could not be reserved: " + message));
  }

  boolean canReserve(StoredMessage message, Instant when) {
    return done(store.reserve(message.row(), leave(when))).isPresent();
  }

  SettleResult settle(SettlementDraft ending) {
    return done(store.settle(ending.build()));
  }

  SettleResult deliver(StoredMessage sending, Instant when) {
    return settle(SettlementDraft.of(sending, lease).at(when));
  }

  /** Delivers the lane's messages until there are none, and gives their texts in that order. */
  List<@Nullable String> drain(String chat) {
    List<@Nullable String> texts = new ArrayList<>();
    while (true) {
      List<Head> heads = heads("bot").stream().filter(head -> head.chat().equals(chat)).toList();
      if (heads.isEmpty()) {
        return texts;
      }
      assertThat(heads).as("heads of %s", chat).hasSize(1);
      StoredMessage sending =
          done(store.reserve(heads.getFirst().row(), leave(at(1_000)))).orElseThrow();
      texts.add(sending.message().text());
      deliver(sending, at(1_000));
    }
  }

  // ---- looking

  StoredMessage find(MessageId id) {
    return store.find(id).orElseThrow(() -> new AssertionError("there is no message " + id));
  }

  Status status(StoredMessage message) {
    return find(message.id()).status();
  }

  List<HistoryEntry> history(StoredMessage message) {
    return store.history(message.id());
  }

  /** Every queued head of the account, live ones first. */
  List<Head> heads(String account) {
    List<Head> heads = new ArrayList<>();
    for (Priority priority : Priority.values()) {
      heads.addAll(done(store.due(account, priority, FAR, null, 100_000)));
    }
    return heads;
  }

  List<Long> headRows() {
    return heads("bot").stream().map(Head::row).toList();
  }
}
