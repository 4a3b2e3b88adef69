package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.view.Health;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Order inside a lane, and independence between lanes. */
public abstract class Lanes extends EngineBehaviour {
  @BeforeEach
  void foretellable() {
    steadyBackoff();
  }

  private List<String> textsTo(String chat) {
    List<String> texts = new ArrayList<>();
    for (Request request : world.platform.arrivals()) {
      if (request.chat().equals(chat)) {
        texts.add(String.valueOf(request.text()));
      }
    }
    return texts;
  }

  @Test
  void two_chats_do_not_wait_for_each_other() {
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).neverAnswering());

    world.send("ann", "stuck");
    world.send("bob", "free");

    assertThat(world.platform.texts()).containsExactly("free");
  }

  @Test
  void a_message_is_not_sent_while_the_one_before_it_is_under_way() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(10)));
    world.send("ann", "slow");
    world.send("ann", "next");

    world.pass(seconds(9));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly("slow", "next");
  }

  @Test
  void a_thousand_lanes_in_backoff_do_not_hide_the_one_that_is_due() {
    world.start();
    world.platform.mood(
        dispatch ->
            dispatch.to().equals("due") ? world.platform.delivered() : Reaction.of(REFUSED));
    for (int i = 0; i < 1000; i++) {
      world.send(to("waiting" + i, "later"));
    }
    crashAndStart();

    Delivery due = world.send("due", "now");

    assertThat(world.status(due)).isEqualTo(Status.DELIVERED);
    world.platform.mood(_ -> world.platform.delivered());
    world.pass(seconds(5));
    assertThat(world.platform.arrivals()).hasSize(1001);
  }

  @Test
  void order_survives_retries_throttles_crashes_and_restarts() {
    world.start();
    world.platform.then(REFUSED, throttled(ThrottleScope.CHAT, seconds(3)), REFUSED);
    for (int i = 0; i < 6; i++) {
      world.send("ann", "m" + i);
    }
    crashAndStart();
    world.pass(seconds(5));
    restart();
    world.send("ann", "m6");
    world.pass(seconds(3));
    crashAndStart();
    world.send("ann", "m7");
    world.pass(minutes(5));

    assertThat(textsTo("ann")).containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7");
  }

  @Test
  void messages_handed_in_together_keep_their_order() {
    world.start();
    world.platform.then(REFUSED);
    List<Message> batch = IntStream.range(0, 50).mapToObj(i -> to("ann", "m" + i).build()).toList();

    world.postrider().sendAll(batch);
    world.pass(seconds(5));

    assertThat(textsTo("ann")).isEqualTo(batch.stream().map(Message::text).toList());
  }

  @Test
  void a_message_outside_the_order_neither_waits_nor_holds_up() {
    world.start();
    world.platform.then(REFUSED);
    world.send("ann", "head");

    world.send(to("ann", "loose").ordering(Ordering.NONE));
    assertThat(world.platform.texts()).containsExactly("loose");
    world.platform.then(REFUSED);
    world.send(to("bob", "loose in back-off").ordering(Ordering.NONE));
    world.send("bob", "not held up");

    assertThat(world.platform.texts()).containsExactly("loose", "not held up");
    world.pass(seconds(5));
    assertThat(world.platform.texts()).contains("head", "loose in back-off");
  }

  // ---- sendAt

  @Test
  void a_message_for_later_joins_its_lane_at_its_time() {
    world.start();
    Instant noon = world.time.instant().plus(hours(3));
    Delivery later = world.send(to("ann", "later").sendAt(noon));

    world.send("ann", "now");
    assertThat(world.platform.texts()).containsExactly("now");
    world.pass(hours(3).minusMillis(1));
    assertThat(world.status(later)).isEqualTo(Status.QUEUED);
    world.pass(millis(1));

    assertThat(world.platform.texts()).containsExactly("now", "later");
    assertThat(world.message(later.id()).late()).isFalse();
  }

  @Test
  void a_message_whose_time_has_come_waits_for_those_before_it_and_holds_those_behind() {
    world.start();
    world.platform.then(REFUSED, REFUSED);
    world.send(to("ann", "scheduled").sendAt(world.time.instant().plus(seconds(7))));
    world.send("ann", "first"); // refused at 0 and 5, goes out at 30

    world.pass(seconds(8));
    world.send("ann", "last");
    assertThat(world.platform.texts()).isEmpty();
    world.pass(seconds(22));

    assertThat(world.platform.texts()).containsExactly("first", "scheduled", "last");
  }

  @Test
  void messages_for_later_survive_a_restart_and_go_out_at_their_time() {
    world.start();
    Instant start = world.time.instant();
    world.send(to("ann", "second").sendAt(start.plus(minutes(20))));
    world.send(to("ann", "first").sendAt(start.plus(minutes(10))));
    world.send(to("ann", "loose").ordering(Ordering.NONE).sendAt(start.plus(minutes(30))));

    crashAndStart();
    world.pass(minutes(9));
    assertThat(world.platform.texts()).isEmpty();
    world.pass(minutes(1));
    assertThat(world.platform.texts()).containsExactly("first");
    world.stop();
    world.pass(hours(1)); // nobody is there when their time comes
    world.start();

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("first", "second", "loose");
  }

  @Test
  void a_message_whose_time_had_come_stays_due_when_the_clock_is_set_back() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(10)));
    world.send("ann", "slow");
    world.send(to("ann", "scheduled").sendAt(world.time.instant().plus(seconds(5))));
    world.pass(seconds(6));

    world.time.jump(minutes(-1));
    world.pass(seconds(4));

    assertThat(world.platform.texts()).containsExactly("slow", "scheduled");
  }

  // ---- pausing

  @Test
  void a_paused_lane_waits_over_a_restart_and_goes_on_in_order() {
    world.start();
    world.postrider().pauseLane("bot", "ann", "quiet, please");
    world.send("ann", "one");
    world.send("ann", "two");
    world.send("bob", "free");

    crashAndStart();
    world.send("ann", "three");
    world.pass(hours(1));
    assertThat(world.platform.texts()).containsExactly("free");
    assertThat(world.postrider().stats().pausedLanes()).isEqualTo(1);
    world.postrider().resumeLane("bot", "ann");
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("free", "one", "two", "three");
    assertThat(world.events(Event.LaneResumed.class)).hasSize(1);
    assertThat(refusal(() -> world.postrider().resumeLane("bot", "ann")).getMessage())
        .contains("not paused");
  }

  @Test
  void many_paused_lanes_cost_a_send_nothing() {
    FlakyStore counted = new FlakyStore(world.time);
    world =
        new World(time -> counted.around(openStore(folder, time)), world.time, world.platform, 1);
    world.start();
    pauseWithOneWaiting("paused0");
    long besideOne = readsOfTenSends(counted);
    for (int i = 1; i < 1_100; i++) { // more than two pages, if they were due
      pauseWithOneWaiting("paused" + i);
    }

    assertThat(readsOfTenSends(counted)).isEqualTo(besideOne);
    crashAndStart();
    assertThat(readsOfTenSends(counted)).isEqualTo(besideOne);

    world.postrider().resumeLane("bot", "paused7");
    world.time.settle();
    assertThat(textsTo("paused7")).containsExactly("waits");
    assertThat(textsTo("paused8")).isEmpty();
  }

  @Test
  void what_waits_on_a_paused_account_is_not_read() {
    FlakyStore counted = new FlakyStore(world.time);
    world =
        new World(time -> counted.around(openStore(folder, time)), world.time, world.platform, 1);
    world.start();
    world.postrider().pauseAccount("bot", "quiet, please");
    for (int i = 0; i < 20; i++) {
      world.send("bob" + i, "waits");
    }
    counted.calls().clear();

    world.pass(minutes(1));

    assertThat(counted.calls()).doesNotContain("due", "nextDue");
    world.postrider().resumeAccount("bot");
    world.time.settle();
    assertThat(world.platform.texts()).hasSize(20);
  }

  private void pauseWithOneWaiting(String chat) {
    world.postrider().pauseLane("bot", chat, "quiet, please");
    world.send(chat, "waits");
  }

  /** How often the store is asked for what is due while ten messages are sent, each twice. */
  private long readsOfTenSends(FlakyStore counted) {
    world.pass(seconds(70)); // whatever has happened before is over
    counted.calls().clear();
    for (int i = 0; i < 10; i++) {
      world.platform.then(Reaction.of(throttled(ThrottleScope.CHAT, seconds(1))));
      Delivery delivery = world.send("bob" + i, "twice");
      world.pass(seconds(7)); // the safety sweep looks as well
      assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    }
    return counted.calls().stream().filter(call -> call.equals("due")).count();
  }

  @Test
  void a_lane_paused_while_its_head_waits_sends_nothing() {
    world.platform.pace(Pace.UNLIMITED, Pace.perMinute(1));
    world.start();
    world.send("ann", "one");
    world.send("ann", "two"); // waits for the chat's token

    world.postrider().pauseLane("bot", "ann", "stop");
    world.pass(minutes(5));
    assertThat(world.platform.texts()).containsExactly("one");
    world.postrider().resumeLane("bot", "ann");
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("one", "two");
  }

  @Test
  void a_paused_account_waits_over_a_restart_and_is_drained_when_resumed() {
    world.start();
    world.postrider().pauseAccount("bot", "maintenance");
    world.send("ann", "one");
    world.send("bob", "two");

    crashAndStart();
    world.pass(hours(1));
    assertThat(world.platform.texts()).isEmpty();
    assertThat(account("bot").health()).isEqualTo(Health.PAUSED);
    assertThat(account("bot").reason()).isEqualTo("maintenance");
    world.postrider().resumeAccount("bot");
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("one", "two");
    restart();
    assertThat(account("bot").health()).isEqualTo(Health.READY);
  }

  // ---- many lanes

  @Test
  void more_lanes_than_fit_into_memory_are_all_sent_and_nobody_is_overtaken() {
    world.start();
    world.postrider().pauseAccount("bot", "filling");
    List<Message> batch = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      batch.add(to("chat" + i, "m").build());
    }
    world.postrider().sendAll(batch);
    world.platform.concurrency(1);
    restart();

    world.postrider().resumeAccount("bot");
    world.send("late", "comer");
    world.time.settle();

    List<String> chats = world.platform.requests().stream().map(Request::chat).toList();
    assertThat(chats).hasSize(5_001).doesNotHaveDuplicates();
    assertThat(chats.subList(0, 5_000)).isEqualTo(batch.stream().map(Message::to).toList());
    assertThat(chats.getLast()).isEqualTo("late");
  }

  @Test
  void lanes_of_several_messages_take_turns() {
    world.start();
    world.postrider().pauseAccount("bot", "filling");
    List<Message> batch = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      batch.add(to("chat" + i % 300, "m" + i / 300).build());
    }
    world.postrider().sendAll(batch);
    world.platform.pace(Pace.perSecond(100), Pace.UNLIMITED);
    restart();

    world.postrider().resumeAccount("bot");
    world.pass(seconds(20));

    List<Request> sent = world.platform.requests();
    assertThat(sent).hasSize(900);
    assertThat(sent.subList(0, 300).stream().map(Request::chat).distinct()).hasSize(300);
    for (int i = 0; i < 300; i++) {
      assertThat(textsTo("chat" + i)).containsExactly("m0", "m1", "m2");
    }
  }

  @Test
  void idle_lanes_leave_nothing_in_memory() {
    world.platform.pace(Pace.UNLIMITED, Pace.perSecond(5));
    world.start();
    world.platform.then(REFUSED, throttled(ThrottleScope.CHAT, seconds(3)), rejected());
    for (int i = 0; i < 500; i++) {
      Priority priority = i % 2 == 0 ? Priority.LIVE : Priority.BULK;
      world.send(to("idle-chat-" + i, "one").priority(priority));
      world.send(to("idle-chat-" + i, "two"));
    }
    world.pass(minutes(1));
    assertThat(world.platform.arrivals()).hasSize(999);
    for (int i = 0; i < 64; i++) {
      world.send("later-" + i, "full buckets are forgotten when others are met");
    }
    world.pass(minutes(1));

    assertThat(Memory.of(world.postrider()).textsContaining("idle-chat-")).isEmpty();
  }
}
