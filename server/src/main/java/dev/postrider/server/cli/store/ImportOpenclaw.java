package dev.postrider.server.cli.store;

import dev.postrider.config.Durations;
import dev.postrider.config.NearestName;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.StorableTime;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.log.Logging;
import dev.postrider.server.openclaw.EntryQueue;
import dev.postrider.server.openclaw.ImportReport;
import dev.postrider.server.openclaw.OpenclawImport;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider import openclaw}: takes over OpenClaw's delivery queue. */
@Command(
    name = "openclaw",
    description = {
      "Takes over OpenClaw's delivery queue: what waits is queued here, what failed or is too old"
          + " becomes a dead letter.",
      "Stop OpenClaw and the servers first. Each file that was imported is renamed to"
          + " NAME.migrated. It can be repeated."
    },
    footer =
        "  postrider import openclaw ~/.openclaw/delivery-queue --dry-run"
            + " --map telegram:default=tg-main")
public final class ImportOpenclaw implements Callable<Integer> {
  private static final String NAMED = "store";

  private final Terminal terminal;

  @Parameters(
      paramLabel = "DIR",
      description = "The folder delivery-queue, or the SQLite file of a later OpenClaw.")
  private Path directory = Path.of("");

  @Option(names = "--dry-run", description = "Only say what would happen; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--max-age",
      paramLabel = "AGE",
      converter = Age.class,
      description = "What is older is not sent, but becomes a dead letter; 72h.")
  private Duration maxAge = Duration.ofHours(72);

  @Option(
      names = "--resend-unknown",
      description = "Send what may have arrived already; else it is held for a person to look at.")
  private boolean resendUnknown;

  @Option(
      names = "--map",
      paramLabel = "CHANNEL:ACCOUNT=OURS",
      description =
          "Which account here stands for one there, such as telegram:default=tg-main; may be"
              + " repeated. Without it one of the same name, or of the channel's name for"
              + " 'default'.")
  private Map<String, String> accounts = Map.of();

  @Mixin private ConfigOptions options;

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean json;

  ImportOpenclaw(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() {
    Logging.quiet();
    OpenclawImport.Wishes wishes =
        new OpenclawImport.Wishes(dryRun, maxAge, resendUnknown, accounts);
    PostriderConfig config =
        options.load(ConfigLoader.forChannelsOnClassPath(terminal.environment())).postrider();
    try (EntryQueue queue = OpenclawImport.queueAt(directory);
        SystemScheduler time = new SystemScheduler()) {
      ImportReport report = run(queue, config, wishes, time);
      if (json) {
        terminal.data().println(new JsonMapper().writeValueAsString(asJson(report)));
        terminal.data().flush();
      } else {
        print(report, config);
      }
      return report.left().isEmpty() ? 0 : Failure.FAILED;
    } catch (IOException e) {
      throw Failure.because(String.valueOf(e.getMessage()));
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("It stopped: " + e.getMessage() + ". It can be repeated.");
    }
  }

  /** Durations as they are written everywhere. */
  static final class Age implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return StorableTime.checked(Durations.parse(text));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** A dry run takes files into a store that forgets them, and makes no new store. */
  private ImportReport run(
      EntryQueue queue,
      PostriderConfig config,
      OpenclawImport.Wishes wishes,
      SystemScheduler time) {
    SplittableRandom random = new SplittableRandom();
    try (@Nullable Store store = open(config, time);
        @Nullable Store scratch =
            dryRun ? Stores.openInMemory(config.store(), NAMED, time) : null) {
      Store files = scratch != null ? scratch : store;
      if (files == null) {
        throw new IllegalStateException("a store is opened unless it is a dry run");
      }
      return new OpenclawImport(queue, store, files.blobs(), config, wishes, time, random).run();
    }
  }

  private @Nullable Store open(PostriderConfig config, SystemScheduler time) {
    if (dryRun && Stores.isMissing(config.store())) {
      return null;
    }
    Store store =
        Stores.open(
            config.store(),
            NAMED,
            "import",
            dryRun ? Stores.reading(config.encryptionKeys()) : config.encryptionKeys(),
            time);
    try {
      Stores.requireDurable(store);
      Stores.export(store, NAMED);
      return store;
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  // ---- the report

  private void print(ImportReport report, PostriderConfig config) {
    PrintWriter out = terminal.out();
    int all = report.entries().values().stream().mapToInt(Integer::intValue).sum();
    out.printf(
        "%s %,d entries, which %s %,d messages:%n",
        dryRun ? "Would import" : "Imported", all, dryRun ? "would be" : "are", report.messages());
    report.entries().forEach((fate, count) -> out.printf("%,8d %s%n", count, fate.words()));
    list("Dead letters, since they cannot be sent as they are", report.unsendable());
    list("Left where they are", report.left());
    List<String> known = config.accounts().stream().map(account -> account.id()).toList();
    report
        .waiting()
        .forEach(
            (account, count) ->
                out.printf(
                    "Account '%s' is not configured%s: %,d messages %s for it. Configure it, or"
                        + " name another with --map before you import.%n",
                    account,
                    NearestName.hint(account, known).replaceFirst("; known are.*", ""),
                    count,
                    dryRun ? "would wait" : "wait"));
    if (dryRun) {
      out.println("This was a dry run: nothing was changed.");
    }
    out.flush();
  }

  private void list(String what, List<EntryQueue.Noted> noted) {
    if (!noted.isEmpty()) {
      terminal.out().printf("%s, %,d:%n", what, noted.size());
      noted.forEach(one -> terminal.out().println("  " + one.name() + ": " + one.reason()));
    }
  }

  private Map<String, Object> asJson(ImportReport report) {
    Map<String, Integer> entries = new LinkedHashMap<>();
    report.entries().forEach((fate, count) -> entries.put(fate.label(), count));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("dryRun", dryRun);
    all.put("entries", entries);
    all.put("messages", report.messages());
    all.put("unsendable", report.unsendable());
    all.put("left", report.left());
    all.put("notConfigured", report.waiting());
    return all;
  }
}
