package dev.postrider.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.internal.net.FreePort;
import dev.postrider.testkit.internal.peers.Chromium;
import dev.postrider.testkit.internal.peers.NpmPackages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Chromium, driven by the scripts of {@code src/test/browser} in a process of Node. A script has
 * tests by name; while one runs, it asks here for the servers it needs. Both sides write one JSON
 * object a line.
 */
final class Browser implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path SCRIPTS = Path.of("src/test/browser").toAbsolutePath();
  private static final Path HOME = Path.of("target/browser").toAbsolutePath();
  private static final int SECONDS_TO_END = 30;

  /** A server by the name that scripts give it; it comes back at the same port. */
  private static final class Place {
    final Path store;
    final int port = FreePort.find();
    TestServer server;

    Place(Path store) {
      this.store = store;
    }
  }

  private final Path stores;
  private final Map<String, Place> places = new HashMap<>();
  private final Process node;
  private final BufferedReader said;
  private final Writer told;
  private final List<String> tests;

  private Browser(Path stores, Process node) throws IOException {
    this.stores = stores;
    this.node = node;
    this.said = node.inputReader();
    this.told = node.outputWriter();
    this.tests = hear().path("tests").valueStream().map(JsonNode::asString).toList();
  }

  /**
   * Starts it.
   *
   * @param stores a folder for the stores of the servers
   * @param scripts how the names of the scripts end
   */
  static Browser start(Path stores, String scripts) throws Exception {
    NpmPackages.install(SCRIPTS, HOME);
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      Stream<String> names = files.map(file -> file.getFileName().toString());
      List<String> command =
          Stream.concat(
                  Stream.of("node", "main.mjs", Chromium.command() + "", HOME + "/screenshots"),
                  names.filter(name -> name.endsWith(scripts)).sorted())
              .toList();
      Path log = HOME.resolve("errors.log");
      return new Browser(
          stores,
          new ProcessBuilder(command).directory(HOME.toFile()).redirectError(log.toFile()).start());
    }
  }

  List<String> tests() {
    return tests;
  }

  /** Runs a test and fails as it does. */
  void run(String test) throws IOException {
    tell(Map.of("run", test));
    JsonNode message = hear();
    while (!message.has("ended")) {
      tell(served(message));
      message = hear();
    }
    if (!message.path("ended").isNull()) {
      throw new AssertionError(test + ": " + message.path("ended").asString());
    }
  }

  private Map<String, String> served(JsonNode wish) throws IOException {
    if (wish.has("stop")) {
      places.get(wish.path("stop").asString()).server.close();
      return Map.of();
    }
    String name = wish.path("start").asString();
    Place place = places.get(name);
    if (place == null) {
      place = new Place(Files.createDirectories(stores.resolve(name)));
      places.put(name, place);
    }
    place.server = TestServer.start(place.store, place.port, wish.path("yaml").asString());
    return Map.of("address", place.server.address());
  }

  private void tell(Object message) throws IOException {
    told.write(JSON.writeValueAsString(message) + "\n");
    told.flush();
  }

  private JsonNode hear() throws IOException {
    String line = said.readLine();
    assertThat(line).as("The scripts ended: %s", HOME.resolve("errors.log")).isNotNull();
    return JSON.readTree(line);
  }

  @Override
  public void close() throws Exception {
    told.close();
    if (!node.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
      node.destroyForcibly();
    }
    places.values().forEach(place -> place.server.close());
  }
}
