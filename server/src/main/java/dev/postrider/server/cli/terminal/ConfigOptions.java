package dev.postrider.server.cli.terminal;

import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.config.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which configuration to use. */
public final class ConfigOptions {
  private static final Path USUAL = Path.of("postrider.yaml");

  private final Terminal terminal;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration; else POSTRIDER_CONFIG, else postrider.yaml if it is there.")
  private @Nullable Path config;

  @Option(names = "--data", paramLabel = "DIR", description = "Keep the SQLite file there.")
  private @Nullable Path data;

  @Option(names = "--host", paramLabel = "HOST", description = "Listen there; 127.0.0.1.")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Listen there; 8080. 0: any free one.")
  private @Nullable String port;

  public ConfigOptions(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The file that will be read, or null if there is none. */
  public @Nullable Path file() {
    if (config != null) {
      return config;
    }
    @Nullable String named = terminal.environment().get("POSTRIDER_CONFIG");
    if (named != null) {
      return Path.of(named);
    }
    return Files.exists(USUAL) ? USUAL : null;
  }

  public ServerConfig load(ConfigLoader loader) {
    if (config != null) {
      InputFile.checked(config);
    }
    List<ConfigLoader.Option> options = new ArrayList<>();
    if (data != null) {
      options.add(
          new ConfigLoader.Option("--data", "store", "sqlite:" + data.resolve("postrider.db")));
    }
    if (host != null) {
      options.add(new ConfigLoader.Option("--host", "http.host", host));
    }
    if (port != null) {
      options.add(new ConfigLoader.Option("--port", "http.port", port));
    }
    return loader.load(file(), options);
  }
}
