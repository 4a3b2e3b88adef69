package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Delivery;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Refused;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.PausedLane;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One chat is one lane and one session, whatever way its address is written. */
public abstract class Spellings extends EngineBehaviour {
  private static final String NUMBER = "491701";

  @BeforeEach
  void numbers() {
    world.platform.spelling(Spellings::digits);
    world.platform.hook(
        request -> Hook.Answer.Genuine.of(List.of(arrival(request.text(), request.text()))));
  }

  private static String digits(String to) {
    String digits = to.replaceAll("[ +]", "");
    if (!digits.matches("\\d+")) {
      throw new InvalidInput("to", "is no number; write it with digits");
    }
    return digits;
  }

  private static InboundMessage arrival(String platformId, String chat) {
    return new InboundMessage(
        platformId,
        InboundMessage.Kind.MESSAGE,
        chat,
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender(chat, null),
        "hello",
        List.of(),
        null,
        null,
        null,
        null,
        Map.of());
  }

  private void hears(String chat) {
    byte[] body = chat.getBytes(StandardCharsets.UTF_8);
    world
        .postrider()
        .receive("bot", new Hook.Request("POST", Map.of(), Map.of(), body, Instant.EPOCH));
  }

  private List<String> lanes() {
    return world.postrider().lanes(LaneFilter.of("bot"), null, 100).items().stream()
        .map(LaneView::chat)
        .toList();
  }

  private List<String> listed(@Nullable String account, String chat) {
    MessageFilter filter = new MessageFilter.Builder().account(account).chat(chat).build();
    return world.postrider().list(filter, null, 100).items().reversed().stream()
        .map(message -> String.valueOf(message.message().text()))
        .toList();
  }

  /** A process from before chats were spelled: it did not remember that they are. */
  private void startAsBefore() {
    world.platform.spelling(to -> to);
    world.start();
    world.postrider().pauseAccount("bot", "later");
  }

  private void startSpelling() {
    world.time.await(
        world
            .store()
            .receive(
                "bot",
                List.of(),
                null,
                List.of(Remembered.forget(null, "postrider.lanes-spelled"))));
    world.platform.spelling(Spellings::digits);
    restart();
  }

  // ---- sending

  @Test
  void three_spellings_of_a_number_are_one_lane_and_go_out_in_order() {
    world.platform.mood(_ -> world.platform.delivered().taking(seconds(1)));
    world.start();
    Delivery first = world.send("+49 170 1", "m1");
    world.send("+491701", "m2");
    world.send(NUMBER, "m3");

    assertThat(lanes()).containsExactly(NUMBER);
    world.pass(seconds(10));
    assertThat(world.platform.texts()).containsExactly("m1", "m2", "m3");
    assertThat(world.platform.requests()).extracting(Request::chat).containsOnly(NUMBER);
    assertThat(world.message(first.id()).message().to()).isEqualTo(NUMBER);
    assertThat(world.events(Event.Accepted.class))
        .extracting(Event.Accepted::to)
        .containsOnly(NUMBER);
  }

  @Test
  void all_spellings_share_one_pace() {
    world.platform.pace(Pace.UNLIMITED, Pace.perSecond(1));
    world.start();
    world.send("+49 170 1", "m1");
    world.send(NUMBER, "m2");
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("m1");
    world.pass(seconds(1));
    assertThat(world.platform.texts()).containsExactly("m1", "m2");
  }

  @Test
  void what_cannot_be_an_address_is_refused_with_the_remedy() {
    world.start();

    Refused refused = refusal(() -> world.send("ann", "hello"));

    assertThat(refused.why()).isEqualTo(Refused.Cause.INVALID);
    assertThat(refused.field()).isEqualTo("to");
    assertThat(refused).hasMessageContaining("write it with digits");
    assertThatThrownBy(() -> world.postrider().pauseLane("bot", "ann", "why"))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void an_idempotency_key_knows_its_message_in_another_spelling() {
    world.start();
    Delivery first = world.send(to("+49 170 1", "once").idempotencyKey("k"));

    assertThat(world.send(to(NUMBER, "once").idempotencyKey("k")).id()).isEqualTo(first.id());
    assertThat(refusal(() -> world.send(to("49 170 2", "once").idempotencyKey("k"))).why())
        .isEqualTo(Refused.Cause.KEY_REUSED);
    assertThat(refusal(() -> world.send(to(NUMBER, "other").idempotencyKey("k"))).why())
        .isEqualTo(Refused.Cause.KEY_REUSED);
  }

  @Test
  void an_idempotency_key_from_before_knows_its_message() {
    startAsBefore();
    Message.Builder message = to("+49 170 1", "once").idempotencyKey("k").metadata(Map.of("n", 1));
    Delivery first = world.send(message);
    startSpelling();

    assertThat(world.send(message).id()).isEqualTo(first.id());
  }

  // ---- operating and looking

  @Test
  void a_lane_is_paused_and_resumed_by_any_spelling() {
    world.start();
    world.postrider().pauseLane("bot", "+49 170 1", "why");
    world.send(NUMBER, "m1");
    world.pass(seconds(1));
    assertThat(world.platform.texts()).isEmpty();
    assertThat(world.store().pausedLanes()).extracting(PausedLane::chat).containsExactly(NUMBER);

    world.postrider().resumeLane("bot", "+49 1701");
    world.pass(seconds(1));
    assertThat(world.platform.texts()).containsExactly("m1");
  }

  @Test
  void messages_are_found_by_any_spelling_of_their_chat() {
    world.start();
    world.send("+49 170 1", "m1");
    world.send(NUMBER, "m2");
    world.pass(seconds(1));

    assertThat(listed("bot", "+491701")).containsExactly("m1", "m2");
    assertThat(listed(null, "49 1701")).containsExactly("m1", "m2");
    assertThat(listed("bot", "nobody")).isEmpty();
    assertThat(world.postrider().chatName("bot", "+49 170 1")).isEqualTo(NUMBER);
  }

  // ---- what comes in

  @Test
  void what_comes_in_under_any_spelling_is_one_session() {
    world.start();
    hears("+49 170 1");
    hears(NUMBER);
    hears("somebody");

    List<StoredInbound> inbound =
        world.postrider().inbox().list(InboundFilter.ALL, null, 10).items().reversed();
    assertThat(inbound)
        .extracting(StoredInbound::sessionId)
        .containsExactly("bot/" + NUMBER, "bot/" + NUMBER, "bot/somebody");
    assertThat(inbound)
        .extracting(one -> one.arrival().chat())
        .containsExactly(NUMBER, NUMBER, "somebody");
  }

  // ---- what was stored before

  @Test
  void lanes_from_before_are_joined_in_order_at_the_start() {
    startAsBefore();
    world.send("+49 170 1", "a1");
    world.send(NUMBER, "b1");
    world.send("+49 170 1", "a2");
    world.postrider().pauseLane("bot", "49 2", "why");
    startSpelling();

    assertThat(lanes()).containsExactly(NUMBER, "492");
    assertThat(world.store().pausedLanes()).extracting(PausedLane::chat).containsExactly("492");
    assertThat(world.store().aliases())
        .contains(new ChatAlias("bot", "+49 170 1", NUMBER), new ChatAlias("bot", "49 2", "492"));
    world.send("+491701", "c1");
    world.postrider().resumeAccount("bot");
    world.pass(seconds(5));
    assertThat(world.platform.texts()).containsExactly("b1", "a1", "a2", "c1");
    assertThat(listed("bot", "+49 170 1")).containsExactly("a1", "b1", "a2", "c1");
  }

  @Test
  void a_lane_that_was_being_sent_when_the_process_died_joins_when_that_has_ended() {
    world.platform.spelling(to -> to);
    world.platform.then(Reaction.of(new Outcome.Unknown("?")).neverAnswering());
    world.start();
    Delivery first = world.send("+49 170 1", "a1");
    world.send("+49 170 1", "a2");
    world.pass(seconds(1));
    world.platform.spelling(Spellings::digits);
    crashAndStart();
    world.pass(minutes(1));

    assertThat(world.status(first)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("a1", "a2");
    assertThat(world.store().aliases()).containsExactly(new ChatAlias("bot", "+49 170 1", NUMBER));
  }

  @Test
  void an_address_from_before_that_cannot_be_one_is_sent_to_all_the_same() {
    startAsBefore();
    Delivery odd = world.send("ann", "hello");
    world.postrider().pauseLane("bot", "bob", "why");
    startSpelling();
    world.postrider().resumeLane("bot", "bob");
    world.postrider().resumeAccount("bot");
    world.pass(seconds(1));

    assertThat(world.status(odd)).isEqualTo(Status.DELIVERED);
    assertThat(listed("bot", "ann")).containsExactly("hello");
    assertThat(Set.copyOf(lanes())).isEmpty();
  }

  @Test
  void a_dead_letter_from_before_is_replayed_into_the_joined_lane() {
    startAsBefore();
    world.platform.then(new Outcome.Rejected(Outcome.Blame.MESSAGE, "no"));
    world.postrider().resumeAccount("bot");
    Delivery dead = world.send("+49 170 1", "hello");
    world.pass(seconds(1));
    startSpelling();

    Delivery again = world.postrider().replay(dead.id());
    assertThat(world.message(again.id()).message().to()).isEqualTo(NUMBER);
  }
}
