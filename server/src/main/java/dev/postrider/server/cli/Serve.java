package dev.postrider.server.cli;

import dev.postrider.event.Event;
import dev.postrider.server.PostriderServer;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.BadConfig;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.config.LogFormat;
import dev.postrider.server.config.LogSettings;
import dev.postrider.server.config.ServerConfig;
import dev.postrider.server.http.CannotListen;
import dev.postrider.server.log.Line;
import dev.postrider.server.log.Logging;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code postrider serve}: runs the server until it is told to stop. */
@Command(
    name = "serve",
    description = "Runs the server. Without any configuration it has one account on the sandbox.",
    footer = "  postrider serve --config postrider.yaml")
final class Serve implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ConfigOptions options;

  Serve(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() throws InterruptedException {
    ServerConfig config = load();
    Logging.setUp(config.logging());
    LogSettings logging = config.logging();
    config.warnings().forEach(warning -> Line.warn("config.warning", warning.toString()).write());
    PostriderServer server = start(config);
    CountDownLatch stopped = new CountDownLatch(1);
    AtomicInteger exit = new AtomicInteger();
    AtomicReference<Function<String, Line>> ending =
        new AtomicReference<>(stored -> Line.info("server.stopped", "Stopped; " + stored + "."));
    server
        .postrider()
        .events()
        .subscribe(
            event -> {
              if (event instanceof Event.NodeReplaced replaced) {
                terminal.err().println("Postrider stops: " + replaced.reason());
                terminal.err().flush();
                exit.set(1);
                stopped.countDown(); // the way out closes the server
              }
            });
    server
        .listenerEnded()
        .thenRun(
            () -> {
              ending.set(
                  stored ->
                      Line.error(
                          "server.listener-ended",
                          ("Stopped, because the listener at %s ended and nobody could reach"
                                  + " the server; %s. The log says why it ended."
                                  + " Start the server again.")
                              .formatted(server.address(), stored)));
              exit.set(1);
              stopped.countDown();
            });
    Thread stop =
        new Thread(
            () -> {
              server.close();
              print(logging, ending.get().apply(stored(server.postrider().storeDownBecause())));
              stopped.countDown();
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(stop); // before anybody is told that there is one to stop
    print(
        logging,
        Line.info("server.ready", "Postrider is at " + server.address())
            .with("address", server.address()));
    if (logging.format() == LogFormat.TEXT) {
      print(logging, Line.info("server.hint", "Stop it with Ctrl-C."));
    }
    stopped.await();
    return exit.get();
  }

  /** Whether a store that takes no writes has kept what was under way from being written down. */
  static String stored(@Nullable String storeDownBecause) {
    return storeDownBecause == null
        ? "everything is stored"
        : "how the last requests ended may not be stored, because the store takes no writes ("
            + storeDownBecause
            + "); the next start settles that";
  }

  private ServerConfig load() {
    try {
      return options.load(ConfigLoader.forChannelsOnClassPath(terminal.environment()));
    } catch (BadConfig e) {
      throw Failure.because(String.valueOf(e.getMessage()));
    }
  }

  private void print(LogSettings logging, Line line) {
    PrintWriter out = logging.format() == LogFormat.JSON ? terminal.data() : terminal.out();
    out.println(Logging.printed(logging, line));
    out.flush();
  }

  static PostriderServer start(ServerConfig config) {
    try {
      return PostriderServer.start(config);
    } catch (CannotListen | StoreUnavailable | StoreRefused | IllegalArgumentException e) {
      Line why = Line.error("server.not-started", "Postrider does not start. " + e.getMessage());
      throw Failure.because(Logging.printed(config.logging(), why));
    }
  }
}
