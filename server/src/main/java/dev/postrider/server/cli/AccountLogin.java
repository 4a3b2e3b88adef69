package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.cli.terminal.Values;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks the server how a login stands until it has ended, and shows what the person is to do. */
final class AccountLogin {
  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final Remote remote;
  private final String account;
  private final @Nullable String phone;
  private @Nullable JsonNode shown;

  AccountLogin(Remote remote, String account, @Nullable String phone) {
    this.remote = remote;
    this.account = account;
    this.phone = phone;
  }

  int run() throws InterruptedException {
    Client client = remote.client();
    while (true) {
      JsonNode login =
          client.post(Client.path("accounts", account, "login"), Values.of("phone", phone).body());
      if (!login.equals(shown)) {
        remote.printLine(login, this::words);
        shown = login;
      }
      switch (Table.text(login, "state")) {
        case "loggedIn" -> {
          return 0;
        }
        case "scan", "code", "waiting" -> Thread.sleep(ASK_AGAIN);
        default -> {
          return Failure.FAILED;
        }
      }
    }
  }

  private void words(PrintWriter out, JsonNode login) {
    String cause = Table.text(login, "cause");
    switch (Table.text(login, "state")) {
      case "loggedIn" ->
          out.println(
              (account + " is logged in as " + Table.text(login, "identity")).strip() + ".");
      case "scan" -> scan(out, login.path("qr"));
      case "code" ->
          out.println(
              "Type this code on the phone, where it asks to link a device: "
                  + Table.text(login, "code"));
      case "waiting" -> out.println("Waiting: " + cause);
      default -> out.println(account + " is not logged in: " + cause);
    }
    out.flush();
  }

  private void scan(PrintWriter out, JsonNode qr) {
    if (!qr.path("rows").isArray()) {
      out.println("The code is a picture that cannot be drawn here: log in on the dashboard.");
      return;
    }
    Terminal terminal = remote.terminal();
    if (terminal.interactive()) {
      terminal.rawOut().print(CLEAR);
    }
    List<String> rows = new ArrayList<>();
    qr.path("rows").forEach(row -> rows.add(row.asString()));
    QrText.draw(rows, terminal.interactive()).forEach(terminal.rawOut()::println);
    terminal.rawOut().flush();
    out.println("Scan this with " + account + "'s phone. A new one is shown when it expires.");
  }
}
