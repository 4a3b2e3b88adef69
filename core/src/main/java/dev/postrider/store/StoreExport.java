package dev.postrider.store;

import dev.postrider.store.failure.StoreRefused;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Everything a store holds, as lines of JSON: to keep it in a file, to move it to another kind of
 * store, to compare two stores. The same content gives the same lines in every store; contents are
 * decrypted. {@code docs/export.md} describes the lines.
 *
 * <p>Nobody else may work on the store meanwhile. Calls block. Memory does not grow with the store.
 */
public interface StoreExport {
  /** The version of the lines; grows when an older reader would misunderstand them. */
  int VERSION = 1;

  /** What a line describes. Lines are written, and must be added, in this order. */
  enum Kind {
    ACCOUNT("account"),
    /** A file's name, size and type; {@link Store#blobs} has its bytes, and takes them in. */
    FILE("file"),
    UPLOAD("upload"),
    MESSAGE("message"),
    LANE_PAUSE("lanePause"),
    BUDGET("budget"),
    CHAT_ALIAS("chatAlias"),
    TOLD_ALIAS("toldAlias"),
    MEMORY("memory"),
    CURSOR("cursor"),
    SESSION("session"),
    INBOUND("inbound"),
    INBOUND_FILE("inboundFile"),
    SESSION_MESSAGE("sessionMessage"),
    RECEIPT("receipt"),
    REMINDER("reminder"),
    REMINDER_TARGET("reminderTarget"),
    RUN("run"),
    RUN_TARGET("runTarget"),
    SENT_ON_DAY("sentOnDay"),
    MINUTE("minute"),
    AUDIT("audit"),
    IMPORT_RECEIPT("importReceipt"),
    RESTORE("restore");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The line's {@code kind}. */
    public String label() {
      return label;
    }
  }

  /** In which order the lines of a kind come. */
  enum Order {
    /** Messages and inbound messages as they were accepted, which adding keeps; others by key. */
    ACCEPTED,
    /** By {@link Line#key}, so that the lines of two stores can be merged. */
    KEY
  }

  /**
   * One thing that the store holds.
   *
   * @param key differs from that of every other line of the kind
   * @param name the id that people know it by; several lines may be about the same
   * @param json without line breaks
   */
  record Line(Kind kind, String key, String name, String json) {
    /** Compares keys as stores order them: by the bytes of their UTF-8. */
    public static final Comparator<Line> BY_KEY =
        Comparator.comparing(
            line -> line.key.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);
  }

  /** Why this store cannot be exported or imported into now, or an empty text. */
  String inUseBecause();

  /** How many messages there are. */
  long messages();

  /**
   * All lines of a kind. The iterator reads a page at a time.
   *
   * @throws StoreRefused of the iterator, at a content that cannot be decrypted
   */
  Iterator<Line> lines(Kind kind, Order order);

  /**
   * Adds what is not there yet, in one transaction, and leaves the rest as it is. Tells how many
   * lines it added. Files are not added this way: their bytes go to {@link Store#blobs} first.
   *
   * @throws StoreRefused if a line is not one of this kind; nothing was added
   */
  int add(Kind kind, List<String> lines);

  /** The receipt of an entry that was imported from another queue. */
  Optional<ImportReceipt> importReceipt(String name);

  /**
   * Stores those entries of another queue that have no receipt yet, each together with its receipt,
   * all in one transaction. Queued messages join the end of their lane in this order; of these,
   * nothing is sent before the engine is opened. Gives how many entries it stored.
   */
  int addImported(List<ImportedEntry> entries);
}
