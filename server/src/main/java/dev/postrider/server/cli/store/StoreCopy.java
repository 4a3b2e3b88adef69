package dev.postrider.server.cli.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.message.Media;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.StoreExport.Line;
import dev.postrider.store.StoreExport.Order;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.media.Blob;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Copies everything from one store to another, then reads both and compares them line by line. What
 * is there already is left as it is, so it can be repeated after an interruption.
 */
final class StoreCopy {
  /** What has no id to be named by. */
  private static final Set<Kind> NOTES =
      EnumSet.of(
          Kind.ACCOUNT,
          Kind.UPLOAD,
          Kind.LANE_PAUSE,
          Kind.BUDGET,
          Kind.CHAT_ALIAS,
          Kind.CURSOR,
          Kind.SENT_ON_DAY,
          Kind.MINUTE,
          Kind.AUDIT,
          Kind.RESTORE);

  /** One of the two stores. */
  record Side(Store store, StoreExport everything) {}

  /**
   * The result.
   *
   * @param found messages in the source
   * @param added messages that were not in the target before
   * @param checksum over all messages of the source, in any order
   * @param files in the source
   * @param filesAdded files that were not in the target before
   * @param wrong the ids of messages, inbound messages, sessions, reminders and runs, the names of
   *     files, and receipts, that are missing in the target, or differ there
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
  private final StoreExport source;
  private final Store to;
  private final StoreExport target;
  private final Map<Kind, Long> found = new EnumMap<>(Kind.class);
  private final Set<String> wrong = new LinkedHashSet<>();
  private final byte[] checksum = new byte[32];
  private boolean notes = true;

  StoreCopy(Side from, Side to) {
    this.from = from.store;
    this.source = from.everything;
    this.to = to.store;
    this.target = to.everything;
  }

  /**
   * @param copied told how many messages have been looked at
   * @param compared told how many have been compared
   */
  Result run(LongConsumer copied, LongConsumer compared) {
    Map<Kind, Long> added = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      Iterator<Line> lines = source.lines(kind, Order.ACCEPTED);
      LongConsumer progress = kind == Kind.MESSAGE ? copied : _ -> {};
      added.put(kind, kind == Kind.FILE ? copyFiles(lines) : copy(kind, lines, progress));
    }
    for (Kind kind : Kind.values()) {
      compare(kind, kind == Kind.MESSAGE ? compared : _ -> {});
    }
    if (wrong.isEmpty()) {
      compareOrder();
    }
    long messages = found.getOrDefault(Kind.MESSAGE, 0L);
    return new Result(
        messages,
        added.getOrDefault(Kind.MESSAGE, 0L),
        HexFormat.of().formatHex(checksum).substring(0, 16),
        found.getOrDefault(Kind.FILE, 0L),
        added.getOrDefault(Kind.FILE, 0L),
        List.copyOf(wrong),
        notes,
        Math.max(0, target.messages() - messages));
  }

  // ---- copying

  private long copy(Kind kind, Iterator<Line> lines, LongConsumer progress) {
    LineBatch batch = new LineBatch(target, progress);
    lines.forEachRemaining(line -> batch.add(kind, line.json()));
    batch.flush();
    return batch.added();
  }

  private long copyFiles(Iterator<Line> lines) {
    long added = 0;
    while (lines.hasNext()) {
      Line file = lines.next();
      added += to.blobs().find(file.name()).isEmpty() && copy(file) ? 1 : 0;
    }
    return added;
  }

  private boolean copy(Line file) {
    Instant keepUntil =
        Instant.parse(new JsonMapper().readTree(file.json()).path("keepUntil").asString());
    try (InputStream bytes = from.blobs().open(file.name())) {
      Blob blob = from.blobs().find(file.name()).orElseThrow(FileNotFoundException::new);
      return to.blobs().take(bytes, blob.type(), blob.size(), keepUntil).equals(blob);
    } catch (FileNotFoundException e) {
      return false; // it is missing in the target, too, and will be named
    } catch (IOException e) {
      throw new StoreUnavailable(name(file) + ": " + e.getMessage(), e);
    }
  }

  private static String name(Line line) {
    return line.kind() == Kind.FILE ? Media.held(line.name()).url() : line.name();
  }

  // ---- comparing

  /** Walks both at once; what is in the target only is passed by. */
  private void compare(Kind kind, LongConsumer progress) {
    Iterator<Line> here = source.lines(kind, Order.KEY);
    Iterator<Line> there = target.lines(kind, Order.KEY);
    @Nullable Line other = next(there);
    long seen = 0;
    while (here.hasNext()) {
      Line line = here.next();
      while (other != null && Line.BY_KEY.compare(other, line) < 0) {
        other = next(there);
      }
      if (other == null || !content(line).equals(content(other))) {
        differs(line);
      }
      if (kind == Kind.MESSAGE) {
        sum(line);
      }
      seen++;
      if (seen % LineBatch.LINES == 0 || !here.hasNext()) {
        progress.accept(seen);
      }
    }
    found.put(kind, seen);
  }

  private static @Nullable Line next(Iterator<Line> lines) {
    return lines.hasNext() ? lines.next() : null;
  }

  /** A file that is used in the target may stay there for longer. */
  private static String content(Line line) {
    return line.kind() == Kind.FILE
        ? line.json().replaceFirst(",\"keepUntil\":\"[^\"]*\"", "")
        : line.json();
  }

  private void differs(Line line) {
    if (NOTES.contains(line.kind())) {
      notes = false;
    } else {
      wrong.add(name(line));
    }
  }

  private void sum(Line line) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(line.json().getBytes(UTF_8));
      for (int i = 0; i < checksum.length; i++) {
        checksum[i] ^= digest[i];
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Inbound messages are handled in the order in which they came, so that must be the same. */
  private void compareOrder() {
    Iterator<Line> there = target.lines(Kind.INBOUND, Order.ACCEPTED);
    Iterator<Line> here = source.lines(Kind.INBOUND, Order.ACCEPTED);
    while (here.hasNext()) {
      Line line = here.next();
      boolean same = false;
      while (!same && there.hasNext()) {
        same = there.next().key().equals(line.key());
      }
      if (!same) {
        wrong.add(line.name());
      }
    }
  }
}
