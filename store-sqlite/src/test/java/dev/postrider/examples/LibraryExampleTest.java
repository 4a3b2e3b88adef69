package dev.postrider.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.channel.Hook;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How to use the library in a program of one's own: core and a store, no server. */
class LibraryExampleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir Path folder;

  @BeforeEach
  void clearTheConsole() {
    ConsoleChannel.LINES.clear();
  }

  private PostriderConfig config() {
    return PostriderConfig.store("sqlite:" + folder.resolve("outbox.db"))
        .account(AccountConfig.of("desk", "console").set("prefix", "> "));
  }

  @Test
  void send_a_message_and_wait_for_its_end() {
    try (Postrider postrider = Postrider.open(config())) {
      Delivery delivery = postrider.send(Message.to("desk", "ann").text("hi").build());

      StoredMessage ended = delivery.await(PATIENCE);

      assertThat(ended.status()).isEqualTo(Status.DELIVERED);
      assertThat(ConsoleChannel.LINES).containsExactly("> ann: hi");
    }
  }

  @Test
  void hand_the_same_message_in_twice_and_send_it_once() {
    try (Postrider postrider = Postrider.open(config())) {
      Message message =
          Message.to("desk", "ann").text("shipped").idempotencyKey("order-77-shipped").build();

      Delivery first = postrider.send(message);
      Delivery second = postrider.send(message);

      assertThat(second.duplicate()).isTrue();
      assertThat(second.id()).isEqualTo(first.id());
      second.await(PATIENCE);
      assertThat(ConsoleChannel.LINES).hasSize(1);
    }
  }

  @Test
  void listen_to_what_happens() {
    List<String> heard = new CopyOnWriteArrayList<>();
    try (Postrider postrider = Postrider.open(config())) {
      postrider.events().subscribe((Event event) -> heard.add(event.type()));

      postrider.send(Message.to("desk", "ann").text("hi").build()).await(PATIENCE);
    }
    assertThat(heard).contains("message.accepted", "message.attempt", "message.delivered");
  }

  @Test
  void find_out_what_failed_and_replay_it_after_a_restart() {
    try (Postrider postrider = Postrider.open(config())) {
      postrider.send(Message.to("desk", "nobody").text("hi").build()).await(PATIENCE);
    }
    try (Postrider postrider = Postrider.open(config())) {
      StoredMessage dead =
          postrider.list(MessageFilter.status(Status.FAILED), null, 10).items().getFirst();
      assertThat(dead.reason()).isEqualTo("rejected-target");
      assertThat(dead.error()).isEqualTo("there is nobody of that name");

      StoredMessage again = postrider.replay(dead.id()).await(PATIENCE);

      assertThat(again.replayOf()).isEqualTo(dead.id());
    }
  }

  @Test
  void answer_what_people_write() throws Exception {
    CompletableFuture<Event.TurnEnded> over = new CompletableFuture<>();
    try (Postrider postrider = Postrider.open(config())) {
      postrider
          .events()
          .subscribe(
              event -> {
                if (event instanceof Event.TurnEnded ended) {
                  over.complete(ended);
                }
              });

      postrider.onInbound((message, turn) -> turn.answer("You said: " + message.arrival().text()));

      postrider.receive("desk", typed("ann: hello"));
      assertThat(over.get(5, TimeUnit.MINUTES).state()).isEqualTo("delivered");
      assertThat(ConsoleChannel.LINES).containsExactly("> ann: You said: hello");
    }
  }

  /** As a web server would pass on a platform's webhook to the library. */
  private static Hook.Request typed(String line) {
    byte[] body = line.getBytes(StandardCharsets.UTF_8);
    return new Hook.Request("POST", Map.of(), Map.of(), body, Instant.now());
  }
}
