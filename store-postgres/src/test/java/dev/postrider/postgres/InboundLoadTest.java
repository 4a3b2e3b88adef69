package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes do everything an inbound store offers, to few sessions, in any order and at the same
 * moment.
 */
class InboundLoadTest {
  private static final int SESSIONS = 12;
  private static final int WAVES = 40;
  private static final int WIDTH = 60;

  private final InboundFixture fixture = new InboundFixture();
  private final Random random = new Random(11);
  private final Store one = fixture.open("one");
  private final Store two = fixture.open("two");
  private final List<StoredInbound> out = new ArrayList<>();
  private final List<MessageId> answers = new ArrayList<>();
  private int given;
  private int turnsEnded;

  @AfterEach
  void close() {
    one.close();
    two.close();
    fixture.close();
  }

  private Store either() {
    return random.nextBoolean() ? one : two;
  }

  private String session() {
    return "s" + random.nextInt(SESSIONS);
  }

  @Test
  void whatever_two_nodes_do_at_once_the_tables_are_right_and_nobody_waits_in_a_circle()
      throws SQLException {
    fixture.await(one.acquire("bot", "one"));
    long deadlocks = fixture.deadlocks();
    for (int wave = 0; wave < WAVES; wave++) {
      List<CompletableFuture<?>> writes = new ArrayList<>();
      for (int i = 0; i < WIDTH; i++) {
        writes.add(something());
      }
      writes.forEach(this::awaitUnlessRefused);
      assertThat(fixture.wrong()).as("after wave %d", wave).isEmpty();
    }
    assertThat(fixture.deadlocks()).isEqualTo(deadlocks);
    assertThat(given).isGreaterThan(WAVES);
    assertThat(turnsEnded).isBetween(WAVES, given);
  }

  /** On a busy machine a lock may come too late: the write is refused, and nothing was done. */
  private void awaitUnlessRefused(CompletableFuture<?> write) {
    try {
      fixture.await(write);
    } catch (StoreUnavailable e) {
      assertThat(e).hasMessageContaining("another transaction is in the way");
    }
  }

  private CompletableFuture<?> something() {
    InboundStore inboundStore = either().inboundStore();
    return switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> either().receive("bot", events(), null);
      case 4, 5 -> take(inboundStore);
      case 6, 7, 8 -> giveBack(inboundStore);
      case 9 -> extend(inboundStore);
      case 10 -> end();
      case 11, 12 -> follow(inboundStore);
      case 13 ->
          random.nextInt(4) == 0
              ? inboundStore.pauseSession(session(), "a pause", InboundFixture.NOW)
              : inboundStore.resumeSession(session());
      case 14 -> onDeadLetter(inboundStore);
      default ->
          random.nextInt(4) == 0
              ? either().pruneInbound(InboundFixture.NOW.plusSeconds(random.nextInt(2)), 3)
              : inboundStore.disown("one", InboundFixture.NOW);
    };
  }

  private List<NewInbound> events() {
    List<NewInbound> events = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      events.add(fixture.event(session(), "e" + random.nextInt(5_000)));
    }
    return events;
  }

  private CompletableFuture<?> take(InboundStore inboundStore) {
    return inboundStore
        .lease(fixture.wish(1 + random.nextInt(5), random.nextBoolean() ? "one" : null))
        .thenAccept(
            events -> {
              synchronized (out) {
                out.addAll(events);
              }
            });
  }

  private CompletableFuture<?> giveBack(InboundStore inboundStore) {
    StoredInbound inbound = anyOut();
    if (inbound == null) {
      return take(inboundStore);
    }
    InboundStatus status =
        switch (random.nextInt(4)) {
          case 0 -> InboundStatus.PENDING;
          case 1 -> InboundStatus.FAILED;
          default -> InboundStatus.HANDLED;
        };
    NewMessage[] messages = new NewMessage[random.nextInt(3)];
    for (int i = 0; i < messages.length; i++) {
      messages[i] =
          fixture.message(
              Message.to("bot", session())
                  .text("answer")
                  .turnId(inbound.id().toString())
                  .sessionId(session()));
    }
    Completion completion = InboundFixture.back(inbound, status, messages);
    return inboundStore
        .complete(completion)
        .thenAccept(
            handed -> {
              synchronized (out) {
                given += handed.applied() ? 1 : 0;
                turnsEnded += handed.turn() == null ? 0 : 1;
                handed.answers().forEach(answer -> answers.add(id(answer)));
              }
            });
  }

  private static MessageId id(AcceptResult answer) {
    return ((AcceptResult.Stored) answer).message().id();
  }

  private @Nullable StoredInbound anyOut() {
    synchronized (out) {
      return out.isEmpty() ? null : oneOfTheLast(out);
    }
  }

  private CompletableFuture<?> extend(InboundStore inboundStore) {
    StoredInbound inbound = anyOut();
    return inbound == null
        ? take(inboundStore)
        : inboundStore.extend(
            InboundFixture.lease(inbound),
            InboundFixture.NOW.plus(Duration.ofSeconds(random.nextInt(60))));
  }

  /** Answers end, or are forgotten before anybody has followed them. */
  private CompletableFuture<?> end() {
    MessageId id = anyAnswer();
    return switch (id == null ? 0 : random.nextInt(3)) {
      case 0 -> either().failQueued("bot", "nobody sends it", InboundFixture.NOW, 3);
      case 1 -> either().cancel(id, InboundFixture.NOW);
      default -> either().discard(id);
    };
  }

  private CompletableFuture<?> follow(InboundStore inboundStore) {
    MessageId id = anyAnswer();
    return id == null
        ? take(inboundStore)
        : inboundStore
            .follow(id, InboundFixture.NOW)
            .thenAccept(
                followed -> {
                  synchronized (out) {
                    turnsEnded += followed.turn() == null ? 0 : 1;
                  }
                });
  }

  private @Nullable MessageId anyAnswer() {
    synchronized (out) {
      return answers.isEmpty() || random.nextInt(9) == 0 ? null : oneOfTheLast(answers);
    }
  }

  private <T> T oneOfTheLast(List<T> all) {
    return all.get(all.size() - 1 - random.nextInt(Math.min(all.size(), 15)));
  }

  private CompletableFuture<?> onDeadLetter(InboundStore inboundStore) {
    List<StoredInbound> dead =
        two.inbound(new InboundFilter(null, null, InboundStatus.FAILED), null, 20).items();
    if (dead.isEmpty()) {
      return take(inboundStore);
    }
    InboundId id = dead.get(random.nextInt(dead.size())).id();
    return random.nextBoolean()
        ? inboundStore.replay(id, fixture.nextId(), InboundFixture.NOW)
        : inboundStore.discard(id, InboundFixture.NOW);
  }
}
