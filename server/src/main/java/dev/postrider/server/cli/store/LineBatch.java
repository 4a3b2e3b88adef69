package dev.postrider.server.cli.store;

import dev.postrider.store.StoreExport;
import dev.postrider.store.StoreExport.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Adds lines to a store, many in one transaction, but no more than fit in memory. */
final class LineBatch {
  static final int LINES = 1_000;
  private static final long CHARACTERS = 8_000_000;

  private final StoreExport target;
  private final LongConsumer progress;
  private final List<String> lines = new ArrayList<>();
  private Kind kind = Kind.ACCOUNT;
  private long characters;
  private long seen;
  private long added;

  /**
   * @param progress told how many lines have been looked at
   */
  LineBatch(StoreExport target, LongConsumer progress) {
    this.target = target;
    this.progress = progress;
  }

  void add(Kind of, String line) {
    if (of != kind || lines.size() == LINES || characters > CHARACTERS) {
      flush();
    }
    kind = of;
    lines.add(line);
    characters += line.length();
  }

  void flush() {
    if (!lines.isEmpty()) {
      added += target.add(kind, List.copyOf(lines));
      seen += lines.size();
      progress.accept(seen);
      lines.clear();
      characters = 0;
    }
  }

  long added() {
    return added;
  }
}
