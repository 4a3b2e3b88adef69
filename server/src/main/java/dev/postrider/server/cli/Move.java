package dev.postrider.server.cli;

import dev.postrider.message.Media;
import dev.postrider.store.Carried;
import dev.postrider.store.Store;
import dev.postrider.store.Transfer;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.Unreadable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves everything from one store to another, then reads both and compares them message by message.
 * What is there already is left as it is, so it can be repeated after an interruption.
 */
final class Move {
  private static final int BATCH = 1_000;

  /** One of the two stores. */
  record Side(Store store, Transfer everything) {}

  /**
   * The result.
   *
   * @param found messages in the source
   * @param added messages that were not in the target before
   * @param checksum over all messages of the source, in any order
   * @param files in the source
   * @param filesAdded files that were not in the target before
   * @param wrong the ids of messages, events, sessions, reminders and runs, the names of files, and
   *     receipts, that are missing in the target, or differ there
   * @param notes whether everything else is the same
   * @param strangers messages in the target that are not in the source
   */
  record Result(
      long found,
      long added,
      String checksum,
      long files,
      long filesAdded,
      List<String> wrong,
      boolean notes,
      long strangers) {
    boolean right() {
      return wrong.isEmpty() && notes;
    }
  }

  private final Store from;
  private final Transfer source;
  private final Store to;
  private final Transfer target;
  private final MoveDesk desk;
  private final MoveRuns runs;
  private final List<String> wrong = new ArrayList<>();

  Move(Side from, Side to) {
    this.from = from.store;
    this.source = from.everything;
    this.to = to.store;
    this.target = to.everything;
    this.desk = new MoveDesk(from, to);
    this.runs = new MoveRuns(from, to);
  }

  /**
   * @param copied told how many messages have been looked at
   * @param compared told how many have been compared
   */
  Result run(LongConsumer copied, LongConsumer compared) {
    long filesAdded = copyFiles(); // before the messages that need them
    long added = copyMessages(copied);
    target.add(source.notes());
    copyUploads();
    desk.copy();
    copyWords(); // after the messages that claim them
    runs.copy();
    long files = compareFiles();
    byte[] checksum = new byte[32];
    long found = compareMessages(checksum, compared);
    wrong.addAll(desk.compare());
    compareWords();
    wrong.addAll(runs.compare());
    return new Result(
        found,
        added,
        HexFormat.of().formatHex(checksum).substring(0, 16),
        files,
        filesAdded,
        List.copyOf(wrong),
        sameNotes() && sameUploads() && desk.sameMinutes() && runs.sameDays(),
        Math.max(0, target.count() - found));
  }

  // ---- messages

  private long copyMessages(LongConsumer copied) {
    long added = 0;
    long seen = 0;
    List<Carried> batch = source.messages(0, BATCH);
    while (!batch.isEmpty()) {
      batch.forEach(
          one -> requireReadable(one.message().id().toString(), one.message().unreadable()));
      added += target.add(batch);
      seen += batch.size();
      copied.accept(seen);
      batch = source.messages(batch.getLast().message().row(), BATCH);
    }
    return added;
  }

  /** What stands for a content that cannot be read must not become the content. */
  static void requireReadable(String id, @Nullable Unreadable unreadable) {
    if (unreadable != null) {
      throw new StoreRefused(
          "message "
              + id
              + " cannot be moved: "
              + unreadable.because()
              + "; discard it once it is a dead letter");
    }
  }

  private long compareMessages(byte[] all, LongConsumer compared) {
    long seen = 0;
    List<Carried> batch = source.messages(0, BATCH);
    while (!batch.isEmpty()) {
      Map<String, Carried> there = new HashMap<>();
      target.find(batch).forEach(one -> there.put(one.message().id().toString(), one));
      for (Carried one : batch) {
        String id = one.message().id().toString();
        byte[] checksum = one.checksum();
        for (int i = 0; i < all.length; i++) {
          all[i] ^= checksum[i];
        }
        @Nullable Carried other = there.get(id);
        if (other == null || !Arrays.equals(checksum, other.checksum())) {
          wrong.add(id);
        }
      }
      seen += batch.size();
      compared.accept(seen);
      batch = source.messages(batch.getLast().message().row(), BATCH);
    }
    return seen;
  }

  // ---- files

  private long copyFiles() {
    long added = 0;
    List<Transfer.Held> batch = source.files("", BATCH);
    while (!batch.isEmpty()) {
      for (Transfer.Held file : batch) {
        added += to.blobs().find(file.blob().hash()).isEmpty() && copy(file) ? 1 : 0;
      }
      batch = source.files(batch.getLast().blob().hash(), BATCH);
    }
    return added;
  }

  private boolean copy(Transfer.Held file) {
    Blob blob = file.blob();
    try (InputStream bytes = from.blobs().open(blob.hash())) {
      return to.blobs().take(bytes, blob.type(), blob.size(), file.keepUntil()).equals(blob);
    } catch (FileNotFoundException e) {
      return false; // it is missing in the target, too, and will be named
    } catch (IOException e) {
      throw new StoreUnavailable(Media.held(blob.hash()).url() + ": " + e.getMessage(), e);
    }
  }

  private long compareFiles() {
    long seen = 0;
    List<Transfer.Held> batch = source.files("", BATCH);
    while (!batch.isEmpty()) {
      for (Transfer.Held file : batch) {
        Blob blob = file.blob();
        if (!to.blobs().find(blob.hash()).equals(Optional.of(blob))) {
          wrong.add(Media.held(blob.hash()).url());
        }
      }
      seen += batch.size();
      batch = source.files(batch.getLast().blob().hash(), BATCH);
    }
    return seen;
  }

  // ---- delivery reports

  private void copyWords() {
    List<Transfer.Word> batch = source.words(null, BATCH);
    while (!batch.isEmpty()) {
      target.addWords(batch);
      batch = source.words(batch.getLast(), BATCH);
    }
  }

  private void compareWords() {
    List<Transfer.Word> batch = source.words(null, BATCH);
    while (!batch.isEmpty()) {
      Set<Transfer.Word> there = Set.copyOf(target.findWords(batch));
      batch.stream()
          .filter(word -> !there.contains(word))
          .forEach(word -> wrong.add(word.account() + "/" + word.receipt()));
      batch = source.words(batch.getLast(), BATCH);
    }
  }

  // ---- everything else

  private Optional<Upload> there(Upload upload) {
    return to.upload(upload.account(), upload.hash(), upload.variant());
  }

  private void copyUploads() {
    List<Upload> batch = source.uploads(null, BATCH);
    while (!batch.isEmpty()) {
      batch.stream()
          .filter(upload -> there(upload).isEmpty())
          .map(to::save)
          .toList()
          .forEach(CompletableFuture::join);
      batch = source.uploads(batch.getLast(), BATCH);
    }
  }

  private boolean sameUploads() {
    List<Upload> batch = source.uploads(null, BATCH);
    while (!batch.isEmpty()) {
      if (!batch.stream().allMatch(upload -> there(upload).equals(Optional.of(upload)))) {
        return false;
      }
      batch = source.uploads(batch.getLast(), BATCH);
    }
    return true;
  }

  private boolean sameNotes() {
    Transfer.Notes notes = source.notes();
    Transfer.Notes there = target.notes();
    return there.accounts().containsAll(notes.accounts())
        && there.budgets().containsAll(notes.budgets())
        && there.pausedLanes().containsAll(notes.pausedLanes())
        && there.aliases().containsAll(notes.aliases())
        && there.cursors().entrySet().containsAll(notes.cursors().entrySet());
  }
}
