package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider accounts}: looks after accounts. */
@Command(
    name = "accounts",
    description = "Lists, checks, logs in, pauses and resumes accounts.",
    footer = "  postrider accounts list")
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
          .with("WHY", Accounts::why);

  /** Why it is not well, what it does not hear, and when it is looked at again. */
  private static String why(JsonNode account) {
    List<String> all = new ArrayList<>();
    String reason = Table.text(account, "reason");
    if (!reason.isEmpty()) {
      all.add(reason);
    }
    List<String> others =
        account.path("outages").valueStream().skip(1).map(it -> Table.text(it, "server")).toList();
    if (!others.isEmpty()) {
      long more = account.path("moreOutages").asLong(0);
      String rest = more == 0 ? "" : " and %,d more".formatted(more);
      all.add("away, too: " + String.join(", ", others) + rest);
    }
    JsonNode listening = account.path("listening");
    if (Table.text(listening, "status").equals("failing")) {
      all.add("hears nothing: " + Table.text(listening, "cause"));
    }
    if (!Table.ahead(account, "nextProbeAt").isEmpty()) {
      all.add("asked again " + Table.ago(account, "nextProbeAt"));
    }
    return String.join("; ", all);
  }

  @Command(description = "Lists accounts and their health.", footer = "  postrider accounts list")
  int list(@Mixin Remote remote) {
    return remote.list(Client.path("accounts"), COLUMNS, NONE);
  }

  @Command(
      description = "Asks the platform whether it takes the account; exits with 1 if it does not.",
      footer = "  postrider accounts check tg-main")
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
      },
      footer = "  postrider accounts login my-phone")
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

  @Command(
      description = "Stops sending on an account until it is resumed.",
      footer = "  postrider accounts pause tg-main --reason 'new token on Monday'")
  int pause(
      @Parameters(paramLabel = "ACCOUNT") String id,
      @Option(names = "--reason", description = Remote.REASON) @Nullable String reason,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("accounts", id, "pause"),
        Values.of("reason", reason).body(),
        (out, _) -> out.println(id + " is paused."));
  }

  @Command(
      description = "Sends on an account again.",
      footer = "  postrider accounts resume tg-main")
  int resume(@Parameters(paramLabel = "ACCOUNT") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("accounts", id, "resume"),
        null,
        (out, account) -> out.println(id + " is " + Table.text(account, "health") + "."));
  }
}
