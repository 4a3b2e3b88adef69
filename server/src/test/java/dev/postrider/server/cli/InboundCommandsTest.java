package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.MessageId;
import dev.postrider.server.http.TestServer;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What came in, its turns and its sessions on the command line. */
class InboundCommandsTest {
  private final Shell shell = new Shell();
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir, "inbound: { maxAttempts: 1 }");
    shell.environment.put("POSTRIDER_URL", server.address());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private StoredInbound taken(String chat, String text) {
    server.hear(chat, text);
    return server
        .postrider()
        .inbox()
        .lease(Set.of(), 1, Duration.ofMinutes(1), Duration.ofSeconds(10))
        .getFirst();
  }

  private static UUID lease(StoredInbound inbound) {
    return inbound.handling().lease();
  }

  private String dead(String chat, String text) {
    StoredInbound inbound = taken(chat, text);
    server.postrider().inbox().nack(lease(inbound), "no model", null);
    return inbound.id().toString();
  }

  @Test
  void inbound_messages_are_listed_and_shown() {
    String dead = dead("ann", "first");
    server.hear("bob", "second\\u001b[2J");

    assertThat(shell.run("inbound", "list")).isZero();
    assertThat(shell.out)
        .contains(dead, "failed", "sandbox/bob", "pending")
        .doesNotContain("\u001b");
    shell.run("inbound", "list", "--status", "failed");
    assertThat(shell.out).contains("first").doesNotContain("second");
    shell.run("inbound", "list", "--session", "sandbox/bob", "--json");
    assertThat(shell.json().path("items")).hasSize(1);
    assertThat(shell.run("inbound", "show", dead)).isZero();
    assertThat(shell.out).contains("failed", "first", "ATTEMPT", "no model");
    assertThat(shell.run("inbound", "show", "nonsense")).isEqualTo(1);
    assertThat(shell.run("inbound", "list", "--status", "faild")).isEqualTo(2);
    assertThat(shell.err).contains("did you mean 'failed'?");
    assertThat(shell.err).contains("did you mean 'failed'?");
  }

  @Test
  void a_file_of_an_inbound_message_is_downloaded(@TempDir Path folder) throws Exception {
    server.post(
        "/v1/sandbox/sandbox/messages",
        "{\"chat\":\"ann\",\"text\":\"look\",\"media\":[\"data:text/plain;base64,aGVsbG8=\"]}");
    String id = server.get("/v1/inbound").json().at("/items/0/id").asString();
    Path file = folder.resolve("hello.txt");

    assertThat(shell.run("inbound", "download", id, "--output", file.toString())).isZero();
    assertThat(file).hasContent("hello");
    assertThat(shell.out).contains("5 bytes", file.toString());
    assertThat(shell.run("inbound", "download", id, "0", "--output", file.toString())).isEqualTo(1);
    assertThat(shell.err).contains("is there already");
    assertThat(shell.run("inbound", "download", id, "1")).isEqualTo(1);
    assertThat(shell.err).contains("has no file 1");
  }

  @Test
  void what_others_wrote_cannot_steer_a_terminal() {
    String evil = "x\u001b[2J\u009b31m\u202egnp.exe\u2066";
    String steering = "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u202e\u2066]";
    String id = dead("ann", "x\\u001b[2J\\u009b31m\\u202egnp.exe\\u2066");
    String[][] commands = {
      {"inbound", "list"},
      {"inbound", "show", id},
      {"inbound", "show", evil},
      {"send", "--account", "sandbox", "--to", evil, "--text", evil, "--dry-run"},
      {"send", "--account", "sandbox", "--to", evil, "--text", evil, "--wait", "5s"},
      {"send", "--account", evil, "--to", "ann", "--text", evil},
      {"messages", "list"},
      {"sessions", "list"}
    };
    for (String[] command : commands) {
      shell.run(command);
      assertThat(shell.out + shell.err).as(String.join(" ", command)).isNotEmpty();
      assertThat(shell.out).doesNotContainPattern(steering);
      assertThat(shell.err).doesNotContainPattern(steering);
    }
    shell.run("inbound", "show", id);
    assertThat(shell.out).contains("x\\u001b[2J\\u009b31m\\u202egnp.exe\\u2066");

    shell.run("inbound", "show", id, "--json");
    assertThat(shell.out).contains("\u202egnp.exe\u2066"); // programs get it as it is
    assertThat(shell.json().path("text").asString()).isEqualTo(evil);
    shell.interactive = true;
    shell.run("inbound", "show", id, "--json");
    assertThat(shell.out).doesNotContainPattern(steering);
    assertThat(shell.json().path("text").asString()).isEqualTo(evil);
  }

  @Test
  void what_operators_did_is_listed() {
    assertThat(shell.run("audit")).isZero();
    assertThat(shell.out).contains("No operator has done anything");
    shell.run("accounts", "pause", "sandbox");

    assertThat(shell.run("audit")).isZero();
    assertThat(shell.out).contains("OPERATOR", "cli", "accounts pause", "sandbox", "done");
    shell.run("audit", "--json", "--limit", "1");
    assertThat(shell.json().path("items").path(0).path("operator").asString()).isEqualTo("cli");
  }

  @Test
  void dead_letters_are_replayed_and_discarded() {
    String first = dead("ann", "1");
    String second = dead("bob", "2");

    assertThat(shell.run("inbound", "replay", first)).isZero();
    assertThat(shell.out).contains("Handed out again as ");
    assertThat(shell.run("inbound", "replay", first)).isEqualTo(1);
    shell.run("inbound", "replay", "--session", "sandbox/bob", "--dry-run");
    assertThat(shell.out).contains("1 would be handed out again.");
    shell.run("inbound", "replay", "--all");
    assertThat(shell.out).contains("1 of 1 handed out again.");
    assertThat(shell.run("inbound", "discard", second)).isZero();
    assertThat(shell.run("inbound", "replay")).isEqualTo(2);
    assertThat(shell.err).contains("Say which");
    List<String> statuses =
        server.postrider().inbox().list(InboundFilter.ALL, null, 9).items().stream()
            .map(inbound -> inbound.status().label())
            .toList();
    assertThat(statuses).containsExactly("pending", "pending", "discarded", "failed");
  }

  @Test
  void a_message_answers_a_turn_and_the_turn_tells() {
    StoredInbound inbound = taken("ann", "hello");
    String turn = inbound.id().toString();

    assertThat(shell.run("send", "--turn", turn, "--text", "good day", "--wait", "10s")).isZero();
    assertThat(shell.out).contains("delivered");
    assertThat(shell.run("turns", "show", turn)).isZero();
    assertThat(shell.out).contains("open", "hello", "good day", "ann");
    assertThat(shell.run("send", "--text", "where to?")).isEqualTo(2);
    assertThat(shell.err).contains("--account and --to, or --turn");
    assertThat(
            shell.run("send", "--turn", new InboundId(UUID.randomUUID()).toString(), "--text", "x"))
        .isEqualTo(1);
    assertThat(shell.err).contains("turnId");
  }

  @Test
  void sessions_are_listed_shown_read_paused_and_resumed() {
    StoredInbound inbound = taken("ann", "hello");
    CompletableFuture<Event.SessionMirrored> said = server.next(Event.SessionMirrored.class);
    server
        .postrider()
        .inbox()
        .ack(
            lease(inbound),
            List.of(server.postrider().inbox().replyTo(inbound).text("good day").build()));
    MessageId answer = said.join().id();

    shell.run("sessions", "list");
    assertThat(shell.out).contains("sandbox/ann");
    shell.run("sessions", "history", "sandbox/ann");
    assertThat(shell.out.lines().map(line -> line.replaceAll("\\s+", " ")))
        .anyMatch(line -> line.contains("we good day " + answer))
        .anyMatch(line -> line.contains("ann hello " + inbound.id()));
    assertThat(shell.run("sessions", "pause", "sandbox/ann", "--reason", "a person")).isZero();
    shell.run("sessions", "show", "sandbox/ann");
    assertThat(shell.out).contains("a person");
    assertThat(shell.run("sessions", "resume", "sandbox/ann")).isZero();
    assertThat(shell.run("sessions", "pause", "nobody")).isEqualTo(1);
  }

  @Test
  void the_status_has_a_line_for_what_came_in() {
    server.hear("ann", "hello");
    dead("bob", "hello");

    shell.run("status");

    assertThat(shell.out)
        .contains("inbound: pending 1   leased 0   received 2   handled 0   failed attempts 1");
  }
}
