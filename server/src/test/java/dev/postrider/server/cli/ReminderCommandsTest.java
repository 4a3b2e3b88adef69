package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reminders and their runs on the command line. */
class ReminderCommandsTest {
  private static final String YAML =
      """
      name: Friday notice
      account: sandbox
      timezone: Asia/Kuala_Lumpur
      window: none
      schedule: { every: week, on: [FRI], at: "09:00" }
      targets:
        - to: g1
          name: Team A
        - to: g2
          variables: { name: Team B }
      messages:
        - text: Hello {{name}}
      """;

  private final Shell shell = new Shell();
  private TestServer server;
  private Path file;

  @BeforeEach
  void start(@TempDir Path dir) throws IOException {
    server = TestServer.start(dir, "reminders: { perMinute: 100000, burst: 1000 }");
    shell.environment.put("POSTRIDER_URL", server.address());
    file = Files.writeString(dir.resolve("notice.yaml"), YAML);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String created() {
    assertThat(shell.run("reminders", "create", "--file", file.toString(), "--json"))
        .as(shell.err)
        .isZero();
    return shell.json().path("id").asString();
  }

  private String fired(String reminder) {
    assertThat(shell.run("reminders", "fire", reminder, "--json")).as(shell.err).isZero();
    return shell.json().path("id").asString();
  }

  @Test
  void a_reminder_is_created_from_yaml_listed_shown_and_deleted() {
    String id = created();

    shell.run("reminders", "list");
    assertThat(shell.out).contains(id, "Friday notice", "sandbox");
    shell.run("reminders", "show", id);
    assertThat(shell.out).contains("Friday", "Asia/Kuala_Lumpur", "Hello {{name}}", "nextFiringAt");
    assertThat(shell.run("reminders", "delete", id)).isZero();
    assertThat(shell.run("reminders", "show", id)).isEqualTo(1);
    assertThat(shell.err).contains("There is no reminder");
  }

  @Test
  void json_is_read_from_a_pipe_and_mistakes_are_told_by_field() {
    shell.input = "{\"name\":\"x\",\"acount\":\"sandbox\"}";

    assertThat(shell.run("reminders", "create", "--file", "-")).isEqualTo(1);
    assertThat(shell.err).contains("acount", "did you mean 'account'?", "timezone");
    shell.input = "{\"name\":";
    assertThat(shell.run("reminders", "create", "--file", "-")).isEqualTo(1);
    assertThat(shell.err).contains("is not JSON");
    shell.input = "name: [";
    assertThat(shell.run("reminders", "create", "--file", "-")).isEqualTo(1);
    assertThat(shell.err).contains("is not YAML");
    assertThat(shell.run("reminders", "create", "--file", "nowhere")).isEqualTo(2);
    assertThat(shell.err).contains("does not exist");
    assertThat(shell.run("reminders", "create")).isEqualTo(2);
  }

  @Test
  void a_preview_tells_how_it_would_go() {
    assertThat(shell.run("reminders", "preview", "--file", file.toString())).isZero();

    assertThat(shell.out).contains("2 messages at", "They fit; done at", "2 chats are new");
  }

  @Test
  void the_next_firings_are_told_in_words() {
    shell.run("reminders", "preview", "--file", file.toString());
    assertThat(shell.out).contains("Its next firings:", "All 2 are reached by 09:00.");
    assertThat(shell.out.lines().filter(line -> line.startsWith("  Fri "))).hasSize(5);
  }

  @Test
  void a_reminder_is_changed_disabled_enabled_and_tried_out() throws IOException {
    String id = created();
    Files.writeString(file, YAML.replace("Friday notice", "Monday notice"));

    assertThat(shell.run("reminders", "update", id, "--file", file.toString())).isZero();
    assertThat(shell.out).contains("Changed.", "Its next firings:");
    assertThat(shell.run("reminders", "disable", id)).isZero();
    shell.run("reminders", "list");
    assertThat(shell.out).contains("Monday notice", "off: every week on Friday");
    assertThat(shell.run("reminders", "enable", id, "--json")).isZero();
    assertThat(shell.json().path("enabled").asBoolean()).isTrue();
    assertThat(shell.run("reminders", "test", id, "--to", "me")).isEqualTo(1);
    assertThat(shell.err).contains("there is no value for {{name}}");
    assertThat(shell.run("reminders", "test", id, "--to", "me", "--variable", "name=Ann"))
        .as(shell.err)
        .isZero();
    assertThat(shell.run("reminders", "test", "--help")).isZero();
    assertThat(shell.out).contains("Example:", "  postrider reminders test ");
  }

  @Test
  void targets_go_out_and_come_in_as_a_table() throws IOException {
    String id = created();
    assertThat(shell.run("reminders", "targets", id)).isZero();
    assertThat(shell.out).contains("g1", "Team A");
    assertThat(shell.run("reminders", "targets", id, "--csv")).isZero();
    Files.writeString(file, shell.out.replace("g1,", "g9,elsewhere"));

    assertThat(shell.run("reminders", "import", id, "--file", file.toString(), "--add"))
        .as(shell.err)
        .isZero();
    assertThat(shell.out).contains("It has 3 targets now.", "elsewhere", "ignored");
  }

  @Test
  void a_run_is_watched_to_its_end_and_its_targets_are_listed() {
    String run = fired(created());

    assertThat(shell.run("runs", "watch", run)).isZero();
    assertThat(shell.out).contains("success: 2 of 2 sent", "2 of 2 delivered.");
    shell.interactive = true;
    assertThat(shell.run("runs", "watch", run)).isZero();
    assertThat(shell.run("runs", "watch", run, "--json")).isZero();
    assertThat(shell.json().path("status").asString()).isEqualTo("success");
    shell.run("runs", "list");
    assertThat(shell.out).contains(run, "success", "2 of 2");
    shell.run("runs", "show", run);
    assertThat(shell.out).contains("[##############################] 100 %", "startedAt");
    shell.run("runs", "targets", run);
    assertThat(shell.out).contains("g1", "Team A", "sent");
    shell.run("runs", "list", "--status", "waiting,running");
    assertThat(shell.out).contains("No runs match.");
    shell.run("runs", "targets", run, "--reason", "the chat is gone");
    assertThat(shell.out).contains("No targets match.");
    shell.run("runs", "targets", run, "--csv");
    assertThat(shell.out.lines()).hasSize(3);
    assertThat(shell.run("runs", "targets", run, "--status", "suppressed")).isZero();
    assertThat(shell.out).contains("No targets match.");
    assertThat(shell.run("runs", "targets", run, "--status", "suppressed", "--csv")).isZero();
    assertThat(shell.out.lines()).hasSize(1);
  }

  @Test
  void a_run_is_paused_resumed_and_cancelled() {
    String id = created();
    server.postrider().pauseAccount("sandbox", "a break");
    String run = fired(id);

    assertThat(shell.run("runs", "pause", run, "--reason", "a wrong text")).isZero();
    assertThat(shell.out).contains("paused (a wrong text): 0 of 2 sent, 2 pending");
    assertThat(shell.run("runs", "resume", run, "--scope", "all")).isZero();
    assertThat(shell.out).contains("waiting");
    assertThat(shell.run("runs", "cancel", run)).isZero();
    assertThat(shell.out).contains("cancelled: 0 of 2 sent, 2 cancelled");
    assertThat(shell.run("runs", "show", run)).isZero();
    assertThat(shell.out).contains("[------------------------------]   0 %");
    assertThat(shell.run("runs", "targets", run, "--reason", "the run was cancelled")).isZero();
    assertThat(shell.out).contains("g1", "g2", "cancelled");
    assertThat(shell.run("runs", "watch", run)).isEqualTo(1);
    assertThat(shell.run("runs", "cancel", run)).isEqualTo(1);
    assertThat(shell.run("runs", "resume", run, "--scope", "some")).isEqualTo(2);
  }
}
