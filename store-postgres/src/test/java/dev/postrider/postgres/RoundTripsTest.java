package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.message.Message;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database may be milliseconds away: a batch asks it as few times as it can. */
class RoundTripsTest {
  private static final int MESSAGES = 50;
  private static final int CHATS = 7;

  private final InboundFixture fixture = new InboundFixture();
  private final Relay relay = new Relay(PostgresServer.shared().port());
  private final AtomicInteger commits = new AtomicInteger();
  private Store store;
  private Lease lease;

  @BeforeEach
  void open() {
    String url = fixture.url.replaceFirst(":[0-9]+/", ":" + relay.port() + "/");
    store = new PostgresStoreProvider().open(url, ClusterSettings.of("one"), fixture.time);
    lease = fixture.await(store.acquire("bot", "one")).orElseThrow();
    accept(1);
    store.onCommit((_, _) -> commits.incrementAndGet());
  }

  @AfterEach
  void close() {
    store.close();
    fixture.close();
    relay.close();
  }

  private List<StoredMessage> accept(int count) {
    List<CompletableFuture<AcceptResult>> all = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      NewMessage message =
          fixture.message(
              Message.to("bot", "chat-" + n % CHATS)
                  .text("hello")
                  .idempotencyKey("key-" + count + n));
      all.add(store.accept(message));
    }
    return all.stream().map(one -> ((AcceptResult.Stored) fixture.await(one)).message()).toList();
  }

  /** What the batches asked meanwhile, for each of them. */
  private double tripsOf(Runnable work) {
    int before = relay.trips();
    commits.set(0);
    work.run();
    return (double) (relay.trips() - before) / commits.get();
  }

  @Test
  void a_batch_of_new_messages_takes_two_round_trips() {
    assertThat(tripsOf(() -> accept(MESSAGES))).isEqualTo(2);
  }

  @Test
  void a_batch_of_ends_takes_two_round_trips() {
    accept(MESSAGES);
    List<StoredMessage> sending = new ArrayList<>();

    double reserving = tripsOf(() -> sending.addAll(reserveHeads()));
    double ending = tripsOf(() -> end(sending).forEach(fixture::await));

    assertThat(sending).hasSize(CHATS);
    assertThat(reserving).isEqualTo(2);
    assertThat(ending).isEqualTo(2);
  }

  @Test
  void new_messages_and_ends_share_their_round_trips() {
    List<StoredMessage> sending = reserveHeads();

    double trips =
        tripsOf(
            () -> {
              List<CompletableFuture<?>> ends = end(sending);
              accept(MESSAGES);
              ends.forEach(fixture::await);
            });

    assertThat(trips).isEqualTo(2);
  }

  private List<StoredMessage> reserveHeads() {
    Reservation reservation = new Reservation(lease, InboundFixture.NOW, List.of());
    return fixture
        .await(store.due("bot", Priority.LIVE, InboundFixture.NOW, null, MESSAGES))
        .stream()
        .map(head -> fixture.await(store.reserve(head.row(), reservation)).orElseThrow())
        .toList();
  }

  private List<CompletableFuture<?>> end(List<StoredMessage> sending) {
    List<CompletableFuture<?>> ends = new ArrayList<>();
    sending.forEach(message -> ends.add(store.settle(delivered(message))));
    return ends;
  }

  private Settlement delivered(StoredMessage message) {
    return new Settlement(
        message,
        lease,
        Status.DELIVERED,
        InboundFixture.NOW,
        InboundFixture.NOW,
        true,
        Progress.none(1),
        null,
        null,
        false,
        false,
        null,
        List.of(),
        new Reservation(lease, InboundFixture.NOW, List.of()));
  }

  /** Passes everything on, and counts how often the writer asks after it was answered. */
  private static final class Relay implements AutoCloseable {
    private final AtomicInteger trips = new AtomicInteger();
    private final ServerSocket listener;
    private final int target;

    Relay(int target) {
      this.target = target;
      try {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return listener.getLocalPort();
    }

    int trips() {
      return trips.get();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = listener.accept();
          Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
          AtomicBoolean answered = new AtomicBoolean(true);
          Thread.ofVirtual().start(() -> ask(client, server, answered));
          Thread.ofVirtual().start(() -> pass(server, client, answered));
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void ask(Socket from, Socket to, AtomicBoolean answered) {
      byte[] buffer = new byte[65_536];
      boolean writer = false;
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          writer |= new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains(" writer ");
          if (answered.getAndSet(false) && writer) {
            trips.incrementAndGet();
          }
          out.write(buffer, 0, n);
        }
      } catch (IOException e) {
        // the other side learns of it, too
      }
    }

    private void pass(Socket from, Socket to, AtomicBoolean answered) {
      byte[] buffer = new byte[65_536];
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          answered.set(true);
          out.write(buffer, 0, n);
        }
      } catch (IOException e) {
        // the other side learns of it, too
      }
    }

    @Override
    public void close() {
      try {
        listener.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
