package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.internal.net.FreePort;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where a server that is killed and started again lives: its folder, its port, its API. */
final class Home {
  private final Path folder;
  private final String store;
  private final Map<String, String> environment;
  private final int port = FreePort.find();
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final Api api = new Api(client, port, Duration.ofSeconds(20));

  Home(Path folder) {
    this(folder, "sqlite:" + folder.resolve("data/postrider.db"));
  }

  Home(Path folder, String store) {
    this(folder, store, Map.of());
  }

  /**
   * @param environment what its servers find there besides
   */
  Home(Path folder, String store, Map<String, String> environment) {
    this.folder = folder;
    this.store = store;
    this.environment = environment;
  }

  Api api() {
    return api;
  }

  /** What it prints, over all its lives. */
  Path log() {
    return folder.resolve("server.log");
  }

  /** Writes its configuration: where it stores and listens, and then these lines. */
  Path config(String rest) throws IOException {
    return config("postrider.yaml", port, rest);
  }

  /** Writes the configuration of another server on the same data. */
  Path secondConfig(String rest) throws IOException {
    return config("second.yaml", FreePort.find(), rest);
  }

  private Path config(String name, int listens, String rest) throws IOException {
    String head =
        """
        store: "%s"
        http: { host: 127.0.0.1, port: %d }
        """
            .formatted(store, listens);
    return Files.writeString(folder.resolve(name), head + rest);
  }

  ServerProcess start(Path config) {
    return start(config, log());
  }

  /** Starts a server that prints elsewhere. */
  ServerProcess start(Path config, Path log) {
    return ServerProcess.start(config, log, port, client, environment, ServerProcess.OURS);
  }

  /** What the safety sweep found in any of its lives: a line for each time. */
  List<String> rescued() throws IOException {
    try (Stream<String> lines = Files.lines(log())) {
      return lines.filter(line -> line.contains("Safety sweep:")).toList();
    }
  }

  void requireReady(ServerProcess server) {
    if (!server.awaitReady()) {
      throw new AssertionError("the server did not start: " + logged());
    }
  }

  private String logged() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      return String.valueOf(e);
    }
  }
}
