package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.Inbox;
import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.config.SessionKey;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
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

  // ---- sessions

  private Inbox inbox() {
    return world.postrider().inbox();
  }

  /** Something comes in while nobody knows yet that both names are one chat. */
  private void hearsOfOneName(String... platformIds) {
    told = List.of();
    world.start();
    for (String id : platformIds) {
      hears(id);
    }
    told = List.of(new Alias(LID, PHONE));
  }

  /** All that is handed out now. */
  private List<StoredInbound> handedOut() {
    List<StoredInbound> all = inbox().lease(Set.of(), 9, minutes(5), Duration.ZERO);
    world.time.settle();
    return all;
  }

  private StoredInbound handedOut(String platformId) {
    List<StoredInbound> all = handedOut();
    assertThat(all).extracting(one -> one.arrival().platformId()).containsExactly(platformId);
    return all.getFirst();
  }

  private void handled(StoredInbound inbound, String... answers) {
    inbox()
        .ack(
            Objects.requireNonNull(inbound.handling().lease()),
            Stream.of(answers).map(text -> inbox().replyTo(inbound).text(text).build()).toList());
    world.time.settle();
  }

  @Test
  void what_waits_in_a_session_that_is_joined_comes_first_and_one_at_a_time() {
    hearsOfOneName("1", "2");
    hears("3");

    assertThat(sessions()).containsExactly("bot/" + PHONE, "bot/" + PHONE, "bot/" + PHONE);
    assertThat(inbox().sessions(null, null, 9).items())
        .extracting(SessionView::id, SessionView::waiting)
        .containsExactly(tuple("bot/" + PHONE, 3));
    handled(handedOut("1"));
    handled(handedOut("2"));
    handled(handedOut("3"));
    assertThat(inbox().session("bot/" + LID).orElseThrow())
        .isEqualTo(inbox().session("bot/" + PHONE).orElseThrow());
  }

  @Test
  void what_is_being_handled_when_sessions_are_joined_is_whose_it_was() {
    hearsOfOneName("1", "2");
    StoredInbound first = handedOut("1");

    hears("3");
    assertThat(handedOut()).isEmpty();
    handled(first, "an answer");

    assertThat(world.platform.texts()).containsExactly("an answer");
    handled(handedOut("2"));
    handled(handedOut("3"));
  }

  @Test
  void what_was_heard_when_the_process_ended_is_in_one_session_after_it() {
    hearsOfOneName("1");
    world.time.await(
        world
            .store()
            .receive(
                "bot",
                List.of(),
                null,
                List.of(),
                List.of(new Alias(LID, PHONE)),
                SessionKey.DEFAULT));
    crashAndStart();
    hears("2");

    assertThat(sessions()).containsExactly("bot/" + PHONE, "bot/" + PHONE);
    handled(handedOut("1"));
    handled(handedOut("2"));
  }

  @Test
  void a_session_that_a_person_has_taken_over_stays_theirs_under_its_new_name() {
    hearsOfOneName("1");
    inbox().pause("bot/" + LID, "Ann sees to it");
    hears("2");

    assertThat(handedOut()).isEmpty();
    assertThat(inbox().session("bot/" + PHONE).orElseThrow().pausedBecause())
        .isEqualTo("Ann sees to it");
    inbox().resume("bot/" + LID);
    handled(handedOut("1"));
    handled(handedOut("2"));
  }

  @Test
  void a_session_is_paused_by_its_former_name_too() {
    hearsOfOneName("1");
    hears("2");

    assertThat(inbox().pause("bot/" + LID, "by hand").id()).isEqualTo("bot/" + PHONE);

    assertThat(handedOut()).isEmpty();
    assertThat(world.events(Event.SessionPaused.class))
        .singleElement()
        .matches(paused -> paused.session().equals("bot/" + PHONE));
  }

  @Test
  void a_session_that_was_joined_has_one_history() {
    hearsOfOneName("1");
    handled(handedOut("1"), "answer 1");
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    hears("2");
    StoredInbound second = handedOut("2");
    world.send(Message.to("bot", LID).text("on its way").sessionId("bot/" + LID));
    hears("3");
    handled(second, "answer 2");
    world.pass(seconds(10));

    List<SessionEntry> history = inbox().history("bot/" + PHONE, null, 99).items();
    assertThat(history.reversed())
        .extracting(Aliases::line)
        .containsExactlyInAnyOrder("1", "answer 1", "2", "3", "on its way", "answer 2");
    assertThat(inbox().history("bot/" + LID, null, 99).items()).isEqualTo(history);
  }

  private static String line(SessionEntry entry) {
    return switch (entry) {
      case SessionEntry.Heard heard -> heard.inbound().arrival().platformId();
      case SessionEntry.Said said -> String.valueOf(said.message().message().text());
    };
  }

  @Test
  void a_chat_that_moves_while_it_is_sent_to_takes_its_session_along() {
    hearsOfOneName("1");
    told = List.of();
    world.platform.then(new Outcome.Repairable(new Fix.NewChat(PHONE), "moved"));
    world.send(LID, "l1");
    hears("2");

    assertThat(world.store().aliases()).containsExactly(JOINED);
    assertThat(sessions()).containsExactly("bot/" + PHONE, "bot/" + PHONE);
    handled(handedOut("1"));
    handled(handedOut("2"));
  }

  // ---- crashes and other trouble

  @Test
  void what_was_told_is_joined_after_a_crash() {
    world.start();
    world.postrider().pauseAccount("bot", "later");
    world.send(LID, "l1");
    world.time.await(
        world
            .store()
            .receive(
                "bot",
                List.of(),
                null,
                List.of(),
                List.of(new Alias(LID, PHONE)),
                SessionKey.DEFAULT));
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
