package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.message.Attachment;
import dev.postrider.message.Message;
import dev.postrider.server.config.Token;
import dev.postrider.server.http.TestServer;
import dev.postrider.store.message.MessageFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CommandLineTest {
  private final Shell shell = new Shell();
  private final Map<String, String> environment = shell.environment;
  private TestServer server;
  private String input = "";
  private String out = "";
  private String err = "";

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir);
    environment.put("POSTRIDER_URL", server.address());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_message_is_sent_and_its_end_awaited() {
    assertThat(run("send", "--account", "sandbox", "--to", "ann", "--text", "hi", "--wait", "10s"))
        .isZero();
    assertThat(out).containsPattern("[0-9a-f-]{36} delivered");
  }

  @Test
  void a_text_is_read_from_standard_input() {
    input = "from a pipe\n";
    run("send", "--account", "sandbox", "--to", "ann", "--text", "-", "--wait", "10s", "--json");

    assertThat(json().get("text").asString()).isEqualTo("from a pipe");
  }

  @Test
  void a_message_that_fails_while_waited_for_fails_the_command() {
    assertThat(run("send", "--account", "sandbox", "--to", "a", "--text", "#fail", "--wait", "10s"))
        .isEqualTo(1);
    assertThat(out).contains("failed: ");
  }

  @Test
  void a_local_file_is_uploaded_and_attached(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("notes.txt"), "hello");

    assertThat(
            run(
                "send",
                "--account",
                "sandbox",
                "--to",
                "ann",
                "--media",
                file.toString(),
                "--wait",
                "10s"))
        .isZero();

    assertThat(server.postrider().channel("sandbox").orElseThrow())
        .isInstanceOfSatisfying(
            SandboxChannel.class,
            sandbox ->
                assertThat(sandbox.inbox("sandbox", "ann", 1).getFirst().media())
                    .extracting(Attachment::filename)
                    .containsExactly("notes.txt"));
    assertThat(run("send", "--account", "sandbox", "--to", "a", "--media", "no.txt")).isEqualTo(2);
    assertThat(err).contains("neither a file nor a URL");
  }

  @Test
  void a_dry_run_shows_the_parts_and_sends_nothing() {
    assertThat(
            run(
                "send",
                "--account",
                "sandbox",
                "--to",
                "ann",
                "--text",
                "word ".repeat(1000),
                "--media",
                "https://example.org/a.jpg",
                "--dry-run"))
        .isZero();

    assertThat(out)
        .contains("--- part 1 of 3", "[image] https://example.org/a.jpg", "of 4096 utf16");
    assertThat(server.postrider().list(MessageFilter.ALL, null, 10).items()).isEmpty();
  }

  @Test
  void a_refusal_is_told_in_the_servers_words() {
    assertThat(run("send", "--account", "sandbax", "--to", "a", "--text", "x")).isEqualTo(1);
    assertThat(err).contains("sandbox").doesNotContain("Exception", "\tat ");
  }

  @Test
  void messages_are_listed_shown_hurried_and_cancelled() {
    String id = send("hello there");
    String later =
        server
            .postrider()
            .send(
                Message.to("sandbox", "bob")
                    .text("later")
                    .sendAt(Instant.parse("2099-01-01T00:00:00Z"))
                    .build())
            .id()
            .toString();

    assertThat(run("messages", "list", "--to", "ann")).isZero();
    assertThat(out).contains(id, "hello there").doesNotContain(later);
    assertThat(run("messages", "show", id)).isZero();
    assertThat(out).contains("delivered");
    assertThat(run("messages", "cancel", later)).isZero();
    assertThat(run("messages", "cancel", later)).isEqualTo(1);
    assertThat(run("messages", "retry", later)).isEqualTo(1);
    assertThat(run("messages", "show", "nonsense")).isEqualTo(1);
  }

  @Test
  void dead_letters_are_listed_exported_replayed_and_discarded() {
    String id = send("#fail");

    run("dead-letters", "list");
    assertThat(out).contains(id);
    run("dead-letters", "show", id);
    assertThat(out).contains("failed");
    run("dead-letters", "export");
    assertThat(out.lines()).hasSize(1);
    run("dead-letters", "replay", "--account", "sandbox", "--dry-run");
    assertThat(out).contains("1 would be sent again");
    assertThat(run("dead-letters", "replay", id)).isZero();
    assertThat(out).contains("Sent again as ");
    assertThat(run("dead-letters", "discard", id)).isZero();
    assertThat(run("dead-letters", "replay")).isEqualTo(2);
    assertThat(err).contains("Say which");
  }

  @Test
  void accounts_are_listed_checked_paused_and_resumed() {
    assertThat(run("accounts", "check", "sandbox")).isZero();
    assertThat(out).startsWith("healthy");
    run("accounts", "pause", "sandbox", "--reason", "holiday");
    run("accounts", "list");
    assertThat(out).contains("paused", "holiday");
    run("accounts", "resume", "sandbox");
    assertThat(out).contains("sandbox is ready.");
    assertThat(run("accounts", "pause", "nobody")).isEqualTo(1);
  }

  @Test
  void messages_are_found_by_every_filter() {
    String id =
        server
            .postrider()
            .send(
                Message.to("sandbox", "ann")
                    .text("Your parcel")
                    .idempotencyKey("k1")
                    .sessionId("s1")
                    .metadata(Map.of("order", "a b", "run", "r1"))
                    .build())
            .id()
            .toString();
    String other = send("something else");

    for (List<String> filter :
        List.of(
            List.of("--key", "k1"),
            List.of("--session", "s1"),
            List.of("--run", "r1"),
            List.of("--text", "PARCEL"),
            List.of("--metadata", "order=a b", "--metadata", "run=r1", "--since", "1h"))) {
      List<String> words = new ArrayList<>(List.of("messages", "list"));
      words.addAll(filter);
      assertThat(run(words.toArray(String[]::new))).as(filter.toString()).isZero();
      assertThat(out).as(filter.toString()).contains(id).doesNotContain(other);
    }
    for (List<String> filter :
        List.of(
            List.of("--receipt", "none"),
            List.of("--reason", "none"),
            List.of("--turn", "none"),
            List.of("--until", "1h"))) {
      List<String> words = new ArrayList<>(List.of("messages", "list"));
      words.addAll(filter);
      assertThat(run(words.toArray(String[]::new))).as(filter.toString()).isZero();
      assertThat(out).as(filter.toString()).contains("No messages match.");
    }
  }

  @Test
  void lanes_are_paused_listed_and_resumed() {
    run("lanes", "pause", "sandbox", "ann");
    run("send", "--account", "sandbox", "--to", "ann", "--text", "x");
    run("lanes", "list");
    assertThat(out).contains("ann", "paused by an operator");
    run("lanes", "list", "--state", "paused", "--sort", "age");
    assertThat(out).contains("ann");
    run("lanes", "list", "--state", "sending");
    assertThat(out).doesNotContain("ann");
    assertThat(run("lanes", "resume", "sandbox", "ann")).isZero();
  }

  @Test
  void lanes_are_paused_tried_and_emptied_by_what_they_wait_for() {
    run("accounts", "pause", "sandbox");
    for (String chat : List.of("ann", "bob", "bob")) {
      run("send", "--account", "sandbox", "--to", chat, "--text", "x");
    }
    assertThat(run("lanes", "pause", "--waiting-for", "accountPaused", "--dry-run")).isZero();
    assertThat(out).contains("2 would be paused.");
    assertThat(run("lanes", "pause", "--waiting-for", "accountPaused", "--reason", "too many"))
        .isZero();
    assertThat(out).contains("2 of 2 paused.");
    run("accounts", "resume", "sandbox");
    run("lanes", "list", "--cause", "too many");
    assertThat(out).contains("ann", "bob", "too many");
    run("lanes", "list", "--waiting-for", "retry");
    assertThat(out).contains("No lanes match.");
    assertThat(run("lanes", "retry", "sandbox", "ann")).isZero();
    assertThat(run("lanes", "cancel", "--cause", "too many")).isZero();
    assertThat(out).contains("3 of 3 cancelled.");
    assertThat(run("lanes", "cancel", "sandbox", "ann")).isZero();
    assertThat(out).contains("Nothing waits there.");
    assertThat(run("lanes", "retry", "sandbox", "ann")).isEqualTo(1);
    assertThat(run("lanes", "resume", "--account", "sandbox")).isZero();
    assertThat(run("lanes", "resume")).isEqualTo(2);
    assertThat(run("lanes", "resume", "sandbox", "ann", "--dry-run")).isEqualTo(2);
    assertThat(run("lanes", "pause", "--waiting-for", "godot")).isEqualTo(2);
  }

  @Test
  void what_something_waits_for_is_said_in_plain_words() {
    run("lanes", "pause", "sandbox", "ann", "--reason", "on holiday");
    run("send", "--account", "sandbox", "--to", "ann", "--text", "x", "--wait", "1ms");
    assertThat(out).contains("still queued: the lane is paused since ", ": on holiday");
    String id = out.substring(0, 36);
    run("messages", "list", "--to", "ann");
    assertThat(out).contains("WHY", "the lane is paused since ");
    run("messages", "show", id);
    assertThat(out).contains("waits           the lane is paused since ", ": on holiday");
    run("lanes", "list");
    assertThat(out).contains("the lane is paused since ");

    run("send", "--account", "sandbox", "--to", "bob", "--text", "#unknown", "--wait", "1s");
    assertThat(out).containsPattern("still queued: retry at \\d\\d:\\d\\d:\\d\\d after: ");
    String first = out.substring(0, 36);
    run("send", "--account", "sandbox", "--to", "bob", "--text", "x", "--wait", "1ms");
    assertThat(out).contains("still queued: waits for its turn behind " + first);
    run("accounts", "pause", "sandbox", "--reason", "maintenance");
    run("status");
    assertThat(out).contains("paused", "maintenance");
  }

  @Test
  void the_status_fits_one_screen_and_is_json_on_demand() {
    send("hi");

    assertThat(run("status")).isZero();
    assertThat(out).contains("queued 0", "accepted 1", "delivered 1", "ACCOUNT", "sandbox");
    assertThat(out.lines().count()).isLessThan(24);
    run("status", "--json");
    assertThat(json().get("accepted").asInt()).isEqualTo(1);
  }

  @Test
  void a_server_that_is_not_there_is_exit_code_3() {
    assertThat(run("status", "--url", "http://127.0.0.1:1")).isEqualTo(3);
    assertThat(err).contains("No server answers at http://127.0.0.1:1", "postrider serve");
  }

  @Test
  void wrong_usage_is_exit_code_2() {
    assertThat(run("send")).isEqualTo(2);
    assertThat(run("frobnicate")).isEqualTo(2);
    assertThat(run("messages", "show")).isEqualTo(2);
  }

  @Test
  void a_token_is_made_with_the_hash_that_the_server_knows_it_by() {
    assertThat(run("token")).isZero();
    String first = out;
    String[] words = first.strip().split("\\s+");
    String secret = words[3];
    assertThat(secret).hasSize(43);
    assertThat(words[words.length - 1]).isEqualTo(Token.hashed(secret));
    run("token");
    assertThat(out).isNotEqualTo(first);
  }

  @Test
  void the_version_is_told() {
    assertThat(run("version")).isZero();
    assertThat(out).startsWith("postrider ");
    assertThat(run("--version")).isZero();
    assertThat(run("send", "--help")).isZero();
    assertThat(out).contains("Usage: postrider send");
  }

  @Test
  void a_message_says_all_that_options_can_say() {
    assertThat(
            run(
                "send --account sandbox --to ann --text hi --send-at 2099-01-01T00:00:00Z"
                    .split(" ")))
        .isZero();
    run(
        ("send --account sandbox --to ann --text hi --json --send-at 10m --priority bulk"
                + " --expires-in 2h --metadata order=7 --metadata run=r --key k1 --thread 7"
                + " --reply-to 99 --silent --format plain --best-effort --on-unknown hold"
                + " --session s1")
            .split(" "));
    run("messages", "show", json().get("id").asString(), "--json");
    JsonNode message = json();
    assertThat(message.get("priority").asString()).isEqualTo("bulk");
    assertThat(message.get("metadata").toString()).isEqualTo("{\"order\":\"7\",\"run\":\"r\"}");
    assertThat(message.get("idempotencyKey").asString()).isEqualTo("k1");
    assertThat(message.get("sessionId").asString()).isEqualTo("s1");
    assertThat(Instant.parse(message.get("dueAt").asString())).isAfter(Instant.now());
    assertThat(message.get("status").asString()).isEqualTo("queued");
  }

  @Test
  void whoever_waits_in_vain_is_told_what_for() {
    run(
        "send --account sandbox --to ann --text hi --send-at 2099-01-01T00:00:00Z --wait 1ms"
            .split(" "));
    assertThat(out).contains("still queued: to be sent at 2099-01-01");
  }

  @Test
  void channels_and_what_operators_did_are_listed() {
    run("accounts", "pause", "sandbox");
    assertThat(run("channels")).isZero();
    assertThat(out).contains("CHANNEL", "telegram", "token");
    assertThat(run("audit")).isZero();
    assertThat(out).contains("sandbox");
  }

  @Test
  void a_shell_is_given_what_the_server_has_and_nothing_if_there_is_none() {
    run("lanes", "pause", "sandbox", "bob");
    String id = send("hello");

    assertThat(run("complete", "accounts")).isZero();
    assertThat(out).isEqualTo("sandbox\n");
    run("complete", "chats");
    assertThat(out).isEqualTo("bob\n");
    run("complete", "messages");
    assertThat(out).contains(id);
    assertThat(run("complete", "accounts", "--url", "http://127.0.0.1:1")).isZero();
    assertThat(out + err).isEmpty();
  }

  @Test
  void a_configuration_that_is_wrong_does_not_start(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("bad.yaml"), "http: {prot: 1}");

    assertThat(run("serve", "--config", file.toString())).isEqualTo(1);
    assertThat(err).contains("line 1: http.prot is not known; did you mean 'port'?");
  }

  @Test
  void a_port_in_use_does_not_start_and_leaves_the_store_alone(@TempDir Path dir) {
    String port = server.address().substring(server.address().lastIndexOf(':') + 1);
    assertThat(run("serve", "--port", port, "--data", dir.toString())).isEqualTo(1);
    assertThat(err).contains("another program uses that port", "--port");
    assertThat(dir.resolve("postrider.db")).doesNotExist();
  }

  @Test
  void the_doctor_finds_all_well_with_and_without_a_server(@TempDir Path dir) {
    environment.put("POSTRIDER_HTTP_TOKENS_0_NAME", "ops");
    environment.put("POSTRIDER_HTTP_TOKENS_0_SECRET", "hush-hush-hush-hush");
    environment.put("POSTRIDER_HTTP_TOKENS_0_ROLE", "admin");

    assertThat(run("doctor", "--data", dir.toString())).as(out).isZero();
    assertThat(out).startsWith("Everything is well.");
    assertThat(out)
        .contains("It runs at ", "sandbox is healthy", "http.tokens[0].secret", "********");
    assertThat(out).doesNotContain("hush-hush").containsPattern("delivery.maxAttempts +5 +default");

    assertThat(run("doctor", "--data", dir.toString(), "--url", "http://127.0.0.1:1")).isZero();
    assertThat(out)
        .contains("None runs at http://127.0.0.1:1;", "sandbox is healthy", "Everything is well.");
    run("doctor", "--data", dir.toString(), "--json");
    assertThat(json().get("well").asBoolean()).isTrue();
  }

  @Test
  void the_doctor_says_what_is_wrong(@TempDir Path dir) throws Exception {
    Path bad = Files.writeString(dir.resolve("bad.yaml"), "delivery: {jitter: 7}");
    assertThat(run("doctor", "--config", bad.toString())).isEqualTo(1);
    assertThat(out).contains("BAD  configuration", "delivery.jitter must be a fraction");

    assertThat(run("doctor", "--data", bad.toString())).isEqualTo(1);
    assertThat(out).contains("BAD  store", "is not a directory");
  }

  private String send(String text) {
    run("send", "--account", "sandbox", "--to", "ann", "--text", text, "--wait", "10s", "--json");
    return json().get("id").asString();
  }

  private JsonNode json() {
    return shell.json();
  }

  private int run(String... args) {
    shell.input = input;
    int code = shell.run(args);
    out = shell.out;
    err = shell.err;
    return code;
  }
}
