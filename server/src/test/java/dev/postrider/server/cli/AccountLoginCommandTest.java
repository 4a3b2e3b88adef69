package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider accounts login}. */
class AccountLoginCommandTest {
  private final Shell shell = new Shell();
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir,
            """
            accounts:
              - { id: phone, channel: sandbox, pairing: 10ms }
              - { id: slow, channel: sandbox, pairing: 1h }
            """);
    shell.environment.put("POSTRIDER_URL", server.address());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_code_is_drawn_and_the_command_ends_well_when_it_was_scanned() {
    shell.interactive = true;

    assertThat(shell.run("accounts", "login", "phone")).isZero();

    assertThat(shell.out)
        .contains("▀", "\u001b[38;5;16;48;5;231m", "Scan this with phone's phone")
        .endsWith("phone is logged in as sandbox." + System.lineSeparator());
    assertThat(shell.run("accounts", "login", "phone")).isZero(); // nothing more to do
  }

  @Test
  void programs_get_a_line_of_json_for_each_step() {
    assertThat(shell.run("accounts", "login", "phone", "--json")).isZero();

    List<JsonNode> steps = shell.out.lines().map(new JsonMapper()::readTree).toList();
    assertThat(steps).extracting(step -> step.path("state").asString()).contains("scan");
    assertThat(steps.getLast().path("state").asString()).isEqualTo("loggedIn");
  }

  @Test
  void a_login_that_fails_ends_with_the_cause() {
    assertThat(shell.run("accounts", "login", "slow", "--phone", "+49 151 0000")).isEqualTo(1);
    assertThat(shell.out).contains("slow is not logged in: the person with the phone");
    assertThat(shell.run("accounts", "login", "nobody")).isEqualTo(1);
    assertThat(shell.err).contains("nobody");
  }

  @Test
  void status_and_the_list_of_accounts_say_what_to_do() {
    shell.run("status");
    assertThat(shell.out).contains("log in with 'postrider accounts login slow'");
    shell.run("accounts", "list");
    assertThat(shell.out).contains("log in with 'postrider accounts login slow'");
  }

  @Test
  void without_a_terminal_the_light_squares_are_the_ink() {
    List<String> drawn = QrText.draw(List.of("10", "01"), false);

    assertThat(drawn).containsExactly("██████", "██▄▀██", "██████");
    assertThat(QrText.draw(List.of("10", "01"), true).get(1)).contains("  ▀▄  ");
  }

  @Test
  void the_doctor_names_the_command(@TempDir Path data) {
    assertThat(shell.run("doctor", "--data", data.toString())).isEqualTo(1);
    assertThat(shell.out)
        .contains(
            "BAD  account        slow waits for a person: log in with 'postrider accounts"
                + " login slow': no phone has let it in.");
  }
}
