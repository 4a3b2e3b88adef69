package dev.postrider.server.cli.store;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.server.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code postrider key}: makes a key that contents are encrypted under in the store. */
@Command(
    name = "key",
    description = "Makes a key for storage.encryptionKey, which encrypts contents in the store.",
    footer = "  postrider key")
public final class NewKey implements Callable<Integer> {
  private final Terminal terminal;

  NewKey(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    String key = EncryptionKeys.random();
    int id = EncryptionKeys.id(EncryptionKeys.of(key).secrets().getFirst());
    terminal.out().println("For storage.encryptionKey: " + key);
    terminal.out().println("Its name in messages:      " + EncryptionKeys.name(id));
    terminal.out().println("Keep a copy elsewhere: without it the contents are lost.");
    return 0;
  }
}
