package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.Inbox;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.event.Event;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One busy day in which everything happens that there is an event for. */
public abstract class EveryEvent extends EngineBehaviour {
  private static final String SECRET = "s3cr3t-t0ken";
  private static final String CONTENT = "private words";

  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  @BeforeEach
  void aBusyDay() {
    disk = new FlakyStore(world.time);
    world = new World(time -> disk.around(openStore(folder, time)), world.time, world.platform, 1);
    world.account(account -> account.set("token", SECRET));
    world.account(account -> account.withInbound(account.inbound().with(s -> s.maxAttempts = 2)));
    steadyBackoff();
    world.platform.textLimit(20);
    world.platform.hook(EveryEvent::told);
    world.platform.listening(this::hear);
    world.start();
    inbound();
    handling();
    messages();
    operations();
    troubles();
    crashAndStart();
    world.pass(minutes(2));
    restart();
  }

  private Message.Builder words(String chat) {
    return to(chat, CONTENT)
        .metadata(Map.of("note", CONTENT))
        .channelData(Map.of("button", CONTENT));
  }

  /** A message people wrote, delivery reports on one of ours, or a forgery. */
  private static Hook.Answer told(Hook.Request request) {
    return switch (request.text()) {
      case "message" ->
          Hook.Answer.Genuine.of(
              List.of(
                  new InboundMessage(
                      "1",
                      InboundMessage.Kind.MESSAGE,
                      "ann",
                      InboundMessage.ChatKind.DM,
                      new InboundMessage.Sender("ann", CONTENT),
                      CONTENT,
                      List.of(),
                      null,
                      null,
                      null,
                      null,
                      Map.of("text", CONTENT))));
      case "word" ->
          new Hook.Answer.Genuine(
              List.of(),
              List.of(
                  new DeliveryReport(
                      "queued", DeliveryReport.State.DELIVERED, request.receivedAt(), null)),
              Hook.Reply.OK);
      default -> new Hook.Answer.Forged("no signature");
    };
  }

  /** Hears for a minute, and then not any more. */
  private void hear(InboundSink inlet) throws IOException {
    inlet.connected();
    if (inlet.pause(minutes(1))) {
      throw new IOException("the connection broke");
    }
  }

  private void inbound() {
    world.platform.then(Outcome.accepted("queued"));
    world.send(words("queued"));
    for (String request : List.of("message", "word", "forged")) {
      world
          .postrider()
          .receive(
              "bot",
              new Hook.Request(
                  "POST",
                  Map.of("authorization", SECRET),
                  Map.of(),
                  request.getBytes(StandardCharsets.UTF_8),
                  world.time.instant()));
    }
    world.platform.then(new Outcome.Repairable(new Fix.NewChat("moved-here"), "moved"));
    world.send(words("moved"));
  }

  private void handling() {
    Inbox inbox = world.postrider().inbox();
    inbox.pause("bot/ann", "test");
    inbox.resume("bot/ann");
    inbox.nack(lease(), "could not", null);
    world.pass(seconds(2));
    StoredInbound dead = inbox.list(InboundFilter.ALL, null, 1).items().getFirst();
    inbox.nack(lease(), "could not", null);
    InboundId again = inbox.replay(dead.id()).id();
    inbox.ack(lease(), List.of(inbox.replyTo(again).orElseThrow().text(CONTENT).build()));
    world.time.settle();
  }

  private UUID lease() {
    List<StoredInbound> leased =
        world.postrider().inbox().lease(Set.of(), 1, minutes(1), Duration.ZERO);
    return Objects.requireNonNull(leased.getFirst().handling().lease());
  }

  private void messages() {
    world.send(to("parts", CONTENT + ", and " + CONTENT));
    world.platform.then(REFUSED);
    world.send(words("retried"));
    world.platform.then(throttled(ThrottleScope.CHAT, seconds(2)));
    world.send(words("throttled"));
    world.platform.then(rejected());
    world.send(words("failed"));
    world.platform.then(NO_ANSWER);
    world.send(words("held").onUnknown(OnUnknown.HOLD));
    world.pass(seconds(10));
    world.platform.mood(
        _ -> {
          world.platform.mood(_ -> world.platform.delivered());
          stubbornly(seconds(61));
          return world.platform.delivered();
        });
    world.send(words("stale"));
    world.pass(minutes(3));
    world.platform.mood(
        _ -> {
          throw new IllegalStateException("https://api.example/bot" + SECRET + "/" + CONTENT);
        });
    world.send(words("thrown").maxAttempts(1));
    world.platform.mood(_ -> world.platform.delivered());
  }

  private void stubbornly(Duration duration) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    world.time.after(duration, () -> over.complete(true));
    while (!over.isDone()) {
      try {
        world.time.await(over);
      } catch (Scheduler.Interrupted e) {
        // an adapter that does not listen
      }
    }
  }

  private void operations() {
    world.postrider().pauseLane("bot", "lane", "test");
    world.send(words("lane"));
    world.postrider().resumeLane("bot", "lane");
    world.postrider().pauseAccount("bot", "test");
    Delivery cancelled = world.send(words("cancelled"));
    world.postrider().cancel(cancelled.id());
    world.send(words("expired").expiresIn(seconds(1)));
    world.pass(seconds(2));
    world.postrider().resumeAccount("bot");
  }

  private void troubles() {
    world.platform.context("bot").notReady("reconnecting");
    world.platform.context("bot").ready();
    world.platform.then(Reaction.of(new Outcome.AccountBroken("revoked")));
    world.send(words("broken"));
    world.platform.probe(new Probe.Healthy("bot"));
    world.pass(minutes(2));
    disk.failWrites(true);
    refusal(() -> world.send(words("refused")));
    disk.failWrites(false);
    world.pass(seconds(5));
    world.platform.then(UNREACHABLE, UNREACHABLE);
    world.send(words("unreachable"));
    world.pass(seconds(4));
    world.platform.then(REFUSED);
    world.send(words("over the restart"));
  }

  @Test
  void every_kind_of_event_is_seen() {
    Set<String> kinds =
        kinds(Event.class).map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new));
    kinds.remove("AccountTaken"); // before anybody can listen; where accounts change hands, later
    kinds.remove("NodeReplaced"); // where nodes are
    kinds.removeAll(Set.of("ReminderFired", "RunProgress", "RunEnded")); // where reminders live

    Set<String> seen =
        world.events().stream()
            .map(event -> event.getClass().getSimpleName())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(seen).isEqualTo(kinds);
  }

  private static Stream<Class<?>> kinds(Class<?> kind) {
    return kind.isInterface()
        ? Stream.of(kind.getPermittedSubclasses()).flatMap(EveryEvent::kinds)
        : Stream.of(kind);
  }

  @Test
  void every_end_is_seen() {
    assertThat(world.events(Event.Ended.class).stream().map(Event.Ended::status).distinct())
        .containsExactlyInAnyOrder(Status.FAILED, Status.HELD, Status.CANCELLED, Status.EXPIRED);
  }

  @Test
  void no_event_tells_what_a_message_says_or_what_is_secret() {
    assertThat(world.events()).hasSizeGreaterThan(50);
    assertThat(world.events())
        .allSatisfy(
            event -> assertThat(event.toString()).doesNotContain(SECRET).doesNotContain("words"));
  }

  @Test
  void every_message_that_was_taken_has_exactly_one_end() {
    List<String> accepted =
        world.events(Event.Accepted.class).stream().map(event -> event.id().toString()).toList();
    List<String> ended =
        Stream.concat(
                world.events(Event.Delivered.class).stream().map(event -> event.id().toString()),
                world.events(Event.Ended.class).stream().map(event -> event.id().toString()))
            .toList();

    assertThat(ended).containsExactlyInAnyOrderElementsOf(accepted);
  }
}
