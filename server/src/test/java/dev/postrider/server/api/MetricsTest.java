package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.message.EndReason;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.server.http.TestServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Holds docs/metrics.md to what is scraped, and labels to their bounds. */
class MetricsTest {
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
  private static final Pattern NAMED = Pattern.compile("(?m)^\\| `([a-z_]+)");
  private static final Pattern SERIES =
      Pattern.compile("((?:postrider|jvm|process)_[a-z_]+)(?:\\{([^}]*)})?");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)=");
  private static final MessageId MESSAGE = MessageId.parse("0199a1b2-0000-7000-8000-000000000001");
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir,
            """
            delivery: { fastFirstRetry: 1ms, backoff: [1ms] }
            accounts:
              - { id: sandbox, channel: sandbox }
              - { id: unlucky, channel: sandbox, faults: { notSent: 1.0 }, \
            delivery: { maxAttempts: 2 } }
            """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void aBusyHour(String name) {
    server.say(name, "hello");
    server.say(name, "#fail");
    for (int i = 0; i < 2; i++) {
      server.post(
          "/v1/messages?wait=10s",
          "{\"account\":\"unlucky\",\"to\":\"%s\",\"text\":\"x\"}".formatted(name));
    }
    server.get("/nothing/at/" + name);
    server.get("/v1/messages/" + name);
    server.send(
        server
            .request("/v1/stats")
            .method("BREW" + name.length(), HttpRequest.BodyPublishers.noBody()));
    CompletableFuture<Event.RunEnded> ended = server.next(Event.RunEnded.class);
    fire(name, "Hello");
    ended.join();
  }

  /** A run to one chat. */
  private void fire(String chat, String text) {
    String reminder =
        server
            .post(
                "/v1/reminders",
                """
                { "name": "%s", "account": "sandbox", "timezone": "UTC", "window": "none",
                  "targets": [ { "to": "%s" } ], "messages": [ { "text": "%s" } ] }
                """
                    .formatted(chat, chat, text))
            .text("id");
    server.post("/v1/reminders/" + reminder + "/fire", "");
  }

  private String scraped() {
    return server.get("/metrics").raw().body();
  }

  private static Set<String> names(String text, Pattern pattern) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void the_page_lists_what_is_scraped_and_nothing_else() throws IOException {
    aBusyHour("ann");
    String text = scraped();
    Set<String> ours = names(text, TYPE);
    ours.removeIf(name -> name.matches("(jvm|process|system)_.*|.*_max"));
    Set<String> written = names(Files.readString(Path.of("..", "docs", "metrics.md")), NAMED);
    written.removeIf(name -> name.matches("(jvm|process|system)_.*"));
    written.remove("postrider_listening"); // the sandbox does not listen by itself
    written.removeIf(name -> name.startsWith("postrider_spans_")); // SpanExportTest has them

    assertThat(written).isEqualTo(ours);
  }

  /** As {@code promtool check metrics} does. */
  @Test
  void names_and_units_are_as_prometheus_wants_them() {
    aBusyHour("ann");
    for (MatchResult type : TYPE.matcher(scraped()).results().toList()) {
      String name = type.group(1);
      assertThat(name)
          .matches("[a-z][a-z0-9_]*")
          .doesNotContain("millis")
          .doesNotContainPattern("_(ns|us|ms)(_|$)")
          .doesNotMatch(".*_(count|sum|bucket)");
      assertThat(name.endsWith("_total")).as(name).isEqualTo(type.group(2).equals("counter"));
    }
  }

  @Test
  void no_label_grows_with_what_people_write() {
    aBusyHour("ann");
    scraped(); // which is a request too
    Set<String> before = series(scraped());
    aBusyHour("a-chat-that-nobody-knew-before");
    Set<String> after = series(scraped());

    assertThat(after).isEqualTo(before);
    assertThat(String.join("\n", after)).doesNotContain("ann", "BREW", "nothing/at");
  }

  /** Names and labels without values; the garbage collector's own are its business. */
  private static Set<String> series(String text) {
    return text.lines()
        .filter(line -> line.startsWith("postrider_"))
        .filter(line -> !line.contains("run.progress")) // told now and then
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void a_run_that_fails_after_its_end_is_counted_once_and_its_change_apart() {
    CompletableFuture<Event.RunEnded> failed = new CompletableFuture<>();
    server
        .postrider()
        .events()
        .subscribe(
            event -> {
              if (event instanceof Event.RunEnded run && run.status().equals("failed")) {
                failed.complete(run);
              }
            });
    fire("ann", "#bounce");
    failed.orTimeout(300, TimeUnit.SECONDS).join();

    assertThat(scraped())
        .contains("postrider_runs_ended_total{status=\"success\"} 1.0")
        .doesNotContain("postrider_runs_ended_total{status=\"failed\"}")
        .contains("postrider_runs_changed_total{after=\"failed\",before=\"success\"} 1.0")
        .contains("postrider_run_targets_total{result=\"sent\"} 1.0")
        .contains("postrider_run_targets_total{result=\"failed\"} 0.0");
  }

  @Test
  void dead_letters_are_counted_by_every_reason_there_is() throws IOException {
    List<String> reasons = Stream.of(EndReason.values()).map(EndReason::label).toList();
    for (String reason : reasons) {
      Event.Ties ties = new Event.Ties(null, null, null);
      server
          .postrider()
          .events()
          .publish(
              new Event.Ended(
                  Instant.now(), "sandbox", "ann", MESSAGE, Status.FAILED, reason, "why", ties));
    }

    String scraped = scraped();
    String page = Files.readString(Path.of("..", "docs", "metrics.md"));
    String listed =
        page.lines().filter(line -> line.contains("failures_total` |")).findFirst().orElseThrow();
    assertThat(scraped)
        .doesNotContain("postrider_failures_total{account=\"sandbox\",reason=\"other\"");
    for (String reason : reasons) {
      assertThat(scraped)
          .contains("postrider_failures_total{account=\"sandbox\",reason=\"" + reason + "\"} 1");
      assertThat(listed).contains("`" + reason + "`");
    }
  }

  @Test
  void the_disk_is_told_also_after_garbage_was_collected() {
    System.gc();

    assertThat(scraped())
        .containsPattern("postrider_disk_free_bytes [1-9]")
        .containsPattern("postrider_disk_size_bytes [1-9]");
  }

  @Test
  void the_state_of_accounts_store_and_build_is_there() {
    server.say("ann", "hello");
    server.post("/v1/accounts/unlucky/pause", "");
    server.post("/v1/messages", "{\"account\":\"unlucky\",\"to\":\"ann\",\"text\":\"x\"}");
    server.get("/nothing");

    assertThat(scraped())
        .contains("postrider_account_health{account=\"unlucky\",state=\"paused\"} 1.0")
        .contains("postrider_account_health{account=\"unlucky\",state=\"ready\"} 0.0")
        .contains("postrider_account_health{account=\"sandbox\",state=\"ready\"} 1.0")
        .contains("postrider_waiting{account=\"unlucky\",reason=\"accountPaused\"} 1.0")
        .contains("postrider_waiting{account=\"unlucky\",reason=\"pace\"} 0.0")
        .contains("postrider_store_durable 1.0")
        .contains("postrider_build_info{java=\"" + Runtime.version() + "\",version=\"dev\"} 1")
        .containsPattern("postrider_store_commit_seconds_count [1-9]")
        .containsPattern("postrider_store_commit_writes_sum [1-9]")
        .containsPattern("postrider_disk_free_bytes [1-9]")
        .containsPattern("postrider_disk_size_bytes [1-9]")
        .contains(
            "postrider_http_requests_seconds_count{method=\"POST\","
                + "route=\"/v1/accounts/{id}/pause\",status=\"2xx\"}"
                + " 1")
        .contains(
            "postrider_http_requests_seconds_count{method=\"GET\",route=\"other\",status=\"4xx\"}"
                + " 1");
  }

  @Test
  void alert_rules_and_the_dashboard_of_grafana_use_series_and_labels_there_are()
      throws IOException {
    aBusyHour("ann");
    server.say("ann", "#flaky");
    Map<String, Set<String>> scraped = new HashMap<>();
    SERIES
        .matcher(scraped().replaceAll("(?m)^#.*$", ""))
        .results()
        .forEach(
            series ->
                scraped
                    .computeIfAbsent(series.group(1), _ -> new TreeSet<>(Set.of("instance")))
                    .addAll(labels(series.group(2))));
    scraped.put("postrider_listening", Set.of("instance", "account")); // not of the sandbox
    List<String> expressions = new ArrayList<>(expressions(yaml("prometheus-alerts.yaml")));
    int rules = expressions.size();
    expressions.addAll(expressions(yaml("grafana-dashboard.json")));

    assertThat(rules).isGreaterThan(5);
    assertThat(expressions.size() - rules).isGreaterThan(20);
    for (String expression : expressions) {
      for (MatchResult used : SERIES.matcher(expression).results().toList()) {
        assertThat(scraped).as(expression).containsKey(used.group(1));
        assertThat(scraped.get(used.group(1))).as(expression).containsAll(labels(used.group(2)));
      }
    }
  }

  /** YAML reads JSON, too. */
  private static Object yaml(String name) throws IOException {
    return new Load(LoadSettings.builder().build())
        .loadFromString(Files.readString(Path.of("..", "ops", name)));
  }

  private static Set<String> labels(@Nullable String selector) {
    return selector == null ? Set.of() : names(selector, LABEL);
  }

  /** All that stands under {@code expr}. */
  private static List<String> expressions(@Nullable Object node) {
    return switch (node) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .flatMap(
                  entry ->
                      entry.getKey().equals("expr")
                          ? Stream.of((String) entry.getValue())
                          : expressions(entry.getValue()).stream())
              .toList();
      case List<?> list -> list.stream().flatMap(item -> expressions(item).stream()).toList();
      case null, default -> List.of();
    };
  }
}
