package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Delivery;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Receipt;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a channel is told once and knows again when it sends, whatever happened in between. */
public abstract class Remembering extends EngineBehaviour {
  private static final String KEY = "token";

  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  private final List<@Nullable String> known = new ArrayList<>(); // as the link read it

  @BeforeEach
  void platform() {
    disk = new FlakyStore(world.time);
    world = new World(time -> disk.around(openStore(folder, time)), world.time, world.platform, 1);
    steadyBackoff();
    world.platform.hook(this::read);
    world.platform.mood(this::readBeforeSending);
  }

  /** Takes {@code id:chat:token}; without an id there is no message. */
  private Hook.Answer read(Hook.Request request) {
    String[] words = request.text().split(":");
    InboundMessage arrival =
        new InboundMessage(
            words[0],
            InboundMessage.Kind.MESSAGE,
            words[1],
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender(words[1], null),
            "hello",
            List.of(),
            null,
            null,
            null,
            null,
            Map.of());
    return Hook.Answer.Genuine.of(words[0].isEmpty() ? List.of() : List.of(arrival))
        .remembering(List.of(until(words[1], words[2])));
  }

  private Remembered until(String chat, String token) {
    return Remembered.until(world.time.instant().plus(minutes(15)), chat, KEY, token);
  }

  private void hook(String body) {
    world
        .postrider()
        .receive(
            "bot",
            new Hook.Request(
                "POST", Map.of(), Map.of(), body.getBytes(StandardCharsets.UTF_8), Instant.EPOCH));
  }

  private Memory memory() {
    return world.platform.context("bot").memory();
  }

  private Reaction readBeforeSending(Dispatch dispatch) {
    known.add(memory().read(dispatch.to(), KEY).orElse(null));
    return world.platform.delivered();
  }

  // ---- who tells

  @Test
  void what_a_hook_tells_is_known_when_sending_after_a_crash() {
    world.start();
    hook("1:ann:t1");
    crashAndStart();
    world.send("ann", "hello");
    world.send("bob", "hello");
    world.pass(seconds(1));

    assertThat(known).containsExactly("t1", null);
  }

  @Test
  void a_hook_may_tell_it_without_any_message() {
    world.start();
    hook(":ann:t1");
    world.send("ann", "hello");
    world.pass(seconds(1));

    assertThat(known).containsExactly("t1");
  }

  @Test
  void a_hook_whose_memory_could_not_be_stored_is_to_be_told_again() {
    world.start();
    disk.failWrites(true);
    assertThatThrownBy(() -> hook(":ann:t1")).isInstanceOf(StoreUnavailable.class);
    disk.failWrites(false);
    assertThat(memory().read("ann", KEY)).isEmpty();
    hook(":ann:t1");
    assertThat(memory().read("ann", KEY)).contains("t1");
  }

  @Test
  void a_link_that_listens_tells_it_with_what_it_heard() {
    world.platform.listening(
        inlet -> {
          inlet.take(List.of(), List.of(), "1", List.of(until("ann", "t1")));
          inlet.pause(hours(1));
        });
    world.start();
    world.pass(seconds(1));

    assertThat(memory().read("ann", KEY)).contains("t1");
    assertThat(world.store().cursor("bot")).contains("1");
  }

  @Test
  void an_outcome_tells_it_with_each_part_and_with_the_last() {
    world.platform.textLimit(10);
    int[] sent = {0};
    world.platform.mood(
        dispatch -> {
          known.add(memory().read(null, "part").orElse(null));
          String part = String.valueOf(++sent[0]);
          return Reaction.of(
              new Outcome.Delivered(
                  new Receipt("r" + part, false),
                  Map.of(),
                  List.of(Remembered.of(null, "part", part))));
        });
    world.start();
    world.send("ann", "one two three four");
    world.pass(seconds(1));

    assertThat(known).containsExactly(null, "1");
    crashAndStart();
    assertThat(memory().read(null, "part")).contains("2");
  }

  // ---- how long

  @Test
  void what_has_expired_is_unknown_and_goes_from_the_store() {
    world.start();
    hook(":ann:t1");
    Instant told = world.time.instant();
    world.pass(minutes(14));
    world.send("ann", "in time");
    world.pass(minutes(2));
    world.send("ann", "too late");
    world.pass(minutes(6));

    assertThat(known).containsExactly("t1", null);
    assertThat(world.store().remembered("bot", "ann", KEY, told)).as("pruned").isEmpty();
  }

  // ---- of the account itself

  @Test
  void what_may_be_used_once_is_used_by_one() {
    world.start();
    memory().write(Remembered.of(null, "refresh", "t0"));

    assertThat(memory().replace("t0", Remembered.of(null, "refresh", "t1"))).isTrue();
    assertThat(memory().replace("t0", Remembered.of(null, "refresh", "t2"))).isFalse();
    restart();
    assertThat(memory().read(null, "refresh")).contains("t1");
    memory().remove(null, "refresh");
    assertThat(memory().read(null, "refresh")).isEmpty();
  }

  @Test
  void many_things_are_stored_in_one_write_or_not_at_all() {
    world.start();
    List<Remembered> group = new ArrayList<>(List.of(Remembered.of(null, "group", "all")));
    for (int i = 0; i < 500; i++) {
      group.add(until("chat" + i, "of the group"));
    }
    disk.failOnce("receive", new StoreUnavailable("the disk is full"));
    assertThatThrownBy(() -> memory().write(group)).isInstanceOf(NotSentException.class);
    assertThat(memory().read("chat499", KEY)).isEmpty();
    int before = disk.calls().size();
    memory().write(group);
    assertThat(disk.calls().subList(before, disk.calls().size())).containsExactly("receive");
    crashAndStart();

    assertThat(memory().read(null, "group")).contains("all");
    assertThat(group.subList(1, 501))
        .allSatisfy(one -> assertThat(memory().read(one.chat(), KEY)).contains("of the group"));
    memory().write(group.stream().map(one -> Remembered.forget(one.chat(), one.key())).toList());
    assertThat(memory().read(null, "group")).isEmpty();
    assertThat(memory().read("chat0", KEY)).isEmpty();
  }

  @Test
  void a_link_that_asks_while_the_store_is_away_has_sent_nothing() {
    world.start();
    world.platform.mood(
        dispatch -> {
          disk.failOnce("remember", new StoreUnavailable("the disk is full"));
          memory().replace(null, Remembered.of(null, "refresh", "t" + known.size()));
          known.add(dispatch.text());
          return world.platform.delivered();
        });

    assertThatThrownBy(
            () -> {
              disk.failOnce("remember", new StoreUnavailable("the disk is full"));
              memory().replace(null, Remembered.of(null, "refresh", "t"));
            })
        .isInstanceOf(NotSentException.class)
        .hasMessage("the store is away: the disk is full");
    Delivery delivery = world.send("ann", "hello");
    world.pass(seconds(1));
    assertThat(world.history(delivery)).extracting(HistoryEntry::outcome).containsOnly("not-sent");
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  // ---- who sees it

  @Test
  void nobody_is_told_of_it() {
    world.start();
    hook("1:ann:t1-secret");
    world.send("ann", "hello");
    world.pass(seconds(1));

    assertThat(world.events().toString()).doesNotContain("secret");
    assertThat(until("ann", "t1-secret").toString()).isEqualTo("Remembered[token]");
  }
}
