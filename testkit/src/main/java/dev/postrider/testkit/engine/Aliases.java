package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A platform that uses two names for one chat, and says so when something comes in: both are one
 * lane and one session from then on.
 */
public abstract class Aliases extends EngineBehaviour {
  private static final String LID = "1@lid";
  private static final String PHONE = "49@c.us";

  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  private List<Alias> told = List.of(new Alias(LID, PHONE));

  @BeforeEach
  void platform() {
    disk = new FlakyStore(world.time);
    world = new World(time -> disk.around(openStore(folder, time)), world.time, world.platform, 1);
    steadyBackoff();
    world.platform.hook(
        request -> Hook.Answer.Genuine.of(List.of(arrival(request.text(), LID))).naming(told));
  }

  static InboundMessage arrival(String platformId, String chat) {
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

  static Hook.Request request(String body) {
    return new Hook.Request(
        "POST", Map.of(), Map.of(), body.getBytes(StandardCharsets.UTF_8), Instant.EPOCH);
  }

  private void hears(String platformId) {
    world.postrider().receive("bot", request(platformId));
    world.time.settle();
  }

  private List<String> lanes() {
    return world.postrider().lanes(LaneFilter.of("bot"), null, 100).items().stream()
        .map(LaneView::chat)
        .toList();
  }

  private List<String> sessions() {
    return world.postrider().inbox().list(InboundFilter.ALL, null, 10).items().reversed().stream()
        .map(StoredInbound::sessionId)
        .toList();
  }

  private static final ChatAlias JOINED = new ChatAlias("bot", LID, PHONE);

  @Test
  void a_hook_that_tells_another_name_joins_lane_and_session() {
    world.start();
    world.postrider().pauseAccount("bot", "later");
    world.send(LID, "l1");
    world.send(PHONE, "p1");
    world.send(LID, "l2");
    hears("1");
    world.send(LID, "l3");
    world.send(PHONE, "p2");

    assertThat(lanes()).containsExactly(PHONE);
    assertThat(world.store().aliases()).containsExactly(JOINED);
    assertThat(world.events(Event.LaneMoved.class)).hasSize(1);
    assertThat(sessions()).containsExactly("bot/" + PHONE);
    world.postrider().resumeAccount("bot");
    world.pass(seconds(5));
    assertThat(world.platform.texts()).containsExactly("p1", "l1", "l2", "l3", "p2");
  }

  @Test
  void what_is_told_again_costs_nothing() {
    world.start();
    hears("1");
    world.pass(minutes(1));
    int before = disk.calls().size();
    hears("2");

    assertThat(disk.calls().subList(before, disk.calls().size())).containsExactly("receive");
    assertThat(world.store().toldAliases()).isEmpty();
    assertThat(world.events(Event.LaneMoved.class)).hasSize(1);
    assertThat(sessions()).containsOnly("bot/" + PHONE);
  }

  @Test
  void a_session_that_was_there_under_the_former_name_says_where_it_went() {
    told = List.of();
    world.start();
    hears("1");
    told = List.of(new Alias(LID, PHONE));
    hears("2");
    hears("3");

    assertThat(sessions()).containsExactly("bot/" + LID, "bot/" + PHONE, "bot/" + PHONE);
    assertThat(world.postrider().chatName("bot", LID)).isEqualTo(PHONE);
  }

  @Test
  void what_was_told_is_joined_after_a_crash() {
    world.start();
    world.postrider().pauseAccount("bot", "later");
    world.send(LID, "l1");
    world.time.await(
        world.store().receive("bot", List.of(), null, List.of(), List.of(new Alias(LID, PHONE))));
    crashAndStart();
    world.time.settle();

    assertThat(lanes()).containsExactly(PHONE);
    assertThat(world.store().toldAliases()).isEmpty();
    assertThat(world.store().aliases()).containsExactly(JOINED);
  }

  @Test
  void a_lane_that_is_being_sent_from_joins_when_its_message_has_ended() {
    world.platform.then(world.platform.delivered().taking(seconds(10)));
    world.start();
    world.send(LID, "l1");
    world.send(LID, "l2");
    hears("1");
    world.send(LID, "l3");
    world.pass(seconds(5));
    assertThat(world.store().toldAliases()).containsExactly(JOINED);
    world.pass(seconds(10));

    assertThat(world.platform.texts()).containsExactly("l1", "l2", "l3");
    assertThat(world.store().aliases()).containsExactly(JOINED);
    assertThat(world.store().toldAliases()).isEmpty();
  }

  @Test
  void a_lane_whose_message_has_to_be_tried_again_joins_too() {
    world.platform.then(Reaction.of(new Outcome.NotSent("not now")).taking(seconds(2)));
    world.start();
    world.send(LID, "l1");
    world.send(LID, "l2");
    hears("1");
    world.pass(minutes(1));

    assertThat(world.platform.texts()).containsExactly("l1", "l2");
    assertThat(world.store().aliases()).containsExactly(JOINED);
  }

  @Test
  void a_store_that_is_away_when_the_lanes_are_joined_is_waited_for() {
    world.start();
    world.postrider().pauseAccount("bot", "later");
    world.send(LID, "l1");
    disk.fail("moveLane", 3, FlakyStore.Moment.BEFORE, IllegalStateException::new);
    hears("1");
    world.pass(minutes(1));

    assertThat(lanes()).containsExactly(PHONE);
    assertThat(world.rescued()).isZero();
  }

  @Test
  void a_link_that_listens_tells_another_name_and_memory_goes_along() {
    world.platform.listening(
        inlet -> {
          inlet.take(List.of(), List.of(), null, List.of(Remembered.of(LID, "token", "t")));
          inlet.take(
              List.of(arrival("1", LID)),
              List.of(),
              "1",
              List.of(),
              List.of(new Alias(LID, PHONE)));
          inlet.pause(hours(1));
        });
    world.start();
    world.pass(seconds(1));

    assertThat(world.store().aliases()).containsExactly(JOINED);
    assertThat(sessions()).containsExactly("bot/" + PHONE);
    assertThat(world.platform.context("bot").memory().read(PHONE, "token")).contains("t");
  }
}
