package dev.postrider.server.cli.store;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.config.PostriderConfig;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.log.Logging;
import dev.postrider.store.Reencryption;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.SystemScheduler;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider reencrypt}: everything in the store comes under the key that encrypts now. */
@Command(
    name = "reencrypt",
    description = {
      "Encrypts everything in the store under the first of storage.encryptionKey, or decrypts it if"
          + " that is 'none'; the other keys may go afterwards.",
      "On SQLite stop the server first. It can be stopped at any time, and repeated."
    },
    footer = "  postrider reencrypt --config postrider.yaml")
public final class Reencrypt implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ConfigOptions options;

  @Option(names = "--check", description = "Only count what is under which key.")
  private boolean check;

  Reencrypt(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() {
    Logging.quiet();
    PostriderConfig config =
        options.load(ConfigLoader.forChannelsOnClassPath(terminal.environment())).postrider();
    EncryptionKeys keys = config.encryptionKeys();
    try (SystemScheduler time = new SystemScheduler();
        Store store = Stores.open(config.store(), "store", "reencrypt", keys, time)) {
      boolean whole = check || reencrypt(store);
      show(reencryption(store).count());
      return whole ? 0 : Failure.FAILED;
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("It stopped: " + e.getMessage() + ". It can be repeated.");
    }
  }

  private static Reencryption reencryption(Store store) {
    return store
        .reencryption()
        .orElseThrow(() -> Failure.because("This kind of store does not encrypt."));
  }

  /** Until nothing is left to do: servers may write meanwhile. False if something was left. */
  private boolean reencrypt(Store store) {
    long looked = 0;
    long changed;
    long unreadable;
    do {
      Reencryption walk = reencryption(store);
      changed = 0;
      unreadable = 0;
      Reencryption.Step step;
      do {
        step = walk.next();
        looked += step.looked();
        changed += step.changed();
        unreadable += step.unreadable();
      } while (!step.done());
      terminal.err().printf("looked at %,d, changed %,d%n", looked, changed);
      terminal.err().flush();
      if (changed == 0) {
        walk.finish();
      }
    } while (changed > 0);
    if (unreadable > 0) {
      terminal
          .out()
          .printf("%,d do not decrypt: they are damaged, and were left as they are.%n", unreadable);
    }
    return unreadable == 0;
  }

  private void show(Map<String, Long> counts) {
    counts.forEach(
        (key, count) ->
            terminal
                .out()
                .println(
                    key.equals(Reencryption.NOT_ENCRYPTED)
                        ? "not encrypted: %,d".formatted(count)
                        : "under key %s: %,d".formatted(key, count)));
    if (counts.isEmpty()) {
      terminal.out().println("The store holds no contents.");
    }
  }
}
