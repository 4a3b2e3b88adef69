package dev.postrider.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Postrider;
import dev.postrider.Turn;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.channels.sandbox.SandboxDelivery;
import dev.postrider.channels.sandbox.SandboxMessage;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.store.inbound.StoredInbound;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Methods of beans that handle what comes in. */
class PostriderListenerTest {
  @TempDir Path folder;
  private ApplicationContextRunner application;

  @BeforeEach
  void prepare() {
    application =
        new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(PostriderAutoConfiguration.class))
            .withBean(HeardEvents.class)
            .withPropertyValues(
                "postrider.store=sqlite:" + folder.resolve("outbox.db"),
                "postrider.accounts[0].id=shop",
                "postrider.accounts[0].channel=sandbox",
                "postrider.accounts[1].id=desk",
                "postrider.accounts[1].channel=sandbox",
                "postrider.inbound.backoff[0]=1ms");
  }

  static void write(ApplicationContext context, String account, String text) {
    SandboxMessage written =
        new SandboxMessage(
            UUID.randomUUID().toString(), "ann", "ann", null, text, null, null, Instant.now());
    postrider(context).receive(account, sandbox(context).webhook(written));
  }

  private static Postrider postrider(ApplicationContext context) {
    return context.getBean(Postrider.class);
  }

  private static SandboxChannel sandbox(ApplicationContext context) {
    return (SandboxChannel) postrider(context).channel("sandbox").orElseThrow();
  }

  private static List<String> inbox(ApplicationContext context, String account) {
    return sandbox(context).inbox(account, "ann", 9).reversed().stream()
        .map(SandboxDelivery::text)
        .toList();
  }

  private static <T extends Event> T next(ApplicationContext context, Class<T> type)
      throws InterruptedException {
    return context.getBean(HeardEvents.class).next(type);
  }

  static class Echo {
    @PostriderListener(accounts = "shop")
    String shop(InboundMessage message) {
      return "You said: " + message.text();
    }

    @PostriderListener(accounts = "desk")
    List<Object> desk(StoredInbound inbound, Turn turn) {
      return List.of("one", turn.message().text("two for " + inbound.arrival().chat()).build());
    }
  }

  @Test
  void what_a_method_returns_is_the_reply() {
    application
        .withBean(Echo.class)
        .run(
            context -> {
              write(context, "shop", "hi");
              next(context, Event.Delivered.class);
              write(context, "desk", "hi");
              next(context, Event.Delivered.class);
              next(context, Event.Delivered.class);

              assertThat(inbox(context, "shop")).containsExactly("You said: hi");
              assertThat(inbox(context, "desk")).containsExactly("one", "two for ann");
            });
  }

  static class Stumbling {
    int times;

    @PostriderListener
    String handle(InboundMessage message, Turn turn) {
      if (times++ == 0) {
        turn.answer("is never sent");
        throw new IllegalStateException("the database is away");
      }
      return message.text() + " at attempt " + turn.attempt();
    }
  }

  @Test
  void a_message_whose_method_throws_is_given_back_and_comes_before_the_next_of_its_session() {
    application
        .withBean(Stumbling.class)
        .run(
            context -> {
              write(context, "shop", "first");
              write(context, "shop", "second");
              next(context, Event.Delivered.class);
              next(context, Event.Delivered.class);

              assertThat(inbox(context, "shop"))
                  .containsExactly("first at attempt 2", "second at attempt 1");
            });
  }

  static class OnlyEdits {
    @PostriderListener(kinds = InboundMessage.Kind.EDIT)
    void handle() {
      throw new AssertionError("this is no edit");
    }
  }

  @Test
  void what_no_method_takes_counts_as_handled() {
    application
        .withBean(OnlyEdits.class)
        .run(
            context -> {
              write(context, "shop", "hi");

              next(context, Event.InboundHandled.class);
            });
  }

  @Test
  void the_end_of_the_application_waits_for_a_method_at_work() throws Exception {
    Slow slow = new Slow();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    application
        .withBean(Slow.class, () -> slow)
        .run(
            context -> {
              write(context, "shop", "hi");
              assertThat(slow.begun.await(1, TimeUnit.MINUTES)).isTrue();
              Thread.ofVirtual()
                  .start(
                      () -> {
                        context.getSourceApplicationContext().close();
                        ended.complete(null);
                      });
              while (context.getBean(PostriderListeners.class).isRunning()) {
                Thread.onSpinWait();
              }
              assertThat(ended).isNotDone();
              slow.mayEnd.countDown();
              ended.get(1, TimeUnit.MINUTES);
              assertThat(slow.sent).isTrue(); // its Postrider was still there
            });
  }

  static class Slow {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);
    volatile boolean sent;

    @PostriderListener
    void handle(Turn turn) throws InterruptedException {
      begun.countDown();
      mayEnd.await();
      turn.reply("bye");
      sent = true;
    }
  }

  static class Twice {
    @PostriderListener
    void all() {}

    @PostriderListener(accounts = "shop")
    void shop() {}
  }

  static class Misspelt {
    @PostriderListener(accounts = "shpo")
    void handle() {}
  }

  static class Odd {
    @PostriderListener
    void handle(String text) {}
  }

  @Test
  void a_method_that_cannot_listen_stops_the_start_with_a_sentence() {
    failsWith(Twice.class, "listen to the same messages; tell them apart by accounts or kinds");
    failsWith(Misspelt.class, "Misspelt.handle listens to account 'shpo'", "did you mean 'shop'?");
    failsWith(Odd.class, "Odd.handle takes a String; a @PostriderListener takes StoredInbound");
  }

  private void failsWith(Class<?> bean, String... sentences) {
    application
        .withBean(bean)
        .run(
            context -> {
              for (String sentence : sentences) {
                assertThat(context.getStartupFailure()).rootCause().hasMessageContaining(sentence);
              }
            });
  }
}
