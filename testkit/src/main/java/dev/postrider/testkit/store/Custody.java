package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Attachment;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Part;
import dev.postrider.message.Status;
import dev.postrider.store.Retention;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.StoredMessage;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files: taken, kept for whom they are needed, and let go. */
abstract class Custody extends StoreBehaviour {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String HELLO =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  Custody(StoreContract contract) {
    super(contract);
  }

  // ---- acting

  /** Kept until the tenth second at least. */
  private String take(String text) {
    return take(text, at(10));
  }

  private String take(String text, Instant keepUntil) {
    return take(text.getBytes(StandardCharsets.UTF_8), keepUntil).hash();
  }

  private Blob take(byte[] bytes, Instant keepUntil) {
    try {
      return store
          .blobs()
          .take(new ByteArrayInputStream(bytes), "text/plain", bytes.length, keepUntil);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] bytes(String hash) {
    try (InputStream in = store.blobs().open(hash)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String text(String hash) {
    return new String(bytes(hash), StandardCharsets.UTF_8);
  }

  private static MessageDraft with(MessageDraft draft, String... hashes) {
    List<Attachment> files =
        Arrays.stream(hashes)
            .map(
                hash ->
                    new Attachment(
                        Media.held(hash).url(),
                        MediaKind.DOCUMENT,
                        null,
                        "text/plain",
                        5,
                        false,
                        true))
            .toList();
    return draft.plan(new Part("see", null, List.of(), files));
  }

  private int sweep(Instant now) {
    return done(store.sweep(now, HOUR, 100));
  }

  private void assertKept(String hash) {
    assertThat(store.blobs().find(hash)).isPresent();
    assertThat(bytes(hash)).isNotNull();
  }

  private void assertGone(String hash) {
    assertThat(store.blobs().find(hash)).isEmpty();
    assertThatThrownBy(() -> store.blobs().open(hash)).isInstanceOf(FileNotFoundException.class);
  }

  // ---- bytes

  @Test
  void bytes_come_back_under_their_hash() {
    assertThat(take("hello")).isEqualTo(HELLO);

    assertThat(store.blobs().find(HELLO)).contains(new Blob(HELLO, 5, "text/plain"));
    assertThat(text(HELLO)).isEqualTo("hello");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 524_287, 524_288, 524_289, 3_000_000})
  void bytes_of_any_size_come_back(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);

    Blob blob = take(bytes, at(10));

    assertThat(blob.size()).isEqualTo(size);
    assertThat(store.blobs().find(blob.hash())).contains(blob);
    assertThat(bytes(blob.hash())).isEqualTo(bytes);
  }

  @Test
  void the_same_bytes_are_kept_once_and_as_long_as_the_longest_wish() {
    take("hello", at(10));
    take("hello", at(30));
    take("hello", at(20));

    assertThat(sweep(at(29))).isZero();
    assertKept(HELLO);

    assertThat(sweep(at(30))).isEqualTo(1);
    assertGone(HELLO);
  }

  @Test
  void the_same_bytes_may_come_from_everywhere_at_once() {
    List<CompletableFuture<String>> coming = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      coming.add(CompletableFuture.supplyAsync(() -> take("hello")));
    }

    coming.forEach(one -> assertThat(done(one)).isEqualTo(HELLO));

    assertThat(text(HELLO)).isEqualTo("hello");
  }

  @Test
  void more_bytes_than_allowed_are_refused_and_leave_nothing_behind() {
    assertThatThrownBy(
            () ->
                store
                    .blobs()
                    .take(
                        new ByteArrayInputStream("hello".getBytes(StandardCharsets.UTF_8)),
                        "text/plain",
                        4,
                        at(10)))
        .isInstanceOf(Blobs.TooLarge.class)
        .hasMessageContaining("4 bytes");

    assertGone(HELLO);
  }

  @Test
  void bytes_that_break_off_leave_nothing_behind() {
    InputStream lost =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("connection reset");
          }
        };

    InputStream broken = new SequenceInputStream(new ByteArrayInputStream(new byte[50]), lost);

    assertThatThrownBy(() -> store.blobs().take(broken, "text/plain", 100, at(10)))
        .isInstanceOf(IOException.class)
        .hasMessage("connection reset");

    assertThat(sweep(FAR)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "../../etc/passwd",
        "/etc/passwd",
        "2c/../../../../../../../../../../../../../../../../../etc/passwd",
        "2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b982",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9825",
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\0",
        "%"
      })
  void a_name_that_nothing_has_is_not_there(String name) {
    take("hello");

    assertGone(name);
    assertThat(done(store.accept(with(to("ann"), name).build())))
        .isEqualTo(new AcceptResult.MediaMissing(name));
  }

  @Test
  void bytes_that_nobody_needs_stay_until_their_time_and_not_longer() {
    String hash = take("hello", at(10));

    assertThat(sweep(at(9))).isZero();
    assertKept(hash);

    assertThat(sweep(at(10))).isEqualTo(1);
    assertGone(hash);
  }

  @Test
  void bytes_that_went_may_come_again() {
    take("hello");
    sweep(at(10));

    take("hello", at(20));

    sweep(at(19));
    assertThat(text(HELLO)).isEqualTo("hello");
  }

  @Test
  void bytes_that_are_being_read_when_they_go_are_not_mixed_up() throws IOException {
    byte[] bytes = new byte[100_000];
    String hash = take(bytes, at(10)).hash();
    try (InputStream in = store.blobs().open(hash)) {
      assertThat(in.read()).isZero();
      sweep(at(10));
    }
    assertGone(hash);
  }

  // ---- messages that use them

  @Test
  void a_message_whose_file_is_not_there_is_refused_and_others_go_on() {
    String hash = take("hello");
    String missing = HELLO.replace('2', '3');
    List<CompletableFuture<AcceptResult>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      MessageDraft draft = to("chat" + i % 3);
      all.add(store.accept((i % 2 == 0 ? with(draft, hash) : with(draft, hash, missing)).build()));
    }

    for (int i = 0; i < 20; i++) {
      AcceptResult acceptance = done(all.get(i));
      if (i % 2 == 0) {
        assertThat(acceptance).isInstanceOf(AcceptResult.Stored.class);
      } else {
        assertThat(acceptance).isEqualTo(new AcceptResult.MediaMissing(missing));
      }
    }
    assertThat(store.lanes(LaneFilter.of("bot"), null, 10).items())
        .extracting(lane -> lane.depth())
        .containsExactly(4L, 3L, 3L);
  }

  @Test
  void a_key_that_is_known_counts_before_a_file_that_has_gone() {
    String hash = take("hello");
    StoredMessage first = stored(with(to("ann").key("k"), hash));
    deliver(reserve(first, at(0)), at(1));
    sweep(at(10));
    assertGone(hash);

    assertThat(done(store.accept(with(to("ann").key("k"), hash).build())))
        .isInstanceOfSatisfying(
            AcceptResult.Duplicate.class,
            duplicate -> assertThat(duplicate.first().id()).isEqualTo(first.id()));
  }

  @Test
  void a_message_that_was_refused_keeps_nothing() {
    String hash = take("hello");
    String missing = HELLO.replace('2', '3');
    done(store.accept(with(to("ann"), hash, missing).build()));
    stored(to("ben"));
    done(store.accept(with(to("ben").laneHolds(1), hash).build()));

    sweep(at(10));

    assertGone(hash);
  }

  @Test
  void a_message_names_a_file_twice_and_uses_it_once() {
    String hash = take("hello");

    StoredMessage message = stored(with(to("ann"), hash, hash));

    sweep(at(10));
    assertKept(hash);
    deliver(reserve(message, at(11)), at(12));
    sweep(at(10).plus(HOUR));
    assertGone(hash);
  }

  @Test
  void files_of_messages_on_their_way_are_kept() {
    String waiting = take("waiting");
    String under = take("under way");
    String later = take("scheduled");
    stored(with(to("ann"), waiting));
    sending(with(to("ben"), under));
    stored(with(to("cat").due(at(60)), later));

    assertThat(sweep(at(10))).isEqualTo(3);
    assertThat(sweep(at(11))).as("looked at again only later").isZero();
    assertThat(sweep(at(10).plus(HOUR))).isEqualTo(3);

    for (String hash : List.of(waiting, under, later)) {
      assertKept(hash);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILED", "EXPIRED", "HELD"})
  void files_of_dead_letters_are_kept_until_these_are_discarded(Status status) {
    String hash = take("hello");
    StoredMessage dead = ended(with(to("ann"), hash), status, at(1));

    sweep(at(10));
    assertKept(hash);

    done(store.discard(dead.id()));
    sweep(at(10).plus(HOUR));
    assertGone(hash);
  }

  @Test
  void files_of_dead_letters_are_kept_until_these_are_pruned() {
    String hash = take("hello");
    ended(with(to("ann"), hash), Status.FAILED, at(1));
    sweep(at(10));
    assertKept(hash);

    done(store.prune(new Retention(at(2), at(2), at(2)), 99));
    sweep(at(10).plus(HOUR));

    assertGone(hash);
  }

  @Test
  void files_of_delivered_and_cancelled_messages_go_when_their_time_has_come() {
    String delivered = take("delivered");
    String cancelled = take("cancelled");
    ended(with(to("ann"), delivered), Status.DELIVERED, at(1));
    done(store.cancel(stored(with(to("ben"), cancelled)).id(), at(1)));

    assertThat(sweep(at(9))).isZero();
    assertKept(delivered);
    assertKept(cancelled);

    assertThat(sweep(at(10))).isEqualTo(2);
    assertGone(delivered);
    assertGone(cancelled);
  }

  @Test
  void a_file_is_kept_for_the_last_of_many() {
    String hash = take("hello");
    List<StoredMessage> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(stored(with(to("chat" + i), hash)));
    }
    StoredMessage last = all.get(7);
    all.stream()
        .filter(one -> !one.equals(last))
        .forEach(one -> deliver(reserve(one, at(1)), at(2)));

    sweep(at(10));
    assertKept(hash);

    deliver(reserve(last, at(3)), at(4));
    sweep(at(10).plus(HOUR));
    assertGone(hash);
  }

  @Test
  void a_file_that_thousands_have_used_goes_step_by_step() {
    String hash = take("hello");
    List<CompletableFuture<AcceptResult>> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      all.add(store.accept(with(to("chat" + i), hash).build()));
    }
    all.forEach(this::done);
    assertThat(done(store.failQueued("bot", "test", at(1), 10_000))).hasSize(2_000);
    done(store.prune(new Retention(at(2), at(2), at(2)), 10_000));

    int sweeps = 1;
    while (done(store.sweep(at(10), HOUR, 7)) == 7) {
      sweeps++;
    }

    assertThat(sweeps).isBetween(2, 100);
    assertGone(hash);
  }

  @Test
  void a_replay_keeps_the_file_when_the_dead_letter_goes() {
    String hash = take("hello");
    StoredMessage dead = ended(with(to("ann"), hash), Status.FAILED, at(1));
    StoredMessage replay = stored(with(to("ann").replays(dead.id()), hash));
    done(store.discard(dead.id()));

    sweep(at(10));
    assertKept(hash);

    deliver(reserve(replay, at(11)), at(12));
    sweep(at(10).plus(HOUR));
    assertGone(hash);
  }

  @Test
  void a_replay_without_its_file_leaves_the_dead_letter_as_it_is() {
    StoredMessage dead = ended(to("ann"), Status.FAILED, at(1));

    assertThat(done(store.accept(with(to("ann").replays(dead.id()), HELLO).build())))
        .isEqualTo(new AcceptResult.MediaMissing(HELLO));

    assertThat(find(dead.id())).isEqualTo(dead);
  }

  @Test
  void sweeping_works_in_batches_of_the_limit_the_longest_due_first() {
    List<String> hashes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      hashes.add(take("file " + i, at(10 - i)));
    }

    assertThat(done(store.sweep(at(10), HOUR, 2))).isEqualTo(2);
    assertGone(hashes.get(4));
    assertGone(hashes.get(3));
    assertKept(hashes.get(2));
    assertThat(done(store.sweep(at(10), HOUR, 2))).isEqualTo(2);
    assertThat(done(store.sweep(at(10), HOUR, 2))).isEqualTo(1);
    assertThat(done(store.sweep(at(10), HOUR, 2))).isZero();
  }

  @Test
  void taking_while_sweeping_loses_nothing() {
    for (int i = 0; i < 50; i++) {
      take("hello", at(i));
      CompletableFuture<Integer> sweeping = store.sweep(at(i), HOUR, 10);
      String again = take("hello", at(i + 1));
      done(sweeping);

      assertThat(text(again)).isEqualTo("hello");
      assertKept(again);
    }
  }

  @Test
  void accepting_while_sweeping_keeps_the_file_or_refuses() {
    for (int i = 0; i < 50; i++) {
      String hash = take("file " + i);
      CompletableFuture<Integer> sweeping = store.sweep(at(10), HOUR, 10);
      AcceptResult acceptance = done(store.accept(with(to("ann"), hash).build()));
      done(sweeping);

      if (acceptance instanceof AcceptResult.Stored) {
        assertKept(hash);
      } else {
        assertThat(acceptance).isEqualTo(new AcceptResult.MediaMissing(hash));
        assertGone(hash);
      }
    }
  }

  // ---- what platforms call them

  private static Upload handle(String account, String variant, String handle, Instant until) {
    return new Upload(account, HELLO, variant, handle, until);
  }

  @Test
  void a_handle_is_of_one_account_and_one_variant() {
    Upload photo = handle("bot", "photo", "id 1 😀", at(10));
    Upload document = handle("bot", "document", "id 2", at(20));
    Upload other = handle("other", "", "id 3", at(30));
    done(store.save(photo));
    done(store.save(document));
    done(store.save(other));

    assertThat(store.upload("bot", HELLO, "photo")).contains(photo);
    assertThat(store.upload("bot", HELLO, "document")).contains(document);
    assertThat(store.upload("other", HELLO, "")).contains(other);
    assertThat(store.upload("bot", HELLO, "")).isEmpty();
    assertThat(store.upload("bot", HELLO.replace('2', '3'), "photo")).isEmpty();
  }

  @Test
  void the_last_handle_counts() {
    done(store.save(handle("bot", "", "one", at(10))));
    Upload two = handle("bot", "", "two", at(5));
    done(store.save(two));

    assertThat(store.upload("bot", HELLO, "")).contains(two);
  }

  @Test
  void a_handle_is_forgotten_but_not_one_that_was_saved_since() {
    Upload one = handle("bot", "", "one", at(10));
    Upload two = handle("bot", "", "two", at(10));
    done(store.save(one));
    done(store.save(two));

    assertThat(done(store.forget(one))).isFalse();
    assertThat(store.upload("bot", HELLO, "")).contains(two);

    assertThat(done(store.forget(two))).isTrue();
    assertThat(store.upload("bot", HELLO, "")).isEmpty();
    assertThat(done(store.forget(two))).isFalse();
  }

  @Test
  void handles_expire_by_the_batch() {
    for (int i = 0; i < 5; i++) {
      done(store.save(handle("bot", "v" + i, "id", at(i))));
    }

    assertThat(done(store.sweep(at(3), HOUR, 3))).isEqualTo(3);
    assertThat(done(store.sweep(at(3), HOUR, 3))).isEqualTo(1);

    assertThat(store.upload("bot", HELLO, "v3")).isEmpty();
    assertThat(store.upload("bot", HELLO, "v4")).isPresent();
  }

  @Test
  void a_handle_outlives_its_bytes() {
    take("hello");
    done(store.save(handle("bot", "", "id", at(100))));

    sweep(at(10));

    assertGone(HELLO);
    assertThat(store.upload("bot", HELLO, "")).isPresent();
  }

  // ---- afterwards

  @Test
  void everything_survives_reopening() {
    String used = take("used");
    String free = take("free", at(20));
    StoredMessage message = stored(with(to("ann"), used));
    Upload upload = handle("bot", "", "id", at(100));
    done(store.save(upload));

    reopen();

    assertThat(text(used)).isEqualTo("used");
    assertThat(text(free)).isEqualTo("free");
    assertThat(store.upload("bot", HELLO, "")).contains(upload);
    sweep(at(19));
    assertKept(used);
    assertKept(free);
    deliver(reserve(message, at(19)), at(20));
    sweep(at(20).plus(HOUR));
    assertGone(used);
    assertGone(free);
  }

  @Test
  void after_pruning_and_reopening_a_file_can_be_used_again() {
    String hash = take("hello");
    ended(with(to("ann"), hash), Status.DELIVERED, at(1));
    done(store.prune(new Retention(at(2), at(2), at(2)), 99));

    reopen();
    stored(with(to("ann"), hash));

    sweep(at(10));
    assertKept(hash);
  }
}
