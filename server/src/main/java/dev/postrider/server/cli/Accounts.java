package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider accounts}: looks after accounts. */
@Command(name = "accounts", description = "Lists, checks, logs in, pauses and resumes accounts.")
final class Accounts {
  static final String NONE = "No account is configured.";
  static final Columns COLUMNS =
      new Columns()
          .with("ACCOUNT", "id")
          .with("CHANNEL", "channel")
          .with("NODE", "node")
          .with("HEALTH", "health")
          .age("SINCE", "since")
          .with("QUEUED", "queued")
          .with("SENDING", "sending")
          .with("DEAD", "deadLetters")
          .age("OLDEST DUE", "oldestDueAt")
          .with("WHY", "reason");

  @Command(description = "Lists accounts and their health.")
  int list(@Mixin Remote remote) {
    return remote.list(Client.path("accounts"), COLUMNS, NONE);
  }

  @Command(
      description = "Asks the platform whether it takes the account; exits with 1 if it does not.")
  int check(@Parameters(paramLabel = "ACCOUNT") String id, @Mixin Remote remote) {
    JsonNode check = remote.client().post(Client.path("accounts", id, "check"), null);
    String result = Table.text(check, "result");
    String details = Table.text(check, "identity") + Table.text(check, "cause");
    remote.print(check, (out, _) -> out.println(Table.plain(result + " " + details).strip()));
    return result.equals("healthy") ? 0 : Failure.FAILED;
  }

  @Command(
      description = {
        "Logs in an account that a person must let in on their phone: shows a QR code to scan, or a"
            + " code to type.",
        "Ends when it is logged in; exits with 1 if that fails."
      })
  int login(
      @Parameters(paramLabel = "ACCOUNT") String id,
      @Option(
              names = "--phone",
              paramLabel = "NUMBER",
              description = "Ask for a code to type on this phone instead of a QR code.")
          @Nullable String phone,
      @Mixin Remote remote)
      throws InterruptedException {
    return new AccountLogin(remote, id, phone).run();
  }

  @Command(description = "Stops sending on an account until it is resumed.")
  int pause(
      @Parameters(paramLabel = "ACCOUNT") String id,
      @Option(names = "--reason", description = Remote.REASON) @Nullable String reason,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("accounts", id, "pause"),
        Values.of("reason", reason).body(),
        (out, _) -> out.println(id + " is paused."));
  }

  @Command(description = "Sends on an account again.")
  int resume(@Parameters(paramLabel = "ACCOUNT") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("accounts", id, "resume"),
        null,
        (out, account) -> out.println(id + " is " + Table.text(account, "health") + "."));
  }
}
