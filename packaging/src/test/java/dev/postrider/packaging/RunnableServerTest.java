package dev.postrider.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real server in one jar. {@code dev/package-test} tries all packages, which takes minutes. */
class RunnableServerTest {
  private static final Pattern ADDRESS = Pattern.compile("Postrider is at (http://\\S+)");
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  @TempDir Path dir;
  private Process server;
  private String address = "";

  @AfterEach
  void stop() throws InterruptedException {
    if (server != null) {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void one_jar_delivers_a_message_and_has_it_after_a_kill() throws Exception {
    Path thin = Path.of("..", "server", "target", "postrider.jar");
    assumeTrue(
        Files.exists(thin), "the server is packed by './check' and by 'package', not 'test'");
    Path jar = dir.resolve("all.jar");
    RunnableJar.make(thin, jar);

    start(jar);
    String sent =
        ask(
            request("/v1/messages?wait=60s")
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"account\": \"sandbox\", \"to\": \"ann\", \"text\": \"hello\"}")));
    assertThat(sent).contains("\"status\":\"delivered\"");
    server.destroyForcibly().waitFor();
    start(jar);

    Matcher id = ID.matcher(sent);
    assertThat(id.find()).isTrue();
    assertThat(ask(request("/v1/messages/" + id.group(1)))).contains("hello", "delivered");
    server.destroy();
    assertThat(server.waitFor()).as("the end by SIGTERM").isEqualTo(143);
  }

  private void start(Path jar) throws IOException {
    server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar.toString(),
                "serve",
                "--data",
                dir.resolve("data").toString(),
                "--port",
                "0")
            .redirectErrorStream(true)
            .start();
    StringBuilder said = new StringBuilder();
    BufferedReader lines = server.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.append(line).append('\n');
      Matcher ready = ADDRESS.matcher(line);
      if (ready.find()) {
        address = ready.group(1);
        assertThat(said).as("Enable-Native-Access counts").doesNotContain("WARNING:");
        return;
      }
    }
    throw new IOException("it did not start:\n" + said);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path));
  }

  private static String ask(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString()).body();
    }
  }
}
