package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.store.StoreExport;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.InboundFile.State;
import dev.postrider.store.inbound.NewInbound;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Files of inbound messages that are kept: noted with their messages, claimed, swept after them.
 */
abstract class KeptInboundFiles extends InboundStoreBehaviour {
  private static final Duration HOUR = Duration.ofHours(1);

  KeptInboundFiles(StoreContract contract) {
    super(contract);
  }

  private InboundId receive(String platformId, int files, boolean keep) {
    InboundMessage.File file = new InboundMessage.File("document", "f", null, null, null, null);
    InboundMessage arrival =
        new InboundMessage(
            platformId,
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", "Ann"),
            null,
            Collections.nCopies(files, file),
            null,
            null,
            null,
            at(0),
            Map.of());
    InboundId id = new InboundId(MessageDraft.nextId().value());
    return done(store.receive("bot", List.of(new NewInbound(id, arrival, "s", at(0), keep)), null))
        .getFirst()
        .id();
  }

  private List<InboundFile> claim(Instant now, int limit) {
    return claim(now, now, limit);
  }

  private List<InboundFile> claim(Instant now, Instant latest, int limit) {
    return done(store.inboundStore().claimFiles(now, latest, now.plus(HOUR), limit));
  }

  private boolean result(
      InboundFile claimed, @Nullable String hash, @Nullable String error, @Nullable Instant next) {
    InboundFile done =
        new InboundFile(
            claimed.inbound(), claimed.index(), claimed.state(), claimed.attempts(), hash, error);
    return done(store.inboundStore().fileDone(done, next));
  }

  private List<InboundFile> files(InboundId id) {
    return store.inboundStore().files(List.of(id)).getOrDefault(id, List.of());
  }

  private String take(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return store
          .blobs()
          .take(new ByteArrayInputStream(bytes), "text/plain", bytes.length, at(10))
          .hash();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void files_wait_to_be_kept_from_the_write_that_stored_their_message() {
    InboundId id = receive("1", 2, true);
    InboundId other = receive("2", 2, false);

    assertThat(files(id))
        .containsExactly(
            new InboundFile(id, 0, State.PENDING, 0, null, null),
            new InboundFile(id, 1, State.PENDING, 0, null, null));
    assertThat(files(other)).isEmpty();
    assertThat(receive("1", 2, true)).as("told again").isEqualTo(id);
    assertThat(files(id)).hasSize(2);
  }

  @Test
  void the_files_of_many_messages_are_told_at_once() {
    InboundId first = receive("1", 2, true);
    InboundId without = receive("2", 1, false);
    InboundId last = receive("3", 1, true);

    assertThat(store.inboundStore().files(List.of(last, without, first)))
        .containsOnly(Map.entry(first, files(first)), Map.entry(last, files(last)));
    assertThat(files(first)).extracting(InboundFile::index).containsExactly(0, 1);
    assertThat(store.inboundStore().files(List.of(without))).isEmpty();
  }

  @Test
  void a_file_is_claimed_by_one_and_again_when_the_claim_has_run_out() {
    InboundId id = receive("1", 2, true);

    assertThat(claim(at(0).minusSeconds(1), 10)).as("not due").isEmpty();
    InboundFile first = claim(at(1), 1).getFirst();
    InboundFile second = claim(at(1), 10).getFirst();
    assertThat(List.of(first.index(), second.index())).containsExactlyInAnyOrder(0, 1);
    assertThat(first.attempts()).isEqualTo(1);
    assertThat(first.inbound()).isEqualTo(id);
    assertThat(claim(at(1), 10)).isEmpty();
    assertThat(claim(at(1).plus(HOUR), 10)).extracting(InboundFile::attempts).containsExactly(2, 2);
    assertThat(result(first, "x", null, null)).as("somebody else has it").isFalse();
  }

  @Test
  void a_new_file_is_due_though_the_clock_was_set_back_and_one_that_failed_waits_for_its_time() {
    InboundId tried = receive("1", 1, true);
    result(claim(at(1), 1).getFirst(), null, "away", at(20));
    InboundId fresh = receive("2", 1, true);

    assertThat(claim(at(0).minusSeconds(60), at(0).minusSeconds(1), 9)).isEmpty();
    assertThat(claim(at(0).minusSeconds(60), at(30), 9))
        .extracting(InboundFile::inbound)
        .containsExactly(fresh);
    assertThat(claim(at(20), at(30), 9)).extracting(InboundFile::inbound).containsExactly(tried);
  }

  @Test
  void the_result_of_a_claim_is_stored_once() {
    InboundId id = receive("1", 3, true);
    List<InboundFile> claimed = claim(at(1), 10);

    for (InboundFile file : claimed) {
      switch (file.index()) {
        case 0 -> assertThat(result(file, "hash", null, null)).isTrue();
        case 1 -> assertThat(result(file, null, "away", at(50))).isTrue();
        default -> assertThat(result(file, null, "gone", null)).isTrue();
      }
      assertThat(file.index() == 1 || !result(file, "other", null, null)).isTrue();
    }

    assertThat(files(id))
        .containsExactly(
            new InboundFile(id, 0, State.KEPT, 1, "hash", null),
            new InboundFile(id, 1, State.PENDING, 1, null, "away"),
            new InboundFile(id, 2, State.FAILED, 1, null, "gone"));
    assertThat(claim(at(49), 10)).isEmpty();
    assertThat(claim(at(50), 10)).extracting(InboundFile::index).containsExactly(1);
  }

  @Test
  void kept_files_are_exported() {
    InboundId id = receive("1", 2, true);
    result(claim(at(1), 1).getFirst(), take("kept"), null, null);

    assertThat(Exports.lines(store, StoreExport.Kind.INBOUND_FILE))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains(id.toString()));
  }

  @Test
  void the_bytes_of_a_kept_file_stay_as_long_as_its_message() {
    InboundId id = receive("1", 1, true);
    String hash = take("kept");
    result(claim(at(1), 1).getFirst(), hash, null, null);

    done(store.sweep(at(20), HOUR, 100));
    assertThat(store.blobs().find(hash)).isPresent();

    handled(handOut(id, 20), 20);
    done(store.pruneInbound(at(30), 100));
    assertThat(store.inbound(id)).isEmpty();
    assertThat(files(id)).isEmpty();
    done(store.sweep(at(20).plus(HOUR), HOUR, 100));
    assertThat(store.blobs().find(hash)).isEmpty();
  }
}
