package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Delivery;
import dev.postrider.Inbox;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.event.Event;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Fix;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.view.ListeningView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What platforms tell: webhooks, streams that are listened to, and delivery reports on what was
 * sent.
 */
public abstract class Receiving extends EngineBehaviour {

  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  @BeforeEach
  void behindABadDisk() {
    disk = new FlakyStore(world.time);
    world = new World(time -> disk.around(openStore(folder, time)), world.time, world.platform, 1);
    steadyBackoff();
  }

  private static InboundMessage arrival(String platformId, String chat, String text) {
    return new InboundMessage(
        platformId,
        InboundMessage.Kind.MESSAGE,
        chat,
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender(chat, null),
        text,
        List.of(),
        null,
        null,
        null,
        null,
        Map.of("id", platformId));
  }

  private static Hook.Request request(String body) {
    return new Hook.Request(
        "POST", Map.of(), Map.of(), body.getBytes(StandardCharsets.UTF_8), Instant.EPOCH);
  }

  /** Takes {@code id:chat:text}; what begins otherwise is forged. */
  private static Hook.Answer read(Hook.Request request) {
    String[] words = request.text().split(":");
    return words.length == 3
        ? Hook.Answer.Genuine.of(List.of(arrival(words[0], words[1], words[2])))
        : new Hook.Answer.Forged("no signature");
  }

  private List<StoredInbound> inbound() {
    return world.postrider().inbox().list(InboundFilter.ALL, null, 100).items().reversed();
  }

  private List<String> texts() {
    return inbound().stream().map(inbound -> inbound.arrival().text()).toList();
  }

  // ---- webhooks

  @Test
  void a_webhook_is_stored_before_it_is_answered_and_survives_a_crash() {
    world.platform.hook(Receiving::read);
    world.start();

    Hook.Answer answer = world.postrider().receive("bot", request("1:ann:hello"));
    crashAndStart();

    assertThat(answer).isInstanceOf(Hook.Answer.Genuine.class);
    assertThat(texts()).containsExactly("hello");
    assertThat(inbound().getFirst().sessionId()).isEqualTo("bot/ann");
    assertThat(world.events(Event.InboundReceived.class)).hasSize(1);
  }

  @Test
  void the_same_event_told_twice_is_stored_and_announced_once() {
    world.platform.hook(Receiving::read);
    world.start();
    world.postrider().receive("bot", request("1:ann:hello"));
    restart();

    world.postrider().receive("bot", request("1:ann:hello"));
    world.postrider().receive("bot", request("2:ann:hello"));

    assertThat(inbound())
        .extracting(inbound -> inbound.arrival().platformId())
        .containsExactly("1", "2");
    assertThat(world.events(Event.InboundReceived.class)).hasSize(2);
  }

  @Test
  void a_forged_webhook_is_counted_and_not_stored() {
    world.platform.hook(Receiving::read);
    world.start();

    assertThat(world.postrider().receive("bot", request("nonsense")))
        .isEqualTo(new Hook.Answer.Forged("no signature"));
    assertThat(inbound()).isEmpty();
    assertThat(world.events(Event.InboundRefused.class))
        .extracting(Event.InboundRefused::cause)
        .containsExactly("no signature");
  }

  @Test
  void an_account_without_webhooks_says_so() {
    world.start();

    assertThat(refusal(() -> world.postrider().receive("bot", request("1:a:b"))).why())
        .isEqualTo(Refused.Cause.NOT_FOUND);
    assertThat(refusal(() -> world.postrider().receive("nobody", request("1:a:b"))).why())
        .isEqualTo(Refused.Cause.UNKNOWN_ACCOUNT);
  }

  @Test
  void events_are_known_for_thirty_days() {
    world.platform.hook(Receiving::read);
    world.start();
    world.postrider().receive("bot", request("1:ann:hello"));
    world.postrider().receive("bot", request("2:ann:not handled"));
    Inbox inbox = world.postrider().inbox();
    StoredInbound leased = inbox.lease(Set.of(), 1, minutes(1), Duration.ZERO).getFirst();
    inbox.ack(Objects.requireNonNull(leased.handling().lease()), List.of());

    pass(29);
    world.postrider().receive("bot", request("1:ann:again"));
    assertThat(texts()).containsExactly("hello", "not handled");
    pass(2);

    assertThat(texts()).containsExactly("not handled");
  }

  /** So many days, in a hurry: not every minute is looked at. */
  private void pass(int days) {
    world.time.jump(Duration.ofDays(days));
    world.pass(minutes(10));
  }

  @Test
  void a_webhook_that_cannot_be_stored_is_not_acknowledged() {
    world.platform.hook(Receiving::read);
    world.start();
    disk.failWrites(true);

    assertThatThrownBy(() -> world.postrider().receive("bot", request("1:ann:hello")))
        .isInstanceOf(StoreUnavailable.class);
    disk.failWrites(false);
    world.postrider().receive("bot", request("1:ann:hello"));

    assertThat(texts()).containsExactly("hello");
  }

  // ---- streams

  @Test
  void a_stream_waits_for_a_store_that_is_away() {
    world.platform.listening(
        inlet -> {
          inlet.pause(seconds(1));
          inlet.take(List.of(arrival("p1", "ann", "m1")), List.of(), "1");
          await(inlet);
        });
    world.start();
    disk.failWrites(true);
    world.pass(minutes(1));
    assertThat(inbound()).isEmpty();

    disk.failWrites(false);
    world.pass(seconds(2));

    assertThat(texts()).containsExactly("m1");
  }

  @Test
  void a_stream_is_read_on_from_where_it_was_handed_in() {
    List<String> cursors = new ArrayList<>();
    world.platform.listening(
        inlet -> {
          cursors.add(String.valueOf(inlet.cursor()));
          int next = inlet.cursor() == null ? 1 : Integer.parseInt(inlet.cursor()) + 1;
          inlet.take(List.of(arrival("p" + next, "ann", "m" + next)), List.of(), "" + next);
          await(inlet);
        });
    world.start();
    crashAndStart();
    restart();

    assertThat(cursors).containsExactly("null", "1", "2");
    assertThat(texts()).containsExactly("m1", "m2", "m3");
  }

  private static void await(InboundSink inlet) {
    while (inlet.pause(Duration.ofMinutes(10))) {
      // as a socket on which nothing comes
    }
  }

  @Test
  void a_listener_that_fails_begins_again_ever_more_slowly() {
    List<Long> begun = new ArrayList<>();
    long zero = world.time.instant().getEpochSecond();
    world.platform.listening(
        _ -> {
          begun.add(world.time.instant().getEpochSecond() - zero);
          throw new IOException("connection reset");
        });
    world.start();
    world.pass(minutes(3));

    assertThat(pauses(begun)).as("5 s, 15 s, a minute, each varied a little").hasSize(4);
    assertThat(pauses(begun).get(0)).isBetween(4L, 6L);
    assertThat(pauses(begun).get(1)).isBetween(13L, 17L);
    assertThat(pauses(begun).subList(2, 4)).allSatisfy(it -> assertThat(it).isBetween(54L, 66L));
  }

  private static List<Long> pauses(List<Long> begun) {
    return IntStream.range(1, begun.size()).mapToObj(i -> begun.get(i) - begun.get(i - 1)).toList();
  }

  @Test
  void a_platform_that_takes_every_connection_and_ends_it_at_once_is_not_called_in_a_loop() {
    List<Long> begun = new ArrayList<>();
    world.platform.listening(
        inlet -> {
          begun.add(world.time.instant().getEpochSecond());
          inlet.connected();
        });
    world.start();
    world.pass(minutes(3));

    assertThat(begun).hasSizeBetween(4, 6);
    assertThat(account("bot").listening().status()).isEqualTo(ListeningView.Status.FAILING);
    assertThat(account("bot").listening().cause()).contains("ends each connection");
  }

  @Test
  void a_link_that_asks_for_another_connection_without_having_had_one_does_not_hear() {
    world.platform.listening(_ -> {});
    world.start();
    world.pass(minutes(1));

    assertThat(account("bot").listening().status()).isEqualTo(ListeningView.Status.FAILING);
    assertThat(account("bot").listening().cause())
        .isEqualTo("the connection ended before it stood");
  }

  @Test
  void a_refusal_to_let_an_account_listen_is_shown_and_sending_goes_on() {
    Instant zero = world.time.instant();
    List<Duration> begun = new ArrayList<>();
    world.platform.listening(
        _ -> {
          begun.add(Duration.between(zero, world.time.instant()));
          throw new ListeningRefused("4014 the message content intent is off");
        });
    world.start();

    assertThat(account("bot").listening())
        .isEqualTo(
            new ListeningView(
                ListeningView.Status.REFUSED, zero, "4014 the message content intent is off"));
    Delivery sent = world.send("ann", "hello");
    world.pass(minutes(25));
    assertThat(world.status(sent)).isEqualTo(Status.DELIVERED);
    assertThat(begun).containsExactly(Duration.ZERO, minutes(10), minutes(20));
  }

  @Test
  void an_account_that_is_checked_asks_again_whether_it_may_listen() {
    AtomicBoolean allowed = new AtomicBoolean();
    world.platform.listening(
        inlet -> {
          if (!allowed.get()) {
            throw new ListeningRefused("the intent is off");
          }
          inlet.connected();
          await(inlet);
        });
    world.start();
    allowed.set(true);

    world.postrider().checkAccount("bot");
    world.pass(seconds(1));

    assertThat(account("bot").listening().status()).isEqualTo(ListeningView.Status.OK);
  }

  @Test
  void a_good_connection_resets_the_pause_even_if_nothing_arrives() {
    List<Long> begun = new ArrayList<>();
    long zero = world.time.instant().getEpochSecond();
    world.platform.listening(
        inlet -> {
          begun.add(world.time.instant().getEpochSecond() - zero);
          inlet.connected();
          inlet.pause(seconds(30));
          throw new IOException("connection reset");
        });
    world.start();
    world.pass(minutes(2));

    assertThat(pauses(begun)).hasSize(3).allSatisfy(it -> assertThat(it).isBetween(30L, 32L));
  }

  @Test
  void an_account_says_whether_it_hears_since_when_and_why_not() {
    Instant zero = world.time.instant();
    world.platform.listening(
        inlet -> {
          if (world.time.instant().isBefore(zero.plus(minutes(1)))) {
            throw new IOException("409 somebody else polls");
          }
          inlet.connected();
          await(inlet);
        });
    world.start();
    assertThat(account("bot").listening())
        .isEqualTo(
            new ListeningView(ListeningView.Status.FAILING, zero, "409 somebody else polls"));
    world.pass(minutes(3));

    assertThat(account("bot").listening().status()).isEqualTo(ListeningView.Status.OK);
    assertThat(world.events(Event.ListeningFailing.class)).as("told once").hasSize(1);
    assertThat(world.events(Event.ListeningOk.class)).hasSize(1);
  }

  @Test
  void an_account_that_does_not_listen_says_so() {
    world.start();
    assertThat(account("bot").listening()).isEqualTo(ListeningView.OFF);
  }

  @Test
  void a_listener_ends_when_its_account_does() {
    List<String> ended = new ArrayList<>();
    world.platform.listening(
        inlet -> {
          await(inlet);
          ended.add("ended");
        });
    world.start();

    world.stop();

    assertThat(ended).containsExactly("ended");
  }

  // ---- delivery reports

  @Test
  void late_word_is_kept_with_the_message_and_told() {
    world.platform.hook(
        request ->
            new Hook.Answer.Genuine(
                List.of(),
                List.of(
                    new DeliveryReport(
                        "wamid.1",
                        DeliveryReport.State.valueOf(request.text()),
                        world.time.instant(),
                        null)),
                Hook.Reply.OK));
    world.platform.then(Outcome.accepted("wamid.1"));
    world.start();
    Delivery delivery = world.send("ann", "hello");

    world.postrider().receive("bot", request("READ"));
    world.postrider().receive("bot", request("DELIVERED"));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    ReceiptState receipt = world.postrider().receipts(delivery.id()).getFirst();
    assertThat(Objects.requireNonNull(receipt.furthest()).state())
        .isEqualTo(DeliveryReport.State.READ);
    assertThat(world.events(Event.ReceiptUpdated.class)).hasSize(1);
    assertThat(world.events(Event.ReceiptUpdated.class).getFirst().id()).isEqualTo(delivery.id());
  }

  // ---- a chat that has moved

  @Test
  void what_comes_in_under_either_name_of_a_chat_that_has_moved_is_one_session() {
    world.platform.hook(Receiving::read);
    world.start();
    world.postrider().receive("bot", request("1:-1:before"));
    world.platform.then(new Outcome.Repairable(new Fix.NewChat("-100"), "upgraded"));
    world.send("-1", "hello");

    world.postrider().receive("bot", request("2:-1:late"));
    world.postrider().receive("bot", request("3:-100:after"));
    crashAndStart();
    world.postrider().receive("bot", request("4:-1:later still"));

    assertThat(inbound()).extracting(StoredInbound::sessionId).containsOnly("bot/-100").hasSize(4);
  }

  @Test
  void what_waits_for_a_chat_that_has_moved_goes_along_in_order() {
    world.platform.then(new Outcome.Repairable(new Fix.NewChat("-100"), "upgraded"));
    world.start();
    world.postrider().pauseAccount("bot", "later");
    for (int i = 1; i <= 5; i++) {
      world.send("-1", "m" + i);
    }
    world.send("-100", "was there before");

    world.postrider().resumeAccount("bot");
    world.time.settle();

    List<Request> requests = world.platform.requests();
    assertThat(requests).filteredOn(request -> request.chat().equals("-1")).hasSize(1);
    assertThat(requests.stream().filter(Request::arrived).map(Request::text))
        .containsSubsequence("m1", "m2", "m3", "m4", "m5")
        .containsSubsequence("was there before", "m2")
        .hasSize(6);
    assertThat(world.events(Event.LaneMoved.class))
        .extracting(Event.LaneMoved::messages)
        .containsExactly(4);
  }
}
