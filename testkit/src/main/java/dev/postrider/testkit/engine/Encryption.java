package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Delivery;
import dev.postrider.channel.Remembered;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.Reencryption;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Blob;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.testkit.time.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a store keeps when contents are encrypted, and what becomes of what cannot be decrypted. */
public abstract class Encryption extends InboundBehaviour {
  private static final String SECRET = "the vault is behind the Vermeer";
  private static final String FILE = (SECRET + "\n").repeat(50_000); // more than one piece
  private static final String ONE = EncryptionKeys.random();
  private static final String OTHER = EncryptionKeys.random();

  private EncryptionKeys keys = EncryptionKeys.of(ONE);

  /** Opens the store with these keys. */
  protected abstract Store openStore(Path at, EncryptionKeys with, VirtualTime time);

  /** Changes the database beside the store, which is closed. */
  protected abstract void change(String statement);

  /** Each of two files gets the other's bytes, beside the store. */
  protected abstract void swapFiles(String oneHash, String otherHash);

  /** Everything that is stored: text as it is, bytes as they are or in hexadecimal. */
  protected abstract String everythingStored();

  @Override
  public final Store openStore(Path at, VirtualTime time) {
    return openStore(at, keys, time);
  }

  private void restartWith(String... those) {
    world.stop();
    keys = EncryptionKeys.of(those);
    world.start();
  }

  private void restartWithout() {
    world.stop();
    keys = EncryptionKeys.OFF;
    world.start();
  }

  /** Waits for its time, so that there is time to look at it. */
  private Delivery sendLater(String chat, String text) {
    return world.send(to(chat, text).sendAt(world.time.instant().plus(hours(1))));
  }

  private boolean isStored(String text) {
    String all = everythingStored();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return all.contains(text) || all.contains(HexFormat.of().formatHex(bytes));
  }

  private static String name(String key) {
    return EncryptionKeys.name(EncryptionKeys.id(EncryptionKeys.of(key).secrets().getFirst()));
  }

  private void storeEverything() {
    world.send(
        to("ann", SECRET)
            .idempotencyKey("k")
            .sessionId("s")
            .metadata(Map.of("note", SECRET))
            .channelData(Map.of("extra", SECRET)));
    write("ann", SECRET);
    world.send(to("ann", (SECRET + " ").repeat(1_000))); // a plan of several parts
    hold(FILE);
    Instant now = world.time.instant();
    StoredReminder reminder =
        new StoredReminder(UUID.randomUUID(), "daily", "bot", null, SECRET, 1, 1, now, now);
    ReminderTarget target = new ReminderTarget("bot", "ann", SECRET, Map.of("name", SECRET));
    world.time.await(world.store().reminders().save(reminder, List.of(target), null));
    List<Remembered> memory = List.of(Remembered.of("ann", "token", SECRET));
    world.time.await(world.store().receive("bot", List.of(), null, memory));
    world.time.settle();
  }

  private Blob hold(String content) {
    try {
      Blob blob =
          world
              .postrider()
              .hold(new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)));
      world.time.settle();
      return blob;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String held(Blob blob) throws IOException {
    try (InputStream in = world.store().blobs().open(blob.hash())) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  // ---- what can be read

  @Test
  void nothing_that_was_written_can_be_read_where_it_is_stored() {
    world.start();
    storeEverything();
    assertThat(isStored("Vermeer")).isFalse();
    assertThat(isStored("ann")).as("who it is for").isTrue();
    world.stop();
    assertThat(isStored("Vermeer")).isFalse();
    world.start();
    assertThat(events().getFirst().arrival().text()).isEqualTo(SECRET);
  }

  @Test
  void without_a_key_it_can_be_read() {
    keys = EncryptionKeys.OFF;
    world.start();
    storeEverything();
    world.stop();
    assertThat(isStored("Vermeer")).isTrue();
    world.start();
  }

  @Test
  void files_are_read_again_with_their_key_and_from_before_the_first() throws Exception {
    keys = EncryptionKeys.OFF;
    world.start();
    Blob plain = hold("\u0001 a file may begin with anything");
    restartWith(ONE);
    Blob first = hold(FILE);
    restartWith(OTHER, ONE);
    Blob second = hold(FILE + "more");
    assertThat(held(plain)).endsWith("may begin with anything");
    assertThat(held(first)).isEqualTo(FILE);
    assertThat(held(second)).isEqualTo(FILE + "more");
    assertThat(hold(FILE).hash()).as("once, under whichever key").isEqualTo(first.hash());
    assertThat(held(first)).isEqualTo(FILE);
  }

  @Test
  void a_file_in_the_place_of_another_is_not_read() {
    world.start();
    Blob one = hold("one");
    Blob other = hold("another");
    world.stop();
    swapFiles(one.hash(), other.hash());
    world.start();
    assertThatThrownBy(() -> held(one))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not decrypt under key " + name(ONE));
  }

  @Test
  void what_was_stored_before_the_first_key_is_delivered() {
    keys = EncryptionKeys.OFF;
    world.start();
    Delivery plain = sendLater("ann", "hello");
    restartWith(ONE);
    Delivery encrypted = sendLater("bob", "hello too");
    world.pass(hours(2));
    assertThat(List.of(world.status(plain), world.status(encrypted)))
        .containsOnly(Status.DELIVERED);
    assertThat(world.message(plain.id()).message().text()).isEqualTo("hello");
  }

  // ---- changing keys

  @Test
  void a_new_key_encrypts_and_the_old_one_is_still_read() {
    world.start();
    Delivery old = sendLater("ann", "old");
    restartWith(OTHER, ONE);
    Delivery fresh = sendLater("bob", "new");
    world.pass(hours(2));
    assertThat(List.of(world.status(old), world.status(fresh))).containsOnly(Status.DELIVERED);
  }

  @Test
  void none_before_the_old_key_stores_what_is_new_as_it_is() {
    world.start();
    Delivery old = sendLater("ann", "old");
    restartWith(EncryptionKeys.NONE, ONE);
    sendLater("bob", SECRET);
    assertThat(world.message(old.id()).message().text()).isEqualTo("old");
    world.stop();
    assertThat(isStored(SECRET)).isTrue();
    world.start();
  }

  @Test
  void a_store_does_not_open_without_a_key_of_its_contents() {
    world.start();
    Delivery old = sendLater("ann", "old");
    for (List<String> wrong : List.of(List.<String>of(), List.of(OTHER))) {
      world.stop();
      keys = new EncryptionKeys(wrong);
      assertThatThrownBy(world::start)
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("under key " + name(ONE))
          .hasMessageContaining("storage.encryptionKey")
          .hasMessageContaining("Nothing was changed")
          .hasMessageNotContaining(ONE);
      keys = EncryptionKeys.of(ONE);
      world.start();
    }
    assertThat(world.message(old.id()).message().text()).isEqualTo("old");
  }

  @Test
  void an_idempotency_key_knows_its_content_under_another_key() {
    world.start();
    Message.Builder message = to("ann", "once").idempotencyKey("k");
    Delivery first = world.send(message);
    restartWith(OTHER, ONE);
    assertThat(world.send(message).id()).isEqualTo(first.id());
    assertThat(refusal(() -> world.send(to("ann", "twice").idempotencyKey("k"))).why())
        .isEqualTo(Refused.Cause.KEY_REUSED);
  }

  // ---- encrypting again

  private void reencrypt() {
    Reencryption walk = world.store().reencryption().orElseThrow();
    Reencryption.Step step;
    do {
      step = walk.next();
      assertThat(step.unreadable()).isZero();
    } while (!step.done());
    walk.finish();
  }

  private Map<String, Long> counts() {
    return world.store().reencryption().orElseThrow().count();
  }

  @Test
  void everything_comes_under_the_new_key_and_the_old_one_can_go() throws Exception {
    keys = EncryptionKeys.OFF;
    world.start();
    Delivery before = sendLater("ann", SECRET);
    restartWith(ONE);
    storeEverything();
    Delivery old = sendLater("bob", SECRET);
    Blob file = hold(FILE);
    assertThat(counts()).containsOnlyKeys(name(ONE), Reencryption.NOT_ENCRYPTED);
    restartWith(OTHER, ONE);
    reencrypt();
    assertThat(counts()).containsOnlyKeys(name(OTHER));
    restartWith(OTHER);
    assertThat(isStored("Vermeer")).isFalse();
    assertThat(held(file)).isEqualTo(FILE);
    assertThat(events().getFirst().arrival().text()).isEqualTo(SECRET);
    StoredReminder reminder =
        world.store().reminders().reminders(null, null, 10).items().getFirst();
    assertThat(reminder.document()).isEqualTo(SECRET);
    assertThat(world.store().reminders().targets(reminder.id(), 0, 10).getFirst().name())
        .isEqualTo(SECRET);
    assertThat(world.store().remembered("bot", "ann", "token", world.time.instant()))
        .contains(Remembered.of("ann", "token", SECRET));
    world.pass(hours(2));
    assertThat(List.of(world.status(before), world.status(old))).containsOnly(Status.DELIVERED);
  }

  @Test
  void encrypting_again_goes_on_where_it_was_killed() {
    world.start();
    for (int i = 0; i < 250; i++) { // more than a step
      sendLater("chat" + i, SECRET);
    }
    restartWith(OTHER, ONE);
    Reencryption.Step first = world.store().reencryption().orElseThrow().next();
    assertThat(first.changed()).isPositive();
    assertThat(first.done()).isFalse();
    world.crash();
    world.start();
    assertThat(counts()).containsOnlyKeys(name(OTHER), name(ONE));
    reencrypt();
    assertThat(counts()).containsOnlyKeys(name(OTHER));
    world.pass(hours(2));
    assertThat(world.platform.texts()).hasSize(250).containsOnly(SECRET);
  }

  @Test
  void after_encryption_is_turned_off_the_store_opens_without_a_key() throws Exception {
    world.start();
    storeEverything();
    Blob file = hold(FILE);
    restartWith(EncryptionKeys.NONE, ONE);
    reencrypt();
    restartWithout();
    assertThat(counts()).containsOnlyKeys(Reencryption.NOT_ENCRYPTED);
    assertThat(held(file)).isEqualTo(FILE);
    assertThat(events().getFirst().arrival().text()).isEqualTo(SECRET);
  }

  // ---- what cannot be decrypted

  @Test
  void contents_that_were_swapped_are_sent_to_nobody() {
    world.start();
    Delivery ann = sendLater("ann", "for Ann");
    Delivery bob = sendLater("bob", "for Bob");
    world.stop();
    change("CREATE TABLE aside AS SELECT chat, content FROM message");
    change(
        "UPDATE message SET content = (SELECT content FROM aside WHERE aside.chat <>"
            + " message.chat)");
    change("DROP TABLE aside");
    world.start();
    world.pass(hours(2));
    assertThat(world.platform.texts()).isEmpty();
    for (Delivery one : List.of(ann, bob)) {
      assertThat(world.message(one.id()).reason()).isEqualTo("unreadable");
    }
  }

  @Test
  void a_damaged_message_fails_by_name_and_its_lane_goes_on() {
    world.start();
    Delivery damaged = sendLater("ann", "damaged");
    world.stop();
    damage();
    world.start();
    Delivery next = sendLater("ann", "next");
    Delivery other = sendLater("bob", "other");
    world.pass(hours(2));
    assertThat(world.status(damaged)).isEqualTo(Status.FAILED);
    assertThat(world.message(damaged.id()).reason()).isEqualTo("unreadable");
    assertThat(world.message(damaged.id()).error())
        .contains("does not decrypt under key " + name(ONE));
    assertThat(world.history(damaged).getLast().outcome()).isEqualTo("unreadable");
    assertThat(List.of(world.status(next), world.status(other))).containsOnly(Status.DELIVERED);
    assertThat(refusal(() -> world.postrider().replay(damaged.id())))
        .hasMessageContaining("cannot be replayed");
  }

  /** Every content lacks its last byte. */
  private void damage() {
    change("UPDATE message SET content = substr(content, 1, length(content) - 1)");
  }

  @Test
  void a_damaged_inbound_message_is_handed_to_nobody_and_its_session_goes_on() {
    world.start();
    StoredInbound damaged = write("ann", "damaged");
    world.stop();
    change("UPDATE inbound SET content = substr(content, 1, length(content) - 1)");
    world.start();
    write("ann", "next");
    List<String> handled = new ArrayList<>();
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.pass(minutes(1));
    assertThat(handled).containsExactly("next");
    assertThat(now(damaged).status()).isEqualTo(InboundStatus.FAILED);
    assertThat(now(damaged).handling().error()).contains("does not decrypt under key " + name(ONE));
    assertThat(refusal(() -> world.postrider().inbox().replay(damaged.id())))
        .hasMessageContaining("cannot be replayed");
  }

  @Test
  void a_turn_ends_though_its_message_is_damaged() {
    world.start();
    StoredInbound asked = write("ann", "a question");
    StoredInbound leased = lease(hours(1));
    world.send(
        to("ann", "an answer")
            .turnId(asked.id().toString())
            .leaseId(leased.handling().lease())
            .sendAt(world.time.instant().plus(hours(1))));
    world.postrider().inbox().ack(Objects.requireNonNull(leased.handling().lease()), List.of());
    world.time.settle();
    world.stop();
    damage();
    world.start();
    world.pass(hours(2));
    assertThat(now(asked).handling().turn()).isEqualTo(TurnState.FAILED);
  }

  @Test
  void an_inbound_message_whose_key_is_missing_waits_for_it() {
    world.start();
    write("ann", "patience");
    world.stop();
    change("DELETE FROM encryption_key");
    keys = EncryptionKeys.of(OTHER);
    world.start();
    List<String> handled = new ArrayList<>();
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.pass(minutes(5));
    assertThat(handled).isEmpty();
    restartWith(OTHER, ONE);
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.pass(minutes(2));
    assertThat(handled).containsExactly("patience");
  }

  @Test
  void one_line_that_cannot_be_read_leaves_lists_and_histories_readable() {
    world.start();
    Delivery first = world.send(to("ann", "first").sessionId("s"));
    Delivery second = world.send(to("ann", "second").sessionId("s"));
    world.stop();
    change(
        "UPDATE message SET content = substr(content, 1, length(content) - 1)"
            + " WHERE id = (SELECT min(id) FROM message)");
    change(
        "UPDATE mirrored SET content = substr(content, 1, length(content) - 1)"
            + " WHERE at = (SELECT min(at) FROM mirrored)");
    world.start();
    assertThat(world.message(second.id()).message().text()).isEqualTo("second");
    assertThat(world.message(first.id()).error()).contains("does not decrypt");
    assertThat(world.postrider().list(MessageFilter.ALL, null, 10).items()).hasSize(2);
    assertThat(world.store().inboundStore().history("s", null, 10).items()).hasSize(2);
  }

  @Test
  void a_message_whose_key_is_missing_waits_for_it() {
    world.start();
    Delivery waiting = sendLater("ann", "patience");
    world.stop();
    change("DELETE FROM encryption_key");
    keys = EncryptionKeys.of(OTHER);
    world.start();
    world.pass(hours(2));
    assertThat(world.status(waiting)).isEqualTo(Status.QUEUED);
    assertThat(world.message(waiting.id()).error()).contains("encrypted under key " + name(ONE));
    assertThat(world.message(waiting.id()).attempts()).isZero();
    restartWith(OTHER, ONE);
    world.pass(minutes(2));
    assertThat(world.status(waiting)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("patience");
  }

  @Test
  void turned_off_without_its_key_it_stays_shut() {
    world.start();
    world.send("ann", "hello");
    assertThatThrownBy(this::restartWithout).isInstanceOf(StoreRefused.class);
    keys = EncryptionKeys.of(ONE);
    world.start();
  }
}
