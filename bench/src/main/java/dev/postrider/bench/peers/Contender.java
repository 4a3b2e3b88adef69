package dev.postrider.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One system on one kind of store.
 *
 * @param name with its version
 * @param store where it keeps items, and when it waits for the disk
 * @param ordered whether it promises to keep the order of a key
 * @param command what runs its driver; target, work and settings come behind it
 */
record Contender(String name, Kind store, boolean ordered, List<String> command) {

  /** What items are kept in. Each waits for the disk before it says that it has an item. */
  enum Kind {
    SQLITE("SQLite"),
    POSTGRES("PostgreSQL"),
    REDIS("Redis");

    final String title;

    Kind(String title) {
      this.title = title;
    }
  }

  String title() {
    return name + ", " + store.title;
  }

  /** Begins a piece of work; the last line that the process prints is its result. */
  Process begin(String target, String what, Work work, Path log) throws IOException {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of(target, what, work.json()));
    return new ProcessBuilder(whole)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }
}
