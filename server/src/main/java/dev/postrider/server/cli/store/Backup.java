package dev.postrider.server.cli.store;

import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.config.Sizes;
import dev.postrider.server.log.Logging;
import dev.postrider.store.StoreBackup;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider backup}: the store as one file, whether a server works on it or not. */
@Command(
    name = "backup",
    description = {
      "Writes the SQLite store, files included, to one new file, and reads it back.",
      "The server may run meanwhile. What is encrypted in the store is encrypted in the file."
    },
    footer = "  postrider backup /var/backups/postrider --config postrider.yaml")
public final class Backup implements Callable<Integer> {
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'postrider-'yyyyMMdd-HHmmss'.zip'").withZone(ZoneOffset.UTC);

  private final Terminal terminal;

  @Parameters(
      paramLabel = "FILE",
      description = "A new file; or a folder, for a file in it that is named after the time.")
  private Path file = Path.of("");

  @Mixin private ConfigOptions options;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  Backup(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() {
    Logging.quiet();
    String store =
        options
            .load(ConfigLoader.forChannelsOnClassPath(terminal.environment()))
            .postrider()
            .store();
    Path target = Files.isDirectory(file) ? file.resolve(NAME.format(Instant.now())) : file;
    try (ByteProgress progress = new ByteProgress(terminal)) {
      StoreBackup.Contents contents = Stores.backup(store).write(target, progress);
      progress.close();
      report(target, contents);
      return 0;
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("No backup was written: " + e.getMessage() + ".");
    }
  }

  private void report(Path target, StoreBackup.Contents contents) {
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("file", target.toString());
      all.putAll(members(contents));
      terminal.data().println(new JsonMapper().writeValueAsString(all));
    } else {
      terminal
          .out()
          .println(
              "Backed up to %s (%s), and read back: %s."
                  .formatted(target, Sizes.format(contents.bytes()), words(contents)));
    }
    warn(terminal, contents);
  }

  static Map<String, Object> members(StoreBackup.Contents contents) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("takenAt", contents.takenAt().toString());
    all.put("version", contents.version());
    all.put("format", contents.format());
    all.put("messages", contents.messages());
    all.put("waiting", contents.waiting());
    all.put("files", contents.files());
    all.put("missing", contents.missing());
    all.put("bytes", contents.bytes());
    return all;
  }

  static String words(StoreBackup.Contents contents) {
    return "%,d messages, %,d of them waiting, and %,d files"
        .formatted(contents.messages(), contents.waiting(), contents.files());
  }

  /** The backup is as good as the store was. */
  static void warn(Terminal terminal, StoreBackup.Contents contents) {
    contents
        .missing()
        .forEach(
            hash ->
                terminal
                    .err()
                    .println("The store had lost the file " + hash + " before; it is not in it."));
  }
}
