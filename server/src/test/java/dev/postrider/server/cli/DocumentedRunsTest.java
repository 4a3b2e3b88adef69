package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.server.Documents;
import dev.postrider.server.Documents.Command;
import dev.postrider.server.Documents.Fence;
import dev.postrider.server.http.TestServer;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The commands of README and docs, run by a shell against a real server, as they stand there. Only
 * ids and the server's address are filled in; {@code ./postrider} is the program without the
 * launcher's build, and the account {@code tg-main} is on the sandbox.
 */
class DocumentedRunsTest {
  private static final String SERVER = "http://127.0.0.1:8080";

  private static final String ALONE =
      "\\./postrider (serve|demo|migrate-store|export|import|backup|restore|hold)";

  private static final Pattern ACCOUNT = Pattern.compile("--account (\\S+)|accounts login (\\S+)");

  @TempDir Path folder;
  private TestServer server;
  private String reminder;
  private String run;

  @BeforeEach
  void start(@TempDir Path data) throws IOException {
    server =
        TestServer.start(
            data,
            """
            reminders: { perMinute: 100000, burst: 1000 }
            accounts:
              - { id: tg-main, channel: sandbox }
              - { id: sandbox, channel: sandbox }
            """
                + accountsOfPages());
    reminder =
        server
            .post(
                "/v1/reminders",
                """
                {"name": "Notice", "account": "sandbox", "timezone": "UTC", "window": "none",
                 "targets": [{"to": "ann"}], "messages": [{"text": "hello"}]}
                """)
            .text("id");
    run = server.post("/v1/reminders/" + reminder + "/fire", "{}").text("id");
    for (String file : List.of("plan.pdf", "cat.jpg", "news.md")) {
      Files.writeString(folder.resolve(file), "hello");
    }
    for (Fence fence : Documents.fences(Documents.ROOT.resolve("README.md"))) {
      if (fence.text().startsWith("# notice.yaml")) {
        Files.writeString(folder.resolve("notice.yaml"), fence.text());
      }
    }
    Path program =
        Files.writeString(
            folder.resolve("postrider"),
            """
            #!/bin/sh
            exec '%s/bin/java' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 \\
              -XX:+UseSerialGC -cp '%s' %s "$@"
            """
                .formatted(
                    System.getProperty("java.home"),
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    Main.class.getName()));
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** What pages call their accounts: on the sandbox, which takes any chat. */
  private static String accountsOfPages() {
    return Documents.pages().stream()
        .flatMap(page -> runnable(page).stream())
        .flatMap(command -> ACCOUNT.matcher(command.text()).results())
        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .filter(id -> !Set.of("tg-main", "sandbox").contains(id))
        .distinct()
        .map("  - { id: %s, channel: sandbox }\n"::formatted)
        .collect(Collectors.joining());
  }

  static Stream<Path> pages() {
    List<Path> pages =
        Documents.pages().stream().filter(page -> !runnable(page).isEmpty()).toList();
    assertThat(pages).hasSizeGreaterThan(5);
    return pages.stream();
  }

  /**
   * All but those for developers, those that ask a platform, and those that want the store for
   * themselves: the server has it already, and they have tests of their own.
   */
  private static List<Command> runnable(Path page) {
    return Documents.commands(page).stream()
        .filter(command -> !command.text().matches("(dev/|\\./check|" + ALONE + ").*"))
        .filter(command -> !command.text().contains("https://"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_command_of_a_page_does_what_it_says(Path page) throws Exception {
    for (Command command : runnable(page)) {
      run(command);
    }
  }

  @Test
  void a_store_is_backed_up_and_comes_back_as_the_page_for_operators_says() throws Exception {
    Path data = folder.resolve("data");
    Path backups = Files.createDirectory(folder.resolve("backups"));
    Files.writeString(
        folder.resolve("postrider.yaml"),
        "store: sqlite:data/postrider.db\naccounts: [ { id: sandbox, channel: sandbox } ]\n");
    try (SystemScheduler time = new SystemScheduler()) {
      String store = "sqlite:" + data.resolve("postrider.db");
      new SqliteStoreProvider().open(store, ClusterSettings.of("test"), time).close();
    }

    own("backup", "/var/backups/postrider", "backups");
    try (Stream<Path> written = Files.list(backups)) {
      Files.move(data, folder.resolve("lost"));
      own("restore", "/\\S+\\.zip", written.findFirst().orElseThrow().toString());
    }
    own("hold", "\\S+Z", Instant.now().minus(Duration.ofHours(1)).toString());
    assertThat(data.resolve("postrider.db")).exists();
  }

  /** Runs what the page for operators says of a command, with this place, or time, for its own. */
  private void own(String name, String theirs, String ours) throws Exception {
    Command command =
        Documents.commands(Documents.ROOT.resolve("docs/operations.md")).stream()
            .filter(one -> one.text().startsWith("./postrider " + name + " "))
            .findFirst()
            .orElseThrow();
    String text = command.text().replaceFirst(theirs, ours);
    finish(new ProcessBuilder("bash", "-c", text), command.toString());
  }

  static Stream<Fence> programs() {
    List<Fence> programs =
        Documents.pages().stream()
            .flatMap(page -> Documents.fences(page).stream())
            .filter(Documents::isProgram)
            .toList();
    assertThat(programs).extracting(Fence::language).contains("python", "javascript", "java");
    return programs.stream();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void every_program_of_a_page_runs(Fence fence) throws Exception {
    server.hear(UUID.randomUUID().toString(), "hello");
    List<String> start =
        switch (fence.language()) {
          case "python" -> List.of("python3", "example.py");
          case "javascript" -> List.of("node", "example.mjs");
          default -> List.of(System.getProperty("java.home") + "/bin/java", "Example.java");
        };
    Files.writeString(folder.resolve(start.getLast()), fence.text());
    finish(new ProcessBuilder(start), fence.page() + " " + start);
  }

  private void run(Command command) throws Exception {
    JsonNode lease = lease(command);
    String text =
        command
            .text()
            .replace(SERVER, server.address())
            .replaceAll("\\b0199…", lease.path("turnId").asString(""))
            .replaceAll("(?<=runs watch )\\w+", run)
            .replaceAll("(?<=reminders fire )\\w+", reminder)
            .replaceAll("^(.*--watch|curl -N .*)$", "timeout 5 $1 || [ \\$? = 124 ]");
    ProcessBuilder shell =
        new ProcessBuilder(
            "bash",
            "-c",
            "set -eu; curl() { command curl --silent --fail-with-body \"$@\"; }\n" + text);
    String leaseId = lease.path("leaseId").asString("");
    shell.environment().put("LEASE", leaseId);
    shell.environment().put("L", server.address() + "/v1/inbound/leases/" + leaseId);
    String output = finish(shell, command.toString());
    if (command.text().contains("--wait ")) {
      assertThat(output).as("%s", command).containsPattern("(?m)^[0-9a-f-]{36} delivered$");
    }
  }

  /** Runs it to its end, which is a good one; gives what it printed. */
  private String finish(ProcessBuilder program, String name) throws Exception {
    program
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile());
    program.environment().put("POSTRIDER_URL", server.address());
    Process process = program.start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("%s ends", name).isTrue();
    String output = Files.readString(folder.resolve("output"));
    assertThat(process.exitValue()).as("%s says: %s", name, output).isZero();
    return output;
  }

  /** Somebody writes; what was written is handed out, unless the command is the one that asks. */
  private JsonNode lease(Command command) {
    server.hear(UUID.randomUUID().toString(), "hello");
    if (command.text().contains("/inbound/lease ")) {
      return MissingNode.getInstance();
    }
    return server.post("/v1/inbound/lease", "{\"wait\": \"10s\"}").json().path("items").path(0);
  }
}
