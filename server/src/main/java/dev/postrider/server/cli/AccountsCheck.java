package dev.postrider.server.cli;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.config.AccountConfig;
import dev.postrider.server.cli.Doctor.Finding;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.config.ServerConfig;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks the platforms whether they take the accounts: through the server if it runs, because the
 * account is in its hands then; directly if not, with a link that only probes.
 */
final class AccountsCheck {
  private final ServerConfig config;
  private final Client client;

  AccountsCheck(ServerConfig config, Client client) {
    this.config = config;
    this.client = client;
  }

  void run(List<Finding> findings) {
    try {
      JsonNode health = client.get("/healthz");
      boolean ok = Table.text(health, "status").equals("ok");
      findings.add(
          new Finding("server", ok, ok ? "It runs." : "It runs, but: " + health.path("reasons")));
      throughServer(findings);
    } catch (Failure e) {
      if (e.exitCode() == Failure.NOT_REACHABLE) {
        findings.add(new Finding("server", true, "None runs here; accounts are asked directly."));
        directly(findings);
      } else {
        findings.add(new Finding("server", false, String.valueOf(e.getMessage())));
      }
    }
  }

  private void throughServer(List<Finding> findings) {
    for (JsonNode account : client.get("/v1/accounts").path("items")) {
      String id = Table.text(account, "id");
      if (account.path("needsLogin").asBoolean(false)) {
        findings.add(waitsForPerson(id, Table.text(account, "reason")));
        continue; // what its platform says of it is that it is not logged in
      }
      JsonNode check = client.post(Client.path("accounts", id, "check"), null);
      String said = Table.text(check, "identity") + Table.text(check, "cause");
      findings.add(finding(id, Table.text(check, "result"), said));
      JsonNode listening = account.path("listening");
      if (Table.text(listening, "status").equals("failing")) {
        findings.add(deaf(id, listening));
      }
    }
  }

  private static Finding waitsForPerson(String account, String reason) {
    return new Finding("account", false, account + " waits for a person: " + reason + ".");
  }

  /** What is to be said of an account that should hear and does not. */
  static Finding deaf(String account, JsonNode listening) {
    String what =
        listening.path("refused").asBoolean(false)
            ? "%s is not allowed to listen since %s: %s. Sending goes on. Change that on the"
                + " platform, then check the account"
            : "%s hears nothing since %s: %s";
    return new Finding(
        "listening",
        false,
        what.formatted(account, Table.text(listening, "since"), Table.text(listening, "cause"))
            + ".");
  }

  private void directly(List<Finding> findings) {
    try (SystemScheduler scheduler = new SystemScheduler()) {
      for (AccountConfig account : config.postrider().accounts()) {
        findings.add(probe(account, scheduler));
      }
    }
  }

  private static Finding probe(AccountConfig account, Scheduler scheduler) {
    Channel channel =
        ServiceLoader.load(Channel.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals(account.channel()))
            .findFirst()
            .orElseThrow();
    try (Link link = channel.open(new Quiet(account, scheduler))) {
      return switch (link.probe()) {
        case Probe.Healthy healthy -> finding(account.id(), "healthy", healthy.identity());
        case Probe.Broken broken -> finding(account.id(), "broken", broken.cause());
        case Probe.Unreachable gone -> finding(account.id(), "unreachable", gone.cause());
      };
    } catch (NotSentException e) { // by the memory
      return new Finding("account", true, account.id() + " was not asked: " + e.getMessage() + ".");
    } catch (Exception e) {
      return finding(account.id(), "unreachable", String.valueOf(e.getMessage()));
    }
  }

  private static Finding finding(String account, String result, String said) {
    String tail = said.isEmpty() ? "" : " (" + said + ")";
    return switch (result) {
      case "healthy" -> new Finding("account", true, account + " is healthy" + tail + ".");
      case "broken" ->
          new Finding(
              "account",
              false,
              account + " is refused by its platform" + tail + "; check its credentials.");
      default ->
          new Finding(
              "account",
              false,
              account
                  + "'s platform could not be asked"
                  + tail
                  + "; check the network and baseUrl.");
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
