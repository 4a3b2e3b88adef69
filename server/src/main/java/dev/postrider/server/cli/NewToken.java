package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.Token;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code postrider token}: makes a token for the API, and the hash that stands in the file. */
@Command(
    name = "token",
    description = "Makes a token for the API, and its hash for the configuration.",
    footer = "  postrider token")
final class NewToken implements Callable<Integer> {
  private static final int BYTES = 32;

  private final Terminal terminal;

  NewToken(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    terminal.out().println("For its bearer:         " + secret);
    terminal.out().println("For http.tokens.secret: " + Token.hashed(secret));
    return 0;
  }
}
