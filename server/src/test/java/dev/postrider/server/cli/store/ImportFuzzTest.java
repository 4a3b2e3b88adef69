package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.server.cli.Main;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.testkit.internal.fuzz.Fuzzing;
import dev.postrider.testkit.internal.fuzz.Noise;
import dev.postrider.time.SystemScheduler;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Export files that were cut, edited and mixed up: they are read, or what is wrong is said. */
class ImportFuzzTest {
  @TempDir Path folder;

  @Test
  void any_file_is_imported_or_refused_in_words_and_the_store_stays_whole() throws Exception {
    List<String> lines = exported();
    AtomicInteger number = new AtomicInteger();
    Fuzzing.run(
        "import file",
        60,
        noise -> {
          Path file = folder.resolve("file");
          Files.write(file, broken(lines, noise).getBytes(StandardCharsets.UTF_8));
          Path database = folder.resolve(number.incrementAndGet() + ".db");

          StringWriter said = new StringWriter();
          int code = run(database, said, "import", "jsonl", file.toString());

          assertThat(said.toString()).doesNotContainPattern("Exception|(?m)^\\s+at ");
          if (code != 0) {
            assertThat(said.toString()).isNotBlank();
          }
          if (Files.exists(database)) { // whatever came of it, what is there can be read
            StringWriter all = new StringWriter();
            assertThat(run(database, all, "export")).as("%s", all).isZero();
          }
        });
  }

  private List<String> exported() throws Exception {
    Path full = folder.resolve("full.db");
    try (SystemScheduler time = new SystemScheduler();
        Store store =
            new SqliteStoreProvider().open("sqlite:" + full, ClusterSettings.of("test"), time)) {
      new StoreCopyTurnsTest().fill(store);
      new StoreCopyInboundTest().fill(store);
      new StoreCopyRunsTest().fill(store);
      new StoreCopyTest().fill(store);
    }
    StringWriter all = new StringWriter();
    assertThat(run(full, all, "export")).isZero();
    return all.toString().lines().toList();
  }

  private static String broken(List<String> lines, Noise noise) {
    List<String> some = new ArrayList<>(lines);
    for (int i = 0; i < 3; i++) {
      int at = noise.below(some.size());
      switch (noise.below(6)) {
        case 0 -> some.set(at, noise.mutated(some.get(at)));
        case 1 -> some.set(at, noise.mutated(noise.mutated(some.get(at))));
        case 2 -> some.add(at, noise.of(lines));
        case 3 -> some.remove(at);
        case 4 -> some.add(some.remove(at));
        default -> some.add(at, noise.text());
      }
    }
    String text = String.join("\n", some) + "\n";
    return noise.oneIn(10) ? text.substring(0, noise.below(text.length())) : text;
  }

  private static int run(Path database, StringWriter said, String... arguments) {
    PrintWriter writer = new PrintWriter(said, true);
    Map<String, String> environment = Map.of("POSTRIDER_STORE", "sqlite:" + database);
    return Main.run(
        new Terminal(environment, InputStream.nullInputStream(), writer, writer, false), arguments);
  }
}
