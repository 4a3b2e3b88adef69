package dev.postrider.server.cli.doctor;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.config.AccountConfig;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks the platforms whether they take the accounts: through the server if it runs, because the
 * account is in its hands then; directly if not, with a link that only probes.
 */
final class AccountsCheck {
  private static final String ACCOUNTS = Client.path("accounts");

  private final List<AccountConfig> accounts;
  private final Map<String, Channel> channels;
  private final Client client;

  AccountsCheck(List<AccountConfig> accounts, Map<String, Channel> channels, Client client) {
    this.accounts = accounts;
    this.channels = channels;
    this.client = client;
  }

  void run(List<Finding> findings) {
    try {
      JsonNode health = client.get("/healthz");
      findings.add(
          Table.text(health, "status").equals("ok")
              ? Finding.well("server", "It runs at " + client.url() + ".")
              : Finding.bad(
                  "server",
                  "It runs at %s, but: %s.".formatted(client.url(), reasons(health)),
                  "'postrider status' shows what is behind it."));
      throughServer(findings);
    } catch (Failure e) {
      if (e.exitCode() == Failure.NOT_REACHABLE) {
        findings.add(
            Finding.well(
                "server", "None runs at " + client.url() + "; the platforms are asked directly."));
        directly(findings);
      } else {
        findings.add(
            Finding.bad(
                "server",
                String.valueOf(e.getMessage()),
                "Say where it is with --url, and who you are with --token."));
      }
    }
  }

  private static String reasons(JsonNode health) {
    return health
        .path("reasons")
        .valueStream()
        .map(JsonNode::asString)
        .collect(Collectors.joining("; "));
  }

  private void throughServer(List<Finding> findings) {
    Map<String, String> answers = new HashMap<>();
    for (JsonNode account : client.get(ACCOUNTS).path("items")) {
      String id = Table.text(account, "id");
      if (account.path("needsLogin").asBoolean(false)) {
        findings.add(waitsForPerson(id, Table.text(account, "reason")));
        continue; // what its platform says of it is that it is not logged in
      }
      JsonNode check = client.post(Client.path("accounts", id, "check"), null);
      String said = Table.text(check, "identity") + Table.text(check, "cause");
      answers.put(id, Table.text(check, "result"));
      findings.add(finding(id, Table.text(check, "result"), said));
      JsonNode listening = account.path("listening");
      if (Table.text(listening, "status").equals("failing")) {
        findings.add(deaf(id, listening));
      }
    }
    for (JsonNode account : client.get(ACCOUNTS).path("items")) {
      String answer = answers.getOrDefault(Table.text(account, "id"), "");
      contradiction(account, answer).ifPresent(findings::add);
    }
  }

  /** What the platform says now against what the server goes by. */
  static Optional<Finding> contradiction(JsonNode account, String answer) {
    String id = Table.text(account, "id");
    String health = Table.text(account, "health");
    boolean stopped = health.equals("broken") || health.equals("unreachable");
    if (answer.equals("healthy") && stopped) {
      String next = Table.text(account, "nextProbeAt");
      return Optional.of(
          Finding.bad(
              "account",
              "The platform takes %s, but the server still holds it for %s since %s: %s."
                  .formatted(
                      id, health, Table.text(account, "since"), Table.text(account, "reason")),
              (next.isEmpty() ? "" : "It asks again at " + next + ". ")
                  + "To go on now, run: postrider accounts resume "
                  + id));
    }
    if (answer.equals("broken") && health.equals("ready")) {
      return Optional.of(
          Finding.bad(
              "account",
              "The platform refuses " + id + ", but the server still holds it for ready.",
              "The next message will show it; correct the credentials before."));
    }
    return Optional.empty();
  }

  private static Finding waitsForPerson(String account, String reason) {
    return Finding.bad(
        "account",
        account + " waits for a person: " + reason + ".",
        "Run: postrider accounts login " + account);
  }

  /** What is to be said of an account that should hear and does not. */
  static Finding deaf(String account, JsonNode listening) {
    boolean refused = listening.path("refused").asBoolean(false);
    return Finding.bad(
        "listening",
        "%s %s since %s: %s."
            .formatted(
                account,
                refused ? "is not allowed to listen" : "hears nothing",
                Table.text(listening, "since"),
                Table.text(listening, "cause")),
        refused
            ? "Sending goes on. Change that on the platform, then check the account."
            : "It is tried again by itself; look whether the platform can be reached.");
  }

  private void directly(List<Finding> findings) {
    try (SystemScheduler scheduler = new SystemScheduler()) {
      for (AccountConfig account : accounts) {
        findings.add(probe(account, scheduler));
      }
    }
  }

  private Finding probe(AccountConfig account, Scheduler scheduler) {
    Channel channel = Objects.requireNonNull(channels.get(account.channel()));
    try (Link link = channel.open(new Quiet(account, scheduler))) {
      return switch (link.probe()) {
        case Probe.Healthy healthy -> finding(account.id(), "healthy", healthy.identity());
        case Probe.Broken broken -> finding(account.id(), "broken", broken.cause());
        case Probe.Unreachable gone -> finding(account.id(), "unreachable", gone.cause());
      };
    } catch (NotSentException e) { // by the memory
      return Finding.well("account", account.id() + " was not asked: " + e.getMessage() + ".");
    } catch (Exception e) {
      return finding(account.id(), "unreachable", String.valueOf(e.getMessage()));
    }
  }

  private static Finding finding(String account, String result, String said) {
    String tail = said.isEmpty() ? "" : " (" + said + ")";
    return switch (result) {
      case "healthy" -> Finding.well("account", account + " is healthy" + tail + ".");
      case "broken" ->
          Finding.bad(
              "account",
              account + " is refused by its platform" + tail + ".",
              "Check its credentials.");
      default ->
          Finding.bad(
              "account",
              account + "'s platform could not be asked" + tail + ".",
              "Check the network and baseUrl.");
    };
  }

  /** A context without an engine: enough for a link to be probed. */
  private record Quiet(AccountConfig config, Scheduler scheduler) implements AccountContext {
    @Override
    public Memory memory() {
      return new NoMemory();
    }

    @Override
    public void ready() {}

    @Override
    public void notReady(String reason) {}
  }

  /**
   * Remembers nothing. What may be used once is claimed first, and so is not used here, where
   * nobody could write down what comes next.
   */
  private static final class NoMemory implements Memory {
    private static NotSentException away() {
      return new NotSentException(
          "what this account remembers is in the store; start the server and ask again");
    }

    @Override
    public Optional<String> read(@Nullable String chat, String key) {
      return Optional.empty();
    }

    @Override
    public void write(List<Remembered> all) {
      throw away();
    }

    @Override
    public boolean replace(@Nullable String expected, Remembered by) {
      throw away();
    }
  }
}
