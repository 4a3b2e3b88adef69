package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes pause and resume lanes while both put messages into them and one sends from them. */
class PausedLanesLoadTest {
  private static final int CHATS = 4;
  private static final int WAVES = 40;
  private static final int WIDTH = 40;

  private final InboundFixture fixture = new InboundFixture();
  private final Random random = new Random(13);
  private final Store one = fixture.open("one");
  private final Store two = fixture.open("two");
  private final List<MessageId> accepted = new CopyOnWriteArrayList<>();
  private final Queue<StoredMessage> sending = new ConcurrentLinkedQueue<>();
  private Lease lease = new Lease("bot", 0);

  @BeforeEach
  void own() {
    lease = fixture.await(one.acquire("bot", "one")).orElseThrow();
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
    fixture.close();
  }

  @Test
  void whatever_two_nodes_do_at_once_a_head_is_paused_if_and_only_if_its_lane_is()
      throws SQLException {
    for (int wave = 0; wave < WAVES; wave++) {
      List<CompletableFuture<?>> writes = new ArrayList<>();
      for (int i = 0; i < WIDTH; i++) {
        writes.add(something());
      }
      writes.forEach(fixture::await);
      assertThat(fixture.wrong()).as("after wave %d", wave).isEmpty();
    }
    for (int chat = 0; chat < CHATS; chat++) {
      fixture.await(two.resumeLane("bot", "chat" + chat));
    }
    drain();
    assertThat(accepted).hasSizeGreaterThan(WAVES * 5);
    assertThat(accepted).allMatch(id -> one.find(id).orElseThrow().status().ended());
  }

  private Store either() {
    return random.nextBoolean() ? one : two;
  }

  private String chat() {
    return "chat" + random.nextInt(CHATS);
  }

  private CompletableFuture<?> something() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> accept();
      case 4, 5 -> either().pauseLane(new PausedLane("bot", chat(), "test", InboundFixture.NOW));
      case 6, 7 -> either().resumeLane("bot", chat());
      case 8 -> one.cluster().orElseThrow().takeIn(lease, InboundFixture.NOW, 100);
      case 9 -> reserve();
      case 10 -> sending.isEmpty() ? accept() : settle(sending.remove());
      default ->
          accepted.isEmpty()
              ? accept()
              : either().cancel(accepted.get(random.nextInt(accepted.size())), InboundFixture.NOW);
    };
  }

  private CompletableFuture<?> accept() {
    Message.Builder message = Message.to("bot", chat()).text("hello");
    if (random.nextInt(4) == 0) {
      message.ordering(Ordering.NONE);
    }
    return either()
        .accept(fixture.message(message))
        .thenAccept(stored -> accepted.add(((AcceptResult.Stored) stored).message().id()));
  }

  private CompletableFuture<?> reserve() {
    List<Head> due = fixture.await(one.due("bot", Priority.LIVE, InboundFixture.NOW, null, 9));
    if (due.isEmpty()) {
      return accept();
    }
    long row = due.get(random.nextInt(due.size())).row();
    return one.reserve(row, new Reservation(lease, InboundFixture.NOW, List.of()))
        .thenAccept(found -> found.ifPresent(sending::add));
  }

  private CompletableFuture<?> settle(StoredMessage message) {
    boolean again = random.nextInt(3) == 0;
    return one.settle(
        new Settlement(
            message,
            lease,
            again ? Status.QUEUED : Status.DELIVERED,
            InboundFixture.NOW,
            InboundFixture.NOW,
            true,
            message.progress(),
            null,
            null,
            false,
            false,
            null,
            List.of(),
            null));
  }

  /** Sends until nothing is due any more. */
  private void drain() {
    fixture.await(one.cluster().orElseThrow().takeIn(lease, InboundFixture.NOW, 100_000));
    while (true) {
      while (!sending.isEmpty()) {
        fixture.await(settle(sending.remove()));
      }
      List<Head> due = fixture.await(one.due("bot", Priority.LIVE, InboundFixture.NOW, null, 99));
      if (due.isEmpty()) {
        return;
      }
      for (Head head : due) {
        fixture
            .await(one.reserve(head.row(), new Reservation(lease, InboundFixture.NOW, List.of())))
            .ifPresent(sending::add);
      }
    }
  }
}
