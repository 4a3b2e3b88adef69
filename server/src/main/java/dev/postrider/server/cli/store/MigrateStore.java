package dev.postrider.server.cli.store;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.log.Logging;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.SystemScheduler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider migrate-store}: everything from one store into another. */
@Command(
    name = "migrate-store",
    description = {
      "Moves everything from one store to another, and compares them afterwards.",
      "Stop the servers first. The source is only read; it can be repeated.",
      "The configuration's storage.encryptionKey decrypts the source and encrypts the target."
    },
    footer =
        "  postrider migrate-store --from sqlite:data/postrider.db --to jdbc:postgresql://db/pr")
public final class MigrateStore implements Callable<Integer> {
  private static final String NODE = "migrate-store";
  private static final int SHOWN = 10;

  private final Terminal terminal;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "STORE",
      description = "Such as sqlite:postrider-data/postrider.db.")
  private String from = "";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "STORE",
      description = "Such as jdbc:postgresql://host/database?user=NAME.")
  private String to = "";

  @Mixin private ConfigOptions options;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  MigrateStore(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() {
    Logging.quiet();
    if (from.equals(to)) {
      throw Failure.usage("--from and --to are the same store.");
    }
    Stores.requireFile(from, "to move");
    EncryptionKeys keys =
        options
            .load(ConfigLoader.forChannelsOnClassPath(terminal.environment()))
            .postrider()
            .encryptionKeys();
    try (SystemScheduler time = new SystemScheduler();
        Store source = Stores.open(from, "--from", NODE, Stores.reading(keys), time);
        Store target = Stores.open(to, "--to", NODE, keys, time)) {
      StoreCopy.Side out = new StoreCopy.Side(source, Stores.export(source, "--from"));
      StoreCopy copy =
          new StoreCopy(out, new StoreCopy.Side(target, Stores.export(target, "--to")));
      long all = out.everything().messages();
      StoreCopy.Result result = copy.run(progress("copied", all), progress("compared", all));
      report(result);
      return result.right() ? 0 : Failure.FAILED;
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("It stopped: " + e.getMessage() + ". It can be repeated.");
    }
  }

  /** On a terminal a line that is drawn over; elsewhere a line now and then. */
  private LongConsumer progress(String what, long all) {
    boolean drawn = System.console() != null && System.console().isTerminal() && !json;
    return new LongConsumer() {
      private long tenth = -1;

      @Override
      public void accept(long done) {
        long reached = all == 0 ? 10 : done * 10 / all;
        if (json || (!drawn && reached == tenth)) {
          return;
        }
        tenth = reached;
        String line = "%s %,d of %,d".formatted(what, done, all);
        if (drawn) {
          String bar = "█".repeat((int) reached * 2) + "░".repeat(20 - (int) reached * 2);
          terminal.rawErr().print("\r" + bar + " " + line + (done >= all ? "\n" : ""));
        } else {
          terminal.err().println(line);
        }
        terminal.err().flush();
      }
    };
  }

  private void report(StoreCopy.Result result) {
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("found", result.found());
      all.put("added", result.added());
      all.put("files", result.files());
      all.put("filesAdded", result.filesAdded());
      all.put("checksum", result.checksum());
      all.put("equal", result.right());
      all.put("wrong", result.wrong());
      all.put("onlyInTarget", result.strangers());
      terminal.data().println(new JsonMapper().writeValueAsString(all));
      return;
    }
    terminal
        .out()
        .println(
            "%,d messages found, %,d added, %,d were there already. Checksum %s."
                .formatted(
                    result.found(),
                    result.added(),
                    result.found() - result.added(),
                    result.checksum()));
    if (result.files() > 0) {
      terminal
          .out()
          .println("%,d files found, %,d added.".formatted(result.files(), result.filesAdded()));
    }
    if (result.strangers() > 0) {
      terminal
          .out()
          .println("%,d messages in the target are its own.".formatted(result.strangers()));
    }
    if (result.right()) {
      terminal.out().println("Both stores hold the same. Name the new one in 'store' and start.");
      return;
    }
    if (!result.notes()) {
      terminal
          .out()
          .println(
              "DIFFERENT: pauses, budgets, cursors, counts or what platforms call"
                  + " files are not the same in the target.");
    }
    List<String> wrong = result.wrong();
    if (!wrong.isEmpty()) {
      terminal
          .out()
          .println(
              ("DIFFERENT: %,d messages, events, receipts, files, reminders or runs are"
                      + " missing in the target, or not the same there: %s%s")
                  .formatted(
                      wrong.size(),
                      String.join(", ", wrong.subList(0, Math.min(SHOWN, wrong.size()))),
                      wrong.size() > SHOWN ? ", …" : ""));
      terminal.out().println("The target has been used since; move into an empty one.");
    }
  }
}
