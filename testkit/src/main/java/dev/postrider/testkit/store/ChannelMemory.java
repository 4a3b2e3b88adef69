package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Remembered;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Progress;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What channels want to know again: per chat and per account, with expiry. */
abstract class ChannelMemory extends StoreBehaviour {
  private static final String SECRET = "xyz \u0001 \0 \u00e4 \ud83d\udc4b";

  private final StoreContract contract;

  ChannelMemory(StoreContract contract) {
    super(contract);
    this.contract = contract;
  }

  private static NewInbound event(String platformId) {
    InboundMessage arrival =
        new InboundMessage(
            platformId,
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", "Ann"),
            "hello",
            List.of(),
            null,
            null,
            null,
            at(0),
            Map.of());
    return new NewInbound(new InboundId(MessageDraft.nextId().value()), arrival, "s", at(0));
  }

  private void remember(Remembered... memory) {
    done(store.receive("bot", List.of(), null, List.of(memory)));
  }

  private @Nullable String known(@Nullable String chat, String key) {
    return known(chat, key, at(0));
  }

  private @Nullable String known(@Nullable String chat, String key, Instant now) {
    return store.remembered("bot", chat, key, now).map(Remembered::value).orElse(null);
  }

  private boolean replace(@Nullable String expected, Remembered by) {
    return done(store.remember("bot", expected, by, at(0)));
  }

  // ---- writing and reading

  @Test
  void each_chat_and_the_account_have_their_own_and_the_last_word_counts() {
    remember(
        Remembered.of(null, "token", "of the account"),
        Remembered.of("ann", "token", "of ann"),
        Remembered.of("bob", "token", SECRET),
        Remembered.of("bob", "other", "o"));
    remember(Remembered.of("ann", "token", "older"), Remembered.of("ann", "token", "newer"));
    done(store.receive("other", List.of(), null, List.of(Remembered.of("ann", "token", "theirs"))));
    reopen();

    assertThat(known(null, "token")).isEqualTo("of the account");
    assertThat(known("ann", "token")).isEqualTo("newer");
    assertThat(known("bob", "token")).isEqualTo(SECRET);
    assertThat(known("bob", "other")).isEqualTo("o");
    assertThat(known("eve", "token")).isNull();
    assertThat(store.remembered("nobody", "ann", "token", at(0))).isEmpty();
  }

  @Test
  void what_has_expired_is_not_known_any_more() {
    remember(Remembered.until(at(10), "ann", "token", "t"));

    assertThat(known("ann", "token", at(9))).isEqualTo("t");
    assertThat(store.remembered("bot", "ann", "token", at(9)))
        .contains(Remembered.until(at(10), "ann", "token", "t"));
    assertThat(known("ann", "token", at(10))).isNull();
  }

  @Test
  void what_is_forgotten_is_gone() {
    remember(Remembered.of("ann", "token", "t"), Remembered.of("ann", "other", "o"));
    remember(Remembered.forget("ann", "token"), Remembered.forget("eve", "token"));

    assertThat(known("ann", "token")).isNull();
    assertThat(known("ann", "other")).isEqualTo("o");
  }

  @Test
  void a_value_may_be_large_but_not_any_size() {
    String large = "x".repeat(Remembered.MAX_BYTES);
    remember(Remembered.of("ann", "large", large), Remembered.of("ann", "empty", ""));

    assertThat(known("ann", "large")).isEqualTo(large);
    assertThat(known("ann", "empty")).isEmpty();
    assertThatThrownBy(() -> Remembered.of("ann", "larger", large + "x"))
        .hasMessage("'larger' has 65537 bytes; a value of the memory has at most 65536");
  }

  // ---- together with what it came with

  @Test
  void it_is_stored_with_its_event_and_not_again_when_that_is_told_again() {
    done(store.receive("bot", List.of(event("1")), "7", List.of(Remembered.of("ann", "t", "1"))));
    done(store.receive("bot", List.of(event("2")), "8", List.of(Remembered.of("ann", "t", "2"))));
    done(store.receive("bot", List.of(event("1")), "9", List.of(Remembered.of("ann", "t", "1"))));

    assertThat(known("ann", "t")).isEqualTo("2");
    assertThat(store.cursor("bot")).contains("9");
  }

  @Test
  void it_is_stored_with_the_progress_and_the_end_of_an_attempt() {
    StoredMessage message = sending(to("ann").text("hello"));

    assertThat(
            done(
                store.progress(
                    message,
                    lease,
                    message.progress(),
                    null,
                    List.of(Remembered.of("ann", "part", "1")))))
        .isTrue();
    settle(SettlementDraft.of(message, lease).memory(Remembered.of("ann", "end", "e")));

    assertThat(known("ann", "part")).isEqualTo("1");
    assertThat(known("ann", "end")).isEqualTo("e");
  }

  @Test
  void a_stale_outcome_leaves_nothing_behind() {
    StoredMessage message = sending(to("ann").text("hello"));
    settle(SettlementDraft.of(message, lease));
    Remembered late = Remembered.of("ann", "late", "l");

    Progress progress = message.progress();
    assertThat(done(store.progress(message, lease, progress, null, List.of(late)))).isFalse();
    assertThat(
            done(store.settle(SettlementDraft.of(message, lease).memory(late).build())).applied())
        .isFalse();

    assertThat(known("ann", "late")).isNull();
  }

  // ---- what may be used once

  @Test
  void a_value_is_replaced_only_if_it_is_the_expected_one() {
    assertThat(replace("t0", Remembered.of(null, "refresh", "t1"))).isFalse();
    assertThat(replace(null, Remembered.of(null, "refresh", "t1"))).isTrue();
    assertThat(replace(null, Remembered.of(null, "refresh", "t2"))).isFalse();
    assertThat(replace("t1", Remembered.of(null, "refresh", "t2"))).isTrue();
    assertThat(known(null, "refresh")).isEqualTo("t2");

    assertThat(replace("t1", Remembered.forget(null, "refresh"))).isFalse();
    assertThat(replace("t2", Remembered.forget(null, "refresh"))).isTrue();
    assertThat(known(null, "refresh")).isNull();
  }

  @Test
  void what_has_expired_counts_as_absent_when_it_is_replaced() {
    remember(Remembered.until(at(-1), null, "refresh", "old"));

    assertThat(replace("old", Remembered.of(null, "refresh", "new"))).isFalse();
    assertThat(replace(null, Remembered.of(null, "refresh", "new"))).isTrue();
    assertThat(known(null, "refresh", FAR)).isEqualTo("new");
  }

  @Test
  void of_many_who_use_a_token_at_once_one_succeeds() {
    remember(Remembered.of(null, "refresh", "t0"));
    List<CompletableFuture<Boolean>> tries = new ArrayList<>();
    IntStream.range(0, 20)
        .forEach(
            i ->
                tries.add(
                    store.remember("bot", "t0", Remembered.of(null, "refresh", "u" + i), at(0))));

    assertThat(tries.stream().filter(this::done).count()).isEqualTo(1);
  }

  // ---- chats that move

  @Test
  void it_goes_with_a_chat_that_moves_and_is_known_by_all_its_names() {
    remember(
        Remembered.of("old", "token", "t"),
        Remembered.of("old", "both", "of old"),
        Remembered.of("new", "both", "of new"));

    assertThat(done(store.moveLane(lease, "old", "new", SessionKey.DEFAULT, at(1)))).isPresent();
    assertThat(known("new", "token")).isEqualTo("t");
    assertThat(known("old", "token")).isEqualTo("t");
    assertThat(known("old", "both")).isEqualTo("of new");

    remember(Remembered.of("old", "token", "t2"), Remembered.of("new", "token", "t3"));
    assertThat(known("new", "token")).isEqualTo("t3");
    assertThat(replace("t3", Remembered.of("old", "token", "t4"))).isTrue();
    assertThat(known("new", "token")).isEqualTo("t4");
    remember(Remembered.forget("old", "token"));
    assertThat(known("new", "token")).isNull();
  }

  // ---- forgetting, moving house

  @Test
  void what_has_expired_is_pruned_a_few_at_a_time() {
    remember(
        Remembered.until(at(1), "ann", "a", "1"),
        Remembered.until(at(2), "ann", "b", "2"),
        Remembered.until(at(3), null, "c", "3"),
        Remembered.until(at(9), "ann", "d", "4"),
        Remembered.of("ann", "e", "5"));

    assertThat(done(store.pruneMemory(at(5), 2))).isEqualTo(2);
    assertThat(done(store.pruneMemory(at(5), 2))).isEqualTo(1);
    assertThat(done(store.pruneMemory(at(5), 2))).isZero();

    assertThat(known(null, "c")).isNull();
    assertThat(known("ann", "d")).isEqualTo("4");
    assertThat(known("ann", "e")).isEqualTo("5");
  }

  @Test
  void an_export_brings_it_along() {
    remember(
        Remembered.until(at(9), null, "token", SECRET), Remembered.of("ann", "where", "there"));
    try (Store other = contract.open(folder.resolve("other"), time)) {
      Exports.copy(store, other);

      assertThat(Exports.lines(other, Kind.MEMORY))
          .hasSize(2)
          .isEqualTo(Exports.lines(store, Kind.MEMORY));
      assertThat(other.remembered("bot", null, "token", at(0)).map(Remembered::value))
          .isEqualTo(Optional.of(SECRET));
    }
  }
}
