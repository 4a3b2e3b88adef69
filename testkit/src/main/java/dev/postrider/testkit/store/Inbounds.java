package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events from platforms: each stored once, in order, together with how far the stream was read. */
abstract class Inbounds extends StoreBehaviour {
  Inbounds(StoreContract contract) {
    super(contract);
  }

  private static InboundMessage arrival(String platformId, @Nullable String text) {
    return new InboundMessage(
        platformId,
        InboundMessage.Kind.MESSAGE,
        "ann",
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender("7", "Ann"),
        text,
        List.of(),
        "42",
        null,
        null,
        at(0),
        Map.of("id", platformId));
  }

  private static NewInbound event(String platformId, String session, Instant receivedAt) {
    return event(arrival(platformId, "hello"), session, receivedAt);
  }

  private static NewInbound event(InboundMessage arrival, String session, Instant receivedAt) {
    return new NewInbound(
        new InboundId(MessageDraft.nextId().value()), arrival, session, receivedAt);
  }

  private static NewInbound event(String platformId) {
    return event(platformId, "s", at(0));
  }

  private List<ReceiveResult> receive(String account, NewInbound... events) {
    return done(store.receive(account, List.of(events), null));
  }

  private static ReceiveResult fresh(NewInbound event) {
    return new ReceiveResult(event.id(), true);
  }

  private static ReceiveResult known(NewInbound first) {
    return new ReceiveResult(first.id(), false);
  }

  private StoredInbound found(NewInbound event) {
    return store.inbound(event.id()).orElseThrow();
  }

  private List<InboundId> walk(InboundFilter filter, int limit) {
    List<InboundId> all = new ArrayList<>();
    String cursor = null;
    do {
      Page<StoredInbound> page = store.inbound(filter, cursor, limit);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      page.items().forEach(item -> all.add(item.id()));
      cursor = page.next();
      assertThat(all).as("a list that ends").hasSizeLessThan(1_000);
    } while (cursor != null);
    return all;
  }

  // ---- storing

  @Test
  void an_event_is_stored_and_found() {
    NewInbound event = event("1", "session", at(3));

    assertThat(receive("bot", event)).containsExactly(fresh(event));

    StoredInbound stored = found(event);
    assertThat(stored)
        .isEqualTo(
            new StoredInbound(
                stored.row(),
                event.id(),
                "bot",
                "session",
                event.arrival(),
                at(3),
                InboundStatus.PENDING,
                HandlingState.waiting(at(3)),
                null,
                null));
    assertThat(store.inbound(new InboundId(MessageDraft.nextId().value()))).isEmpty();
    reopen();
    assertThat(store.inbound(event.id())).contains(stored);
  }

  @Test
  void an_event_needs_nobody_to_own_its_account() {
    NewInbound event = event("1");

    assertThat(receive("nobody works this", event)).containsExactly(fresh(event));

    assertThat(found(event).account()).isEqualTo("nobody works this");
  }

  @Test
  void an_event_that_is_known_is_recognised_and_not_stored_again() {
    NewInbound first = event("1", "session", at(1));
    NewInbound again = event(arrival("1", "told otherwise"), "other", at(2));
    receive("bot", first);

    assertThat(receive("bot", again)).containsExactly(known(first));

    assertThat(found(first).arrival()).isEqualTo(first.arrival());
    assertThat(store.inbound(again.id())).isEmpty();
    reopen();
    assertThat(receive("bot", again)).containsExactly(known(first));
  }

  @Test
  void an_event_told_twice_in_one_breath_is_stored_once() {
    NewInbound first = event("1");
    NewInbound other = event("2");

    assertThat(receive("bot", first, event("1"), other, event("2")))
        .containsExactly(fresh(first), known(first), fresh(other), known(other));
  }

  @Test
  void two_accounts_may_call_their_events_the_same() {
    NewInbound ours = event("1");
    NewInbound theirs = event("1");

    assertThat(receive("bot", ours)).containsExactly(fresh(ours));
    assertThat(receive("other", theirs)).containsExactly(fresh(theirs));
  }

  @Test
  void names_that_differ_in_anything_are_two() {
    List<NewInbound> events =
        List.of(
            event("a"),
            event("A"),
            event("a "),
            event(""),
            event("ä"),
            event("a\u0308"),
            event("x".repeat(100_000)),
            event("x".repeat(100_001)));

    List<ReceiveResult> received = done(store.receive("bot", events, null));

    assertThat(received).containsExactlyElementsOf(events.stream().map(Inbounds::fresh).toList());
  }

  @Test
  void of_many_who_bring_the_same_at_once_one_is_first_and_all_hear_who() {
    List<CompletableFuture<List<ReceiveResult>>> writes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      int turn = i;
      List<NewInbound> events =
          new ArrayList<>(
              IntStream.range(0, 3).mapToObj(n -> event("e" + (turn * 7 + n) % 50)).toList());
      Collections.rotate(events, turn);
      writes.add(store.receive("bot", events, null));
    }

    Map<InboundId, Integer> stored = new HashMap<>();
    for (CompletableFuture<List<ReceiveResult>> write : writes) {
      for (ReceiveResult received : done(write)) {
        stored.merge(received.id(), received.isNew() ? 1 : 0, Integer::sum);
      }
    }
    assertThat(stored).hasSize(50).allSatisfy((_, news) -> assertThat(news).isEqualTo(1));
    assertThat(Set.copyOf(walk(InboundFilter.ALL, 100))).isEqualTo(stored.keySet());
  }

  // ---- the cursor

  @Test
  void a_stream_is_at_its_beginning_until_it_was_read() {
    assertThat(store.cursor("bot")).isEmpty();
    assertThat(store.cursor("nobody")).isEmpty();
  }

  @Test
  void the_cursor_is_stored_with_the_events() {
    NewInbound event = event("1");
    done(store.receive("bot", List.of(event), "12 ✓"));

    assertThat(store.cursor("bot")).contains("12 ✓");
    assertThat(store.cursor("other")).isEmpty();
    reopen();
    assertThat(store.cursor("bot")).contains("12 ✓");
    assertThat(store.inbound(event.id())).isPresent();
  }

  @Test
  void the_cursor_stays_where_it_is_unless_told() {
    done(store.receive("bot", List.of(), "1"));
    receive("bot", event("1"));

    assertThat(store.cursor("bot")).contains("1");
  }

  @Test
  void the_cursor_moves_over_events_that_were_known() {
    receive("bot", event("1"));
    done(store.receive("bot", List.of(event("1")), "2"));

    assertThat(store.cursor("bot")).contains("2");
  }

  @Test
  void of_cursors_handed_in_together_the_last_counts() {
    List<CompletableFuture<List<ReceiveResult>>> writes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String account = i % 2 == 0 ? "bot" : "other";
      writes.add(store.receive(account, List.of(event("e" + i)), "c" + i));
    }
    writes.forEach(this::done);

    assertThat(store.cursor("bot")).contains("c198");
    assertThat(store.cursor("other")).contains("c199");
  }

  // ---- order

  @Test
  void events_keep_the_order_in_which_they_came() {
    List<NewInbound> events = new ArrayList<>();
    List<CompletableFuture<List<ReceiveResult>>> writes = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      NewInbound one = event("z" + (997 * i) % 1_000, "s" + i % 3, at(1_000 - i));
      NewInbound two = event("y" + (997 * i) % 1_000, "s" + i % 3, at(1_000 - i));
      events.addAll(List.of(one, two));
      writes.add(store.receive(i % 2 == 0 ? "bot" : "other", List.of(one, two), null));
    }
    writes.forEach(this::done);

    List<Long> rows = events.stream().map(event -> found(event).row()).toList();
    assertThat(rows).isSorted().doesNotHaveDuplicates();
  }

  // ---- lists

  @Test
  void lists_go_from_the_newest_on_and_know_account_session_and_status() {
    List<NewInbound> bots = new ArrayList<>();
    List<NewInbound> others = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      NewInbound bot = event("b" + i, "s" + i % 2, at(i));
      NewInbound other = event("o" + i, "s" + i % 2, at(i));
      receive("bot", bot);
      receive("other", other);
      bots.addFirst(bot);
      others.addFirst(other);
    }
    List<InboundId> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      all.add(others.get(i).id());
      all.add(bots.get(i).id());
    }

    for (int limit : List.of(1, 2, 5, 7, 14, 100)) {
      assertThat(walk(InboundFilter.ALL, limit)).isEqualTo(all);
      assertThat(walk(new InboundFilter(null, null, InboundStatus.PENDING), limit)).isEqualTo(all);
      assertThat(walk(new InboundFilter("bot", null, null), limit))
          .isEqualTo(bots.stream().map(NewInbound::id).toList());
      assertThat(walk(new InboundFilter(null, "s0", null), limit)).hasSize(8);
      assertThat(walk(new InboundFilter("other", "s0", InboundStatus.PENDING), limit))
          .isEqualTo(
              others.stream()
                  .filter(event -> event.sessionId().equals("s0"))
                  .map(NewInbound::id)
                  .toList());
      assertThat(walk(new InboundFilter("nobody", null, null), limit)).isEmpty();
      assertThat(walk(new InboundFilter(null, "none", null), limit)).isEmpty();
    }
  }

  @Test
  void a_cursor_of_another_list_is_refused() {
    assertThatThrownBy(() -> store.inbound(InboundFilter.ALL, "x", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'x'");
  }

  // ---- round trips

  @Test
  void every_field_of_an_event_comes_back() {
    Map<String, @Nullable Object> raw = new LinkedHashMap<>();
    raw.put("nothing", null);
    raw.put("list", Arrays.asList(1, 0.1, null, 9_007_199_254_740_993L, Map.of("a", List.of())));
    raw.put("", "no name");
    InboundMessage full =
        new InboundMessage(
            "id \u0000 ✓",
            InboundMessage.Kind.ACTION,
            "-100 änn 😀",
            InboundMessage.ChatKind.GROUP,
            new InboundMessage.Sender("", null),
            "text \u0000 \"quoted\" \u2028 👩‍👩‍👧",
            List.of(
                new InboundMessage.File(
                    "image", "f1", "https://example.org/ä", "a b.png", "image/png", 0L),
                new InboundMessage.File("voice", null, null, null, null, null)),
            "m",
            "r",
            "t",
            Instant.parse("2026-03-01T13:00:00.123456789Z"),
            raw);
    NewInbound event = event(full, "session ✓", Instant.parse("2026-03-01T12:00:00.000001Z"));

    receive("bot", event);

    assertThat(found(event).arrival()).isEqualTo(full);
    assertThat(List.copyOf(found(event).arrival().raw().keySet()))
        .isEqualTo(List.copyOf(raw.keySet()));
    assertThat(found(event).sessionId()).isEqualTo("session ✓");
    assertThat(found(event).receivedAt()).isEqualTo(event.receivedAt());
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void any_event_comes_back(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < 40; i++) {
      NewInbound event = event(RandomValues.arrival(random, "e" + i), "s", at(0));
      receive("bot", event);
      assertThat(found(event).arrival())
          .as("seed %d, event %d", seed, i)
          .isEqualTo(event.arrival());
    }
  }

  @Test
  void events_of_a_megabyte_come_back_many_at_once() {
    List<NewInbound> events = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Map<String, @Nullable Object> raw = Map.of("n", i, "bulk", "ä".repeat(1 << 19));
      InboundMessage large =
          new InboundMessage(
              "e" + i,
              InboundMessage.Kind.OTHER,
              "ann",
              InboundMessage.ChatKind.CHANNEL,
              new InboundMessage.Sender("7", null),
              null,
              List.of(),
              null,
              null,
              null,
              null,
              raw);
      events.add(event(large, "s", at(0)));
    }

    List<ReceiveResult> received = done(store.receive("bot", events, "c"));

    assertThat(received).containsExactlyElementsOf(events.stream().map(Inbounds::fresh).toList());
    List<StoredInbound> listed = new ArrayList<>();
    String cursor = null;
    do {
      Page<StoredInbound> page = store.inbound(InboundFilter.ALL, cursor, 20);
      listed.addAll(page.items());
      cursor = page.next();
    } while (cursor != null);
    assertThat(listed.stream().map(StoredInbound::arrival).toList())
        .as("what came, the newest first")
        .isEqualTo(events.reversed().stream().map(NewInbound::arrival).toList());
  }

  @Test
  void what_is_nested_deeply_or_cut_in_the_middle_of_an_emoji_stops_nothing() {
    Map<String, @Nullable Object> deep = Map.of("core", true);
    for (int i = 0; i < 498; i++) {
      deep = Map.of("in", deep);
    }
    InboundMessage hello = arrival("deep", "cut \uD83D");
    InboundMessage odd =
        new InboundMessage(
            hello.platformId(),
            hello.kind(),
            hello.chat(),
            hello.chatKind(),
            hello.sender(),
            hello.text(),
            hello.media(),
            hello.messageId(),
            null,
            null,
            null,
            deep);
    NewInbound event = event(odd, "s", at(0));

    receive("bot", event);

    assertThat(found(event).arrival().raw()).isEqualTo(deep);
    assertThat(found(event).arrival().text()).isEqualTo("cut ?");
  }
}
