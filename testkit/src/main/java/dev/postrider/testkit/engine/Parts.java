package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.Delivery;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.PartState;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages of several parts. */
public abstract class Parts extends EngineBehaviour {
  private static final String TEXT = "aaaabbbbccccdddd";
  private static final String[] CHUNKS = {"aaaa", "bbbb", "cccc", "dddd"};

  @BeforeEach
  void smallParts() {
    steadyBackoff();
    world.platform.textLimit(4);
  }

  private List<PartState.State> states(Delivery delivery) {
    return world.message(delivery.id()).progress().parts().stream().map(PartState::state).toList();
  }

  @Test
  void a_long_text_goes_out_in_parts_in_order() {
    world.start();

    Delivery delivery = world.send("ann", TEXT);

    assertThat(world.platform.texts()).containsExactly(CHUNKS);
    assertThat(world.platform.requests().stream().map(Request::part)).containsExactly(0, 1, 2, 3);
    assertThat(world.platform.requests().stream().map(Request::key).distinct()).hasSize(4);
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).attempts()).isEqualTo(1);
    assertThat(world.events(Event.PartDelivered.class)).hasSize(3);
    assertThat(world.events(Event.Delivered.class)).hasSize(1);
  }

  @Test
  void the_whole_plan_is_stored_before_the_first_part_goes_out() {
    world.start();
    List<Integer> planned = new ArrayList<>();
    world.platform.mood(
        dispatch -> {
          planned.add(world.message(dispatch.id()).plan().parts().size());
          return world.platform.delivered();
        });

    world.send("ann", TEXT);

    assertThat(planned).containsExactly(4, 4, 4, 4);
  }

  @Test
  void each_part_is_stored_before_the_next_one_goes_out() {
    world.start();
    List<Integer> storedBefore = new ArrayList<>();
    world.platform.mood(
        dispatch -> {
          StoredMessage now = world.message(dispatch.id());
          storedBefore.add(now.progress().nextPending());
          return world.platform.delivered();
        });

    world.send("ann", TEXT);

    assertThat(storedBefore).containsExactly(0, 1, 2, 3);
  }

  @Test
  void a_retry_goes_on_at_the_first_part_that_was_not_delivered() {
    world.start();
    world.platform.then(Outcome.delivered("a"), Outcome.delivered("b"), REFUSED);

    Delivery delivery = world.send("ann", TEXT);
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly(CHUNKS);
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(2);
  }

  @Test
  void a_throttle_between_parts_costs_no_attempt_and_repeats_nothing() {
    world.start();
    world.platform.then(Outcome.delivered("a"), throttled(ThrottleScope.CHAT, seconds(40)));

    Delivery delivery = world.send("ann", TEXT);
    world.pass(seconds(39));
    assertThat(world.platform.texts()).containsExactly("aaaa");
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly(CHUNKS);
    assertThat(attempts(delivery)).isEqualTo(1);
  }

  @Test
  void a_message_is_delivered_only_when_all_its_parts_are() {
    world.start();
    world.platform.then(
        Outcome.delivered("a"), rejected(), Outcome.delivered("c"), Outcome.delivered("d"));

    Delivery delivery = world.send("ann", TEXT);

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.platform.texts()).containsExactly("aaaa");
    assertThat(states(delivery))
        .containsExactly(
            PartState.State.DELIVERED,
            PartState.State.PENDING,
            PartState.State.PENDING,
            PartState.State.PENDING);
  }

  @Test
  void a_crash_between_parts_loses_none_and_repeats_at_most_the_one_in_doubt() {
    world.start();
    world.platform.then(
        Reaction.of(Outcome.delivered("a")), Reaction.of(Outcome.delivered("b")).neverAnswering());
    Delivery delivery = world.send("ann", TEXT);

    crashAndStart();
    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb", "bbbb", "cccc", "dddd");
    assertThat(world.message(delivery.id()).possibleDuplicate()).isTrue();
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_crash_while_a_message_waits_for_its_next_part_repeats_nothing() {
    world.platform.pace(Pace.UNLIMITED, Pace.perMinute(1));
    world.start();
    Delivery delivery = world.send("ann", TEXT);
    world.pass(minutes(1));
    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");

    crashAndStart();
    world.pass(minutes(5));

    assertThat(world.platform.texts()).startsWith("aaaa", "bbbb");
    assertThat(world.platform.texts()).containsExactly(CHUNKS);
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_message_whose_account_goes_away_between_parts_is_finished_when_it_is_back() {
    world.platform.pace(Pace.UNLIMITED, Pace.perMinute(1));
    world.start();
    Delivery delivery = world.send("ann", TEXT);
    assertThat(world.platform.texts()).containsExactly("aaaa");

    world.platform.context("bot").notReady("reconnecting");
    world.time.settle();
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    world.pass(minutes(10));
    assertThat(world.platform.texts()).containsExactly("aaaa");
    world.platform.context("bot").ready();
    world.pass(minutes(3));

    assertThat(world.platform.texts()).containsExactly(CHUNKS);
    assertThat(attempts(delivery)).isEqualTo(1);
  }

  @Test
  void a_stop_between_parts_waits_for_nobody_and_the_rest_goes_out_after_the_start() {
    world.platform.pace(Pace.UNLIMITED, Pace.perMinute(1));
    world.start();
    Delivery delivery = world.send("ann", TEXT);

    restart();
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
    world.pass(minutes(3));

    assertThat(world.platform.texts()).containsExactly(CHUNKS);
  }

  @Test
  void a_long_message_to_a_slow_chat_does_not_take_the_place_of_others() {
    world.platform.pace(Pace.UNLIMITED, Pace.perMinute(1)).concurrency(1);
    world.start();

    world.send("slow", TEXT);
    world.send("quick", "hi");

    assertThat(world.platform.texts()).containsExactly("aaaa", "hi");
  }

  @Test
  void the_next_message_of_the_chat_waits_for_the_last_part() {
    world.start();
    world.platform.then(Outcome.delivered("a"), REFUSED);

    world.send("ann", TEXT);
    world.send("ann", "next");
    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb", "cccc", "dddd", "next");
  }

  @Test
  void what_people_should_know_of_a_delivered_part_is_in_its_history() {
    world.platform.then(
        new Outcome.Delivered(
            new Receipt("r1", true), Map.of(), List.of(), "held for an assessment"));
    world.start();

    Delivery delivery = world.send("ann", "aaaa");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.history(delivery))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.outcome()).isEqualTo("accepted");
              assertThat(entry.error()).isEqualTo("held for an assessment");
            });
  }

  @Test
  void pieces_that_share_a_request_have_one_key_and_one_outcome() {
    world.platform.bundling(3);
    List<List<String>> bundles = new ArrayList<>();
    world.platform.mood(
        dispatch -> {
          bundles.add(dispatch.pieces().stream().map(it -> String.valueOf(it.text())).toList());
          return bundles.size() == 1
              ? Reaction.of(new Outcome.NotSent("busy"))
              : Reaction.of(Outcome.delivered("receipt-" + dispatch.index()));
        });
    world.start();

    Delivery delivery = world.send("ann", TEXT);
    crashAndStart();
    world.pass(minutes(1));

    assertThat(bundles)
        .containsExactly(
            List.of("aaaa", "bbbb", "cccc"), List.of("aaaa", "bbbb", "cccc"), List.of("dddd"));
    List<Request> requests = world.platform.requests();
    assertThat(requests.get(0).key()).isEqualTo(requests.get(1).key());
    assertThat(requests.get(1).key()).isNotEqualTo(requests.get(2).key());
    assertThat(world.message(delivery.id()).progress().parts())
        .extracting(part -> Objects.requireNonNull(part.receipt()).id())
        .containsExactly("receipt-0", "receipt-1");
  }

  @Test
  void the_pieces_of_a_request_have_their_own_files() {
    Rule rule = new Rule(Set.of(), 1 << 20, false);
    world.platform.media(
        new MediaRules(
            Map.of(MediaKind.DOCUMENT, rule), null, 1, List.of(), false, true, Reuse.NONE));
    world.platform.bundling(5);
    List<String> seen = new ArrayList<>();
    world.platform.mood(
        dispatch -> {
          for (Dispatch.Piece piece : dispatch.pieces()) {
            seen.add(
                piece.text()
                    + piece.cargo().stream().map(it -> it.attachment().filename()).toList());
          }
          return world.platform.delivered();
        });
    world.start();

    world.send(
        Message.to("bot", "ann")
            .text("aaaa")
            .media(
                List.of(
                    Media.at("data:text/plain,one").named("1.txt"),
                    Media.at("data:text/plain,two").named("2.txt"))));

    assertThat(world.platform.requests()).hasSize(1);
    assertThat(seen).containsExactly("null[1.txt]", "null[2.txt]", "aaaa[]");
  }

  @Test
  void options_go_with_every_part_and_content_with_the_last() {
    world.platform.options("username");
    List<Map<String, @Nullable Object>> seen = new ArrayList<>();
    world.platform.mood(
        dispatch -> {
          seen.add(dispatch.channelData());
          return world.platform.delivered();
        });
    world.start();

    world.send(
        Message.to("bot", "ann")
            .text("aaaabbbb")
            .channelData(Map.of("username", "Desk", "buttons", "yes")));

    assertThat(seen)
        .containsExactly(Map.of("username", "Desk"), Map.of("username", "Desk", "buttons", "yes"));
  }

  @Test
  void options_alone_are_nothing_to_send_and_content_alone_is_enough() {
    world.platform.options("username");
    world.start();
    Message.Builder message = Message.to("bot", "ann");

    Refused refused =
        catchThrowableOfType(
            Refused.class, () -> world.send(message.channelData(Map.of("username", "Desk"))));
    Delivery delivery = world.send(message.channelData(Map.of("buttons", "yes")));

    assertThat(refused.field()).isEqualTo("channelData.username");
    assertThat(refused).hasMessageContaining("add a text or a file");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }
}
