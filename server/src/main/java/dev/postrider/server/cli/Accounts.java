package dev.postrider.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider accounts}: looks after accounts. */
@Command(
    name = "accounts",
    description = "Lists, checks, pauses and resumes accounts.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Accounts {
  private final Terminal terminal;

  Accounts(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(description = "Lists accounts and their health.", mixinStandardHelpOptions = true)
  int list(@Mixin Remote remote) {
    JsonNode page = remote.client().get("/v1/accounts");
    remote.print(
        page,
        answer -> table(answer.path("items")).print(terminal.out(), "No account is configured."));
    return 0;
  }

  static Table table(JsonNode accounts) {
    Table table =
        new Table(
            "ACCOUNT",
            "CHANNEL",
            "NODE",
            "HEALTH",
            "SINCE",
            "QUEUED",
            "SENDING",
            "DEAD",
            "OLDEST DUE",
            "WHY");
    for (JsonNode account : accounts) {
      table.row(
          Table.text(account, "id"),
          Table.text(account, "channel"),
          Table.text(account, "node"),
          Table.text(account, "health"),
          Table.ago(account, "since"),
          account.path("queued").asLong(),
          account.path("sending").asInt(),
          account.path("deadLetters").asLong(),
          Table.ago(account, "oldestDueAt"),
          Table.text(account, "reason"));
    }
    return table;
  }

  @Command(
      description = "Asks the platform whether it takes the account; exit code 1 if not.",
      mixinStandardHelpOptions = true)
  int check(@Parameters(paramLabel = "ACCOUNT") String id, @Mixin Remote remote) {
    JsonNode check = remote.client().post(path(id, "check"), null);
    remote.print(
        check,
        answer ->
            terminal
                .out()
                .println(
                    (Table.text(answer, "result")
                            + " "
                            + Table.plain(
                                Table.text(answer, "identity") + Table.text(answer, "cause")))
                        .strip()));
    return Table.text(check, "result").equals("healthy") ? 0 : Failure.FAILED;
  }

  @Command(
      description = "Sends nothing on it until it is resumed.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "ACCOUNT") String id,
      @Option(names = "--reason", description = "Why, for those who wonder.")
          @Nullable String reason,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("reason", reason);
    JsonNode account = remote.client().post(path(id, "pause"), body);
    remote.print(account, _ -> terminal.out().println(id + " is paused."));
    return 0;
  }

  @Command(description = "Sends on it again.", mixinStandardHelpOptions = true)
  int resume(@Parameters(paramLabel = "ACCOUNT") String id, @Mixin Remote remote) {
    JsonNode account = remote.client().post(path(id, "resume"), null);
    remote.print(
        account,
        answer -> terminal.out().println(id + " is " + Table.text(answer, "health") + "."));
    return 0;
  }

  private static String path(String id, String action) {
    return "/v1/accounts/" + Client.step(id) + "/" + action;
  }
}
