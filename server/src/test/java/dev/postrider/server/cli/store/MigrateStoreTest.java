package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.server.cli.Main;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything moves from one store to the other, and back. */
class MigrateStoreTest {
  private final PostgresServer server = PostgresServer.shared();
  private final String postgres = server.newSchema();
  private final StringWriter out = new StringWriter();

  @TempDir Path folder;
  private String sqlite = "";

  @BeforeEach
  void choose() {
    sqlite = "sqlite:" + folder.resolve("from.db");
  }

  @AfterEach
  void drop() {
    server.drop(postgres);
  }

  private int migrate(String from, String to) {
    out.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(out, true);
    return Main.run(
        new Terminal(Map.of(), InputStream.nullInputStream(), writer, writer, false),
        "migrate-store",
        "--from",
        from,
        "--to",
        to);
  }

  private static Postrider open(String store) {
    return Postrider.open(
        PostriderConfig.store(store)
            .cluster(ClusterSettings.of("test"))
            .account(AccountConfig.of("a", "sandbox"))
            .account(AccountConfig.of("b", "sandbox")));
  }

  private static Message.Builder to(String chat, String text) {
    return Message.to("a", chat).text(text);
  }

  /** Messages in every state there is; gives them as they are at the end. */
  private Map<MessageId, Status> live(String store) {
    List<Delivery> sent = new ArrayList<>();
    try (Postrider postrider = open(store)) {
      sent.add(postrider.send(to("ann", "hello “world” 😀").idempotencyKey("k1").build()));
      sent.add(postrider.send(to("ann", "#fail").metadata(Map.of("order", "77")).build()));
      sent.add(postrider.send(to("ben", "#flaky, with a history").build()));
      sent.forEach(delivery -> delivery.await(Duration.ofMinutes(5)));
      postrider.pauseLane("a", "ann", "by hand");
      postrider.pauseAccount("b", "by hand");
      for (int i = 0; i < 5; i++) {
        sent.add(postrider.send(to("ann", "waits " + i).build()));
        sent.add(
            postrider.send(Message.to("b", "bulk").text("b" + i).priority(Priority.BULK).build()));
      }
      sent.add(
          postrider.send(
              to("ann", "later").sendAt(Instant.now().plus(Duration.ofHours(1))).build()));
      Delivery cancelled = postrider.send(to("ann", "never").build());
      postrider.cancel(cancelled.id());
      sent.add(cancelled);
    }
    try (Postrider postrider = open(store)) {
      return statuses(postrider, sent.stream().map(Delivery::id).toList());
    }
  }

  private static Map<MessageId, Status> statuses(Postrider postrider, List<MessageId> ids) {
    Map<MessageId, Status> statuses = new LinkedHashMap<>();
    ids.forEach(id -> statuses.put(id, postrider.find(id).orElseThrow().status()));
    return statuses;
  }

  @Test
  void everything_moves_to_postgres_and_the_work_goes_on_there() {
    Map<MessageId, Status> before = live(sqlite);

    assertThat(migrate(sqlite, postgres)).as(out.toString()).isZero();

    assertThat(out.toString())
        .contains("15 messages found, 15 added, 0 were there already")
        .contains("hold the same");
    try (Postrider postrider = open(postgres)) {
      assertThat(statuses(postrider, List.copyOf(before.keySet()))).isEqualTo(before);
      assertThat(
              postrider
                  .send(to("ann", "hello “world” 😀").idempotencyKey("k1").build())
                  .duplicate())
          .isTrue();
      assertThat(postrider.stats().pausedLanes()).isEqualTo(1);
      postrider.resumeLane("a", "ann");
      postrider.resumeAccount("b");
      before.forEach(
          (id, status) -> {
            if (status == Status.QUEUED && !isScheduled(postrider, id)) {
              assertThat(postrider.await(id, Duration.ofSeconds(30)).orElseThrow().status())
                  .isEqualTo(Status.DELIVERED);
            }
          });
      assertThat(postrider.stats().queued()).isEqualTo(1); // the scheduled one
    }
  }

  private static boolean isScheduled(Postrider postrider, MessageId id) {
    return postrider.find(id).orElseThrow().message().sendAt() != null;
  }

  @Test
  void it_can_be_repeated() {
    live(sqlite);
    migrate(sqlite, postgres);

    assertThat(migrate(sqlite, postgres)).isZero();

    assertThat(out.toString()).contains("0 added, 15 were there already").contains("the same");
  }

  @Test
  void it_moves_back_as_well() {
    Map<MessageId, Status> before = live(sqlite);
    migrate(sqlite, postgres);
    String back = "sqlite:" + folder.resolve("back.db");

    assertThat(migrate(postgres, back)).as(out.toString()).isZero();

    try (Postrider postrider = open(back)) {
      assertThat(statuses(postrider, List.copyOf(before.keySet()))).isEqualTo(before);
    }
  }

  @Test
  void a_target_that_was_used_since_is_not_called_the_same() {
    Map<MessageId, Status> before = live(sqlite);
    migrate(sqlite, postgres);
    try (Postrider postrider = open(postgres)) {
      postrider.resumeAccount("b");
      before.keySet().forEach(id -> postrider.await(id, Duration.ofMillis(500)));
    }

    assertThat(migrate(sqlite, postgres)).isEqualTo(1);

    assertThat(out.toString()).contains("DIFFERENT");
  }

  @Test
  void a_store_that_is_in_use_is_left_alone() {
    live(sqlite);
    try (Postrider postrider = open(postgres)) {
      assertThat(postrider.durable()).isTrue();
      assertThat(migrate(sqlite, postgres)).isEqualTo(1);
      assertThat(out.toString()).contains("--to: servers work on it: test; stop them first");
    }
    try (Postrider postrider = open(sqlite)) {
      assertThat(postrider.durable()).isTrue();
      assertThat(migrate(sqlite, postgres)).isEqualTo(1);
      assertThat(out.toString()).contains("--from:");
    }
  }

  @Test
  void what_is_wrong_is_said() {
    assertThat(migrate("sqlite:" + folder.resolve("none.db"), postgres)).isEqualTo(1);
    assertThat(out.toString()).contains("There is no");
    assertThat(migrate(postgres, "mysql:x")).isEqualTo(2);
    assertThat(out.toString()).contains("--to must begin with sqlite: or jdbc:postgresql:");
    assertThat(migrate(postgres, postgres)).isEqualTo(2);
    assertThat(out.toString()).contains("the same store");
  }
}
