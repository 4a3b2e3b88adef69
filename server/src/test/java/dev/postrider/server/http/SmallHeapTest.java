package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server with little memory and large messages, as its clients see it. */
class SmallHeapTest {
  private static final int MESSAGES = 60;
  private static final int READERS = 4;

  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir private Path dir;
  private String address;

  @Test
  void lists_exports_and_batches_of_large_messages_complete_with_a_heap_of_96_megabytes()
      throws Exception {
    Path config = dir.resolve("postrider.yaml");
    Files.writeString(
        config,
        """
        store: "sqlite:%s/x.db"
        http: { port: 0 }
        """
            .formatted(dir));
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.postrider.server.cli.Main",
                "serve",
                "--config",
                config.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines = new ArrayList<>();
    try {
      BufferedReader reader = server.inputReader(StandardCharsets.UTF_8);
      String line = "";
      while (!line.contains("Postrider is at ")) {
        line = reader.readLine();
        assertThat(line).as("it ended early: %s", lines).isNotNull();
        lines.add(line);
      }
      address = line.replaceAll(".*Postrider is at (http://[^ ]*).*", "$1");
      Thread.ofVirtual().start(() -> reader.lines().forEach(lines::add));
      Set<String> ids = handIn();
      assertThat(ids).hasSize(MESSAGES);
      try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Set<String>>> read = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          Callable<Set<String>> walk = () -> walk("/v1/messages?limit=500");
          Callable<Set<String>> dead = () -> walk("/v1/dead-letters?limit=500");
          Callable<Set<String>> export = this::export;
          read.add(readers.submit(walk));
          read.add(readers.submit(dead));
          read.add(readers.submit(export));
        }
        for (Future<Set<String>> one : read) {
          assertThat(one.get()).isEqualTo(ids);
        }
      }
      assertThat(server.isAlive()).as("%s", lines).isTrue();
    } finally {
      server.destroyForcibly().waitFor(300, TimeUnit.SECONDS);
      client.shutdownNow();
    }
  }

  private static String message(int number) {
    // what is one byte in the store becomes six in JSON
    String text = number % 3 == 0 ? "\\u0001".repeat(150_000) : "x".repeat(1_000_000);
    return "{\"account\":\"sandbox\",\"to\":\"%d\",\"text\":\"#fail %s\"}".formatted(number, text);
  }

  /** Half of them one by one, each waiting for its end; the others in batches. */
  private Set<String> handIn() throws Exception {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < MESSAGES / 2; i++) {
      ids.add(
          TestServer.json(post("/v1/messages?wait=60s", "application/json", message(i)))
              .get("id")
              .asString());
    }
    for (int i = MESSAGES / 2; i < MESSAGES; i += 10) {
      StringBuilder batch = new StringBuilder();
      for (int k = i; k < i + 10; k++) {
        batch.append(message(k)).append('\n');
      }
      post("/v1/messages/batch", "application/x-ndjson", batch.toString())
          .lines()
          .forEach(line -> ids.add(TestServer.json(line).get("id").asString()));
    }
    // the last ones end in their own time
    while (!TestServer.json(get("/v1/messages?status=queued,sending&limit=1"))
        .get("items")
        .isEmpty()) {
      Thread.sleep(100);
    }
    return ids;
  }

  private Set<String> walk(String path) throws Exception {
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = TestServer.json(get(path + cursor));
      assertThat(page.get("items")).as("a page").isNotEmpty();
      page.get("items").forEach(item -> ids.add(item.get("id").asString()));
      cursor = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asString();
    } while (!cursor.isEmpty());
    assertThat(ids).as("each once").doesNotHaveDuplicates();
    return Set.copyOf(ids);
  }

  private Set<String> export() throws Exception {
    return get("/v1/dead-letters/export")
        .lines()
        .map(line -> TestServer.json(line).get("id").asString())
        .collect(Collectors.toSet());
  }

  private String get(String path) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(address + path)).GET());
  }

  private String post(String path, String type, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body)));
  }

  private String send(HttpRequest.Builder request) throws Exception {
    var answer = client.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode())
        .as("%s: %.300s", answer.request().uri(), answer.body())
        .isBetween(200, 202);
    return answer.body();
  }
}
