package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Ordering;
import dev.postrider.message.Status;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A chat that gets a new name: what is sent to either name afterwards goes one way, in the order of
 * acceptance, whoever goes on using the old one and whenever the process ends.
 */
public abstract class Moves extends EngineBehaviour {
  private static final String OLD = "-1";
  private static final String NEW = "-100";

  /** The platform knows the old name no more, and says the new one. */
  private Reaction platform(Dispatch dispatch) {
    return dispatch.to().equals(OLD)
        ? Reaction.of(new Outcome.Repairable(new Fix.NewChat(NEW), "upgraded"))
        : world.platform.delivered();
  }

  private void startMoved() {
    world.platform.mood(this::platform);
    world.start();
  }

  private List<@Nullable String> arrived() {
    return world.platform.texts();
  }

  private long toldByPlatform() {
    return world.platform.requests().stream().map(Request::chat).filter(OLD::equals).count();
  }

  /** Hands in messages while the account is paused, then lets it go. */
  private void sendTogether(String... texts) {
    world.postrider().pauseAccount("bot", "later");
    for (String text : texts) {
      world.send(OLD, text);
    }
    world.postrider().resumeAccount("bot");
  }

  // ---- a producer that goes on using the old name

  @Test
  void whoever_goes_on_using_the_old_name_stays_in_order() {
    world.platform.mood(dispatch -> platform(dispatch).taking(seconds(1)));
    world.start();
    sendTogether("m1", "m2", "m3", "m4");
    for (int i = 5; i <= 12; i++) { // while what waits is moving, and after it
      world.pass(millis(500));
      world.send(OLD, "m" + i);
    }
    world.pass(minutes(1));

    assertThat(arrived())
        .containsExactly("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12");
    assertThat(toldByPlatform()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void both_names_are_one_lane_whatever_the_timing(long step) {
    world.platform.mood(dispatch -> platform(dispatch).taking(millis(70)));
    world.start();
    List<String> sent = new ArrayList<>();
    for (int i = 1; i <= 30; i++) {
      sent.add("m" + i);
      world.send(toldByPlatform() > 0 && i % 3 == 0 && moved() ? NEW : OLD, "m" + i);
      world.pass(millis(step * 7));
    }
    world.pass(minutes(1));

    assertThat(arrived()).isEqualTo(sent);
  }

  private boolean moved() {
    return !world.events(Event.LaneMoved.class).isEmpty();
  }

  @Test
  void a_long_queue_moves_whole() {
    startMoved();
    world.postrider().pauseAccount("bot", "later");
    List<String> sent = new ArrayList<>();
    for (int i = 1; i <= 600; i++) {
      sent.add("m" + i);
      world.send(OLD, "m" + i);
    }
    world.postrider().resumeAccount("bot");
    world.send(OLD, "last");
    sent.add("last");
    world.pass(minutes(1));

    assertThat(arrived()).isEqualTo(sent);
    assertThat(toldByPlatform()).isEqualTo(1);
  }

  @Test
  void what_is_accepted_for_the_old_name_says_where_it_goes() {
    startMoved();
    world.send(OLD, "m1");

    Delivery delivery = world.send(to(OLD, "m2").idempotencyKey("k"));

    assertThat(world.message(delivery.id()).message().to()).isEqualTo(NEW);
    assertThat(world.send(to(OLD, "m2").idempotencyKey("k")).id()).isEqualTo(delivery.id());
    assertThat(world.store().aliases()).containsExactly(new ChatAlias("bot", OLD, NEW));
    assertThat(world.events(Event.LaneMoved.class)).hasSize(1);
    assertThat(toldByPlatform()).isEqualTo(1);
  }

  @Test
  void the_messages_of_a_chat_are_found_under_every_name_ended_before_its_move_or_after() {
    world.configure(config -> config.account(AccountConfig.of("other", "fake")));
    world.start();
    world.send(OLD, "before");
    world.send(Message.to("other", NEW).text("another account's"));
    world.platform.mood(this::platform);
    world.send(OLD, "told");
    world.send(to(OLD, "after").sessionId("s"));
    world.send(to(NEW, "now").sessionId("s"));
    world.send("else", "another chat's");

    assertThat(found(new MessageFilter.Builder().chat(OLD)))
        .containsExactly("now", "after", "told", "before");
    assertThat(found(new MessageFilter.Builder().account("bot").chat(NEW)))
        .containsExactly("now", "after", "told", "before");
    assertThat(found(new MessageFilter.Builder().chat(NEW)))
        .containsExactly("now", "after", "told", "another account's", "before");
    assertThat(found(new MessageFilter.Builder().sessionId("s").chat(OLD)))
        .containsExactly("now", "after");
    assertThat(found(new MessageFilter.Builder().account("other").chat(OLD))).isEmpty();
    assertThat(world.postrider().formerNames("bot", NEW)).containsExactly(OLD);
    assertThat(world.postrider().chatName("bot", OLD)).isEqualTo(NEW);
    assertThat(world.postrider().formerNames("other", NEW)).isEmpty();
  }

  /** Page by page, of one message each. */
  private List<@Nullable String> found(MessageFilter.Builder filter) {
    List<@Nullable String> texts = new ArrayList<>();
    String cursor = null;
    do {
      Page<StoredMessage> page = world.postrider().list(filter.build(), cursor, 1);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(1);
      page.items().forEach(message -> texts.add(message.message().text()));
      cursor = page.next();
    } while (cursor != null);
    return texts;
  }

  // ---- crashes

  /** The process ends after so many steps of its work, wherever that is. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30})
  void a_crash_at_any_moment_of_a_move_keeps_the_order(int after) {
    world.platform.deduplicating();
    world.platform.mood(dispatch -> platform(dispatch).taking(millis(10)));
    world.start();
    sendTogether("m1", "m2", "m3", "m4", "m5");
    world.pass(millis(after));

    world.crash();
    world.start();
    world.send(OLD, "m6");
    world.pass(millis(5));
    world.send(OLD, "m7");
    world.pass(minutes(2));

    assertThat(arrived()).containsExactly("m1", "m2", "m3", "m4", "m5", "m6", "m7");
    assertThat(world.store().aliases()).containsExactly(new ChatAlias("bot", OLD, NEW));
  }

  @Test
  void the_new_name_is_known_after_a_restart() {
    startMoved();
    world.send(OLD, "m1");

    crashAndStart();
    world.send(OLD, "m2");
    world.send(NEW, "m3");
    world.send(OLD, "m4");

    assertThat(arrived()).containsExactly("m1", "m2", "m3", "m4");
    assertThat(toldByPlatform()).isEqualTo(1);
  }

  // ---- chains

  @Test
  void a_chat_that_moves_twice_is_found_under_every_name() {
    startMoved();
    world.send(OLD, "m1");
    world.platform.mood(
        dispatch ->
            dispatch.to().equals("-200")
                ? world.platform.delivered()
                : Reaction.of(new Outcome.Repairable(new Fix.NewChat("-200"), "again")));
    world.send(NEW, "m2");

    world.send(OLD, "m3");
    world.send(NEW, "m4");

    assertThat(arrived()).containsExactly("m1", "m2", "m3", "m4");
    assertThat(world.store().aliases())
        .containsExactlyInAnyOrder(
            new ChatAlias("bot", OLD, "-200"), new ChatAlias("bot", NEW, "-200"));
    assertThat(world.platform.requests()).hasSize(6); // each move told once
  }

  @Test
  void a_platform_that_sends_a_chat_back_and_forth_moves_it_once() {
    world.start();
    world.platform.then(new Outcome.Repairable(new Fix.NewChat(NEW), "there"));
    world.send(OLD, "m1");
    world.platform.then(new Outcome.Repairable(new Fix.NewChat(OLD), "back"));
    Delivery second = world.send(NEW, "m2");
    world.send(OLD, "m3");

    assertThat(world.status(second)).isEqualTo(Status.DELIVERED);
    assertThat(arrived()).containsExactly("m1", "m2", "m3");
    assertThat(world.store().aliases()).containsExactly(new ChatAlias("bot", OLD, NEW));
  }

  // ---- what goes along

  @Test
  void a_pause_goes_along() {
    world.platform.mood(dispatch -> platform(dispatch).taking(seconds(1)));
    world.start();
    sendTogether("m1", "m2");
    world.pass(millis(1500)); // between the platform's word and the end of the first message
    world.postrider().pauseLane("bot", OLD, "by hand");

    world.pass(minutes(1));
    assertThat(arrived()).containsExactly("m1");
    world.send(OLD, "m3");
    world.send(NEW, "m4");
    world.pass(minutes(1));
    assertThat(arrived()).containsExactly("m1");

    world.postrider().resumeLane("bot", OLD); // by its old name
    world.pass(minutes(1));
    assertThat(arrived()).containsExactly("m1", "m2", "m3", "m4");
  }

  @Test
  void a_lane_is_paused_by_either_name() {
    startMoved();
    world.send(OLD, "m1");

    world.postrider().pauseLane("bot", OLD, "by hand");
    world.send(NEW, "m2");
    assertThat(arrived()).containsExactly("m1");
    assertThat(world.store().lanes(LaneFilter.of("bot"), null, 10).items())
        .extracting(LaneView::chat)
        .containsExactly(NEW);
    crashAndStart();
    assertThat(arrived()).containsExactly("m1");

    world.postrider().resumeLane("bot", NEW);
    world.pass(seconds(1));
    assertThat(arrived()).containsExactly("m1", "m2");
  }

  @Test
  void what_was_spent_on_the_old_name_counts_for_the_new_one() {
    world.platform.pace(Pace.UNLIMITED, Pace.perMinute(2).burst(2));
    startMoved();
    sendTogether("m1", "m2");
    world.pass(seconds(1));

    assertThat(arrived()).containsExactly("m1"); // its two requests took both tokens
    world.pass(seconds(30));
    assertThat(arrived()).containsExactly("m1", "m2");
  }

  @Test
  void messages_outside_the_order_do_not_move_a_lane_that_is_being_sent() {
    world.platform.mood(dispatch -> platform(dispatch).taking(seconds(5)));
    world.start();
    world.send(OLD, "m1");
    world.pass(seconds(1));
    world.platform.mood(this::platform);
    world.send(to(OLD, "outside").ordering(Ordering.NONE));
    world.send(OLD, "m2");
    world.pass(seconds(1));
    assertThat(arrived()).containsExactly("outside");

    world.pass(minutes(1));

    assertThat(arrived()).containsExactly("outside", "m1", "m2");
    assertThat(world.store().aliases()).containsExactly(new ChatAlias("bot", OLD, NEW));
  }

  @Test
  void a_scheduled_message_for_the_old_name_arrives_at_the_new_one() {
    startMoved();
    Delivery scheduled = world.send(to(OLD, "later").sendAt(world.time.instant().plus(minutes(5))));
    world.send(OLD, "m1");
    world.pass(minutes(6));

    assertThat(arrived()).containsExactly("m1", "later");
    assertThat(world.message(scheduled.id()).message().to()).isEqualTo(NEW);
    assertThat(toldByPlatform()).isEqualTo(1);
  }
}
