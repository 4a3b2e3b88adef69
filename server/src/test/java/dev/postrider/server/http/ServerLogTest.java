package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.EventRing;
import dev.postrider.server.api.EventsApi;
import dev.postrider.server.api.HealthCheck;
import dev.postrider.server.api.Metrics;
import dev.postrider.server.api.Route;
import dev.postrider.server.config.HealthSettings;
import dev.postrider.server.config.HttpSettings;
import dev.postrider.server.config.LogFormat;
import dev.postrider.server.config.LogLevel;
import dev.postrider.server.config.LogSettings;
import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.server.log.LogCapture;
import dev.postrider.server.log.Logging;
import dev.postrider.testkit.platform.FakePlatform;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a person reads in the log of a real server. */
class ServerLogTest {
  @TempDir private Path dir;
  private LogCapture log;

  @BeforeEach
  void start() {
    Logging.setUp(new LogSettings(LogFormat.TEXT, LogLevel.INFO));
    log = new LogCapture();
  }

  @AfterEach
  void stop() {
    log.close();
  }

  private static final String TOKENS =
      """
      http:
        tokens:
          - { name: ops, secret: s3cret-of-the-ops, role: admin }
          - { name: bot, secret: s3cret-of-the-bot, role: send }
      """;

  @Test
  void the_start_is_told_with_version_node_store_and_accounts() {
    try (TestServer server =
        TestServer.start(
            dir, "cluster: { node: left }\naccounts: [{ id: one, channel: sandbox }]")) {
      assertThat(log.sentences())
          .first()
          .isEqualTo(
              ("Postrider dev starts: node left at %s, store sqlite:%s/test.db, accounts"
                      + " one (sandbox)")
                  .formatted(server.address(), dir));
      assertThat(log.sentences())
          .contains("Account one is worked by left", "Nothing was left from before the start");
    }
    assertThat(log.sentences())
        .contains("Postrider stops: no new attempts, what is in flight is awaited");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void that_files_were_open_to_others_is_told_when_they_are_closed() throws IOException {
    TestServer.start(dir).close();
    Files.setPosixFilePermissions(
        dir.resolve("test.db"), PosixFilePermissions.fromString("rw-r--r--"));

    TestServer.start(dir).close();

    assertThat(log.sentences())
        .containsOnlyOnce(
            dir.resolve("test.db")
                + " was open to others (rw-r--r--); now only its owner may use it");
  }

  @Test
  void what_an_operator_does_is_told_with_the_name_of_the_token() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      String[] ops = {"Authorization", "Bearer s3cret-of-the-ops"};
      server.post("/v1/accounts/sandbox/pause", "{\"reason\":\"maintenance\"}", ops);
      server.post("/v1/accounts/sandbox/resume", "", ops);
      server.post("/v1/lanes/pause", "{\"account\":\"sandbox\",\"to\":\"ann\"}", ops);
      Reply dead =
          server.post(
              "/v1/messages?wait=10s",
              "{\"account\":\"sandbox\",\"to\":\"bob\",\"text\":\"#fail\"}",
              "Authorization",
              "Bearer s3cret-of-the-bot");
      server.post("/v1/dead-letters/" + dead.text("id") + "/replay", "", ops);
      server.delete("/v1/dead-letters/" + dead.text("id"), ops);
      server.post(
          "/v1/accounts/sandbox/pause",
          "{}",
          "Authorization",
          "Bearer s3cret-of-the-bot"); // refused

      assertThat(log.sentences().stream().filter(line -> line.startsWith("Operator")))
          .containsExactly(
              "Operator ops: accounts pause sandbox (reason: maintenance)",
              "Operator ops: accounts resume sandbox",
              "Operator ops: lanes pause (account: sandbox, to: ann)",
              "Operator ops: dead-letters replay " + dead.text("id"),
              "Operator ops: dead-letters discard " + dead.text("id"));
    }
    assertThat(log.text()).doesNotContain("s3cret");
  }

  @Test
  void without_tokens_the_command_line_is_told_from_others() {
    try (TestServer server = TestServer.start(dir)) {
      server.post("/v1/accounts/sandbox/pause", "");
      server.post("/v1/accounts/sandbox/resume", "", "User-Agent", "postrider-cli/1");

      assertThat(log.sentences())
          .contains(
              "Operator local: accounts pause sandbox", "Operator cli: accounts resume sandbox");
    }
  }

  /** Sending is no operator's action, leading is: a new route has to be put on one side. */
  @Test
  void every_route_that_changes_something_is_logged_or_is_the_daily_work_of_programs() {
    Stream<String> unlogged =
        HttpServer.routes(
                new HttpSettings("127.0.0.1", 0, List.of(), 1024, 1024, Duration.ofSeconds(9)),
                new EngineState(),
                new Metrics(),
                new EventsApi(new EventRing(Instant.EPOCH)),
                new HealthCheck(HealthSettings.DEFAULTS, ""))
            .stream()
            .filter(route -> !route.method().equals("GET") && !route.logged() && !route.signed())
            .map(Route::path);

    assertThat(unlogged)
        .containsExactlyInAnyOrder(
            "/v1/messages",
            "/v1/messages/batch",
            "/v1/messages/preview",
            "/v1/media",
            "/v1/reminders/preview",
            "/v1/inbound/lease",
            "/v1/inbound/leases/{leaseId}/ack",
            "/v1/inbound/leases/{leaseId}/nack",
            "/v1/inbound/leases/{leaseId}/extend",
            "/v1/sandbox/{account}/messages");
  }

  @Test
  void a_client_that_hangs_up_leaves_no_stack_trace() throws Exception {
    try (TestServer server = TestServer.start(dir)) {
      for (String request :
          new String[] {
            "GET /v1/stats HTTP/1.1\r\nHost: localhost\r\n", // in its head
            "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{\"acc",
            "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /v1/dead-letters/export HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
          }) {
        hangUp(server, request, false);
        hangUp(server, request, true);
      }
      try (Socket follower = new Socket("127.0.0.1", server.port())) {
        follower
            .getOutputStream()
            .write(
                "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        follower.getInputStream().read(); // it follows by now
      }
      server.say("ann", "still here"); // and something to be told to those who follow events
      server.get("/v1/stats");
    }
    assertThat(log.text()).doesNotContain("\tat ", "Exception");
  }

  private static void hangUp(TestServer server, String request, boolean rudely) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      if (rudely) {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0); // RST instead of FIN
      }
    }
  }

  @Test
  void no_secret_is_in_the_log_at_any_level() throws IOException {
    Logging.setUp(new LogSettings(LogFormat.TEXT, LogLevel.DEBUG));
    log = new LogCapture(); // setting up drops all others
    try (FakePlatform platform = FakePlatform.start();
        TestServer server =
            TestServer.start(
                dir,
                """
                http:
                  tokens: [ { name: ops, secret: s3cret-of-the-api, role: admin } ]
                accounts:
                  - { id: tg, channel: telegram, token: "1:s3cret-of-telegram", baseUrl: "%1$s" }
                  - { id: ds, channel: discord, token: s3cret-of-discord, baseUrl: "%1$s" }
                  - { id: hook, channel: webhook, url: "%1$s/?key=s3cret-of-the-query", \
                secret: whsec_czNjcmV0LXdoc2Vj,
                      allowedNetworks: [127.0.0.1] }
                """
                    .formatted(platform.baseUrl()))) {
      for (String account : List.of("tg", "ds", "hook")) {
        platform.answer(dev.postrider.testkit.platform.Reply.html(400, "no"));
        server.post(
            "/v1/messages?wait=2s",
            "{\"account\":\"%s\",\"to\":\1\",\"text\":\"x\"}".formatted(account),
            "Authorization",
            "Bearer s3cret-of-the-api");
      }
    }
    assertThat(log.text()).contains("tg").doesNotContain("s3cret", "czNjcmV0LXdoc2Vj");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.hc.client5.http.headers",
        "org.apache.hc.client5.http.wire",
        "org.postgresql.core.v3.ConnectionFactoryImpl",
        "com.zaxxer.hikari.HikariConfig",
        "jdk.httpclient.HttpClient",
        "org.eclipse.angus.mail.smtp",
        "jakarta.mail"
      })
  void libraries_write_no_debug_lines(String logger) {
    Logging.setUp(new LogSettings(LogFormat.TEXT, LogLevel.DEBUG));

    assertThat(Logger.getLogger(logger).isLoggable(Level.FINE)).isFalse();
    assertThat(Logger.getLogger("dev.postrider.internal.engine.Engine").isLoggable(Level.FINE))
        .isTrue();
  }

  @Test
  void everything_a_process_prints_is_json_from_the_first_line_to_the_stop() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.postrider.server.cli.Main",
            "serve",
            "--data",
            dir.toString(),
            "--port",
            "0");
    builder.environment().put("POSTRIDER_LOGGING_FORMAT", "json");
    builder.environment().put("POSTRIDER_HTTP_PROT", "1"); // a warning comes before all else
    Process process = builder.redirectErrorStream(true).start();
    List<JsonNode> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(TestServer.json(line));
        if (line.contains("server.ready")) {
          process.toHandle().destroy(); // unlike the process, it leaves the streams open
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(lines.stream().map(line -> line.path("event").asString("")))
        .startsWith("config.warning", "server.starting")
        .contains("account.taken", "server.ready", "server.stopping", "account.left")
        .endsWith("server.stopped");
  }
}
