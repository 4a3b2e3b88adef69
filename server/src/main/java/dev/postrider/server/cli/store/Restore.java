package dev.postrider.server.cli.store;

import dev.postrider.config.PostriderConfig;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.InputFile;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.log.Logging;
import dev.postrider.store.Restored;
import dev.postrider.store.StoreBackup;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider restore}: the store of a backup, with what may have been sent since held. */
@Command(
    name = "restore",
    description = {
      "Puts the store of a backup in its place. Stop the server first.",
      "Whatever may have been sent since it was taken is held: a person decides what is sent again."
    },
    footer = "  postrider restore /var/backups/postrider/postrider-20261120-030000.zip")
public final class Restore implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", description = "What 'postrider backup' wrote.")
  private Path file = Path.of("");

  @Option(
      names = "--move-aside",
      description = "Keep a store that is there under another name; else that is refused.")
  private boolean aside;

  @Option(names = "--hold-scheduled", description = RestoredReport.HOLD_SCHEDULED)
  private boolean everything;

  @Option(
      names = "--dry-run",
      description = "Only read the backup to its end, and say what it holds.")
  private boolean dryRun;

  @Mixin private ConfigOptions options;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  Restore(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() {
    InputFile.checked(file);
    Logging.quiet();
    PostriderConfig config =
        options.load(ConfigLoader.forChannelsOnClassPath(terminal.environment())).postrider();
    StoreBackup backup = Stores.backup(config.store());
    try (SystemScheduler time = new SystemScheduler();
        ByteProgress progress = new ByteProgress(terminal)) {
      if (dryRun) {
        StoreBackup.Contents contents = backup.check(file, progress);
        progress.close();
        report(contents, null, null);
        return 0;
      }
      StoreBackup.Result result =
          backup.restore(file, config.encryptionKeys(), aside, everything, time, progress);
      progress.close();
      report(result.contents(), result.restored(), result.aside());
      return 0;
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("Nothing was restored: " + e.getMessage() + ".");
    }
  }

  private void report(
      StoreBackup.Contents contents, @Nullable Restored restored, @Nullable Path oldStore) {
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>(Backup.members(contents));
      if (restored != null) {
        all.putAll(RestoredReport.members(restored));
        all.put("oldStore", oldStore == null ? null : oldStore.toString());
      }
      terminal.data().println(new JsonMapper().writeValueAsString(all));
      return;
    }
    Instant now = restored == null ? Instant.now() : restored.at();
    Duration age = Duration.between(contents.takenAt(), now);
    terminal
        .out()
        .println(
            "The backup was taken at %s by Postrider %s, %s ago: %s."
                .formatted(
                    contents.takenAt().truncatedTo(ChronoUnit.SECONDS),
                    contents.version(),
                    RestoredReport.words(age),
                    Backup.words(contents)));
    Backup.warn(terminal, contents);
    if (restored != null) {
      RestoredReport.print(terminal, restored);
    }
    if (oldStore != null) {
      terminal.out().println("The store that was there is now " + oldStore + ".");
    }
  }
}
