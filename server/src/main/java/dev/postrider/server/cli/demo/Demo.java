package dev.postrider.server.cli.demo;

import dev.postrider.config.Durations;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.log.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code postrider demo}: two minutes in which everything happens that a queue is there for. */
@Command(
    name = "demo",
    description = {
      "Shows in two minutes what Postrider does: traffic, retries, throttling, an outage, a"
          + " reminder to 1,000 groups, and with --crash a kill. It plays on the sandbox, in a"
          + " folder that is deleted afterwards."
    },
    footer = "  postrider demo --crash")
public final class Demo implements Callable<Integer> {
  private static final int MOST_GROUPS = 1_000;
  private static final int GROUPS_A_SECOND = 10;
  private static final Duration BETWEEN_FIGURES = Duration.ofSeconds(2);
  private static final Duration BETWEEN_MESSAGES = Duration.ofMillis(100);

  /** How long what waits may take to go out in the end. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Terminal terminal;

  @Option(names = "--crash", description = "Kill the server in the middle, and start it again.")
  private boolean crash;

  @Option(names = "--port", paramLabel = "PORT", description = "Listen there; 8080. 0: any free.")
  private int port = 8080;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Length.class,
      description = "How long it takes; 2m.")
  private Duration length = Duration.ofMinutes(2);

  private volatile boolean interrupted;

  Demo(Terminal terminal) {
    this.terminal = terminal;
  }

  /** From five seconds to an hour. */
  static final class Length implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        Duration length = Durations.parse(text);
        if (length.compareTo(Duration.ofSeconds(5)) >= 0
            && length.compareTo(Duration.ofHours(1)) <= 0) {
          return length;
        }
        throw new TypeConversionException("must be between 5s and 1h");
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Logging.quiet();
    Path folder = Files.createTempDirectory("postrider-demo-");
    DemoServer server = new DemoServer(folder, port);
    Thread cleanUp = new Thread(() -> leaveNothing(server, folder), "clean-up");
    Runtime.getRuntime().addShutdownHook(cleanUp); // Ctrl-C
    try {
      say(
          "Open %s and watch. This takes %s."
              .formatted(server.address(), Durations.format(length)));
      server.start();
      return new Play(server).run();
    } catch (IOException | RuntimeException e) {
      if (interrupted) {
        return Failure.FAILED;
      }
      throw e;
    } finally {
      if (!interrupted) {
        Runtime.getRuntime().removeShutdownHook(cleanUp);
        leaveNothing(server, folder);
      }
    }
  }

  private void leaveNothing(DemoServer server, Path folder) {
    interrupted = true;
    server.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      terminal.err().println("The demo could not delete " + folder + ": " + e.getMessage());
    }
  }

  private void say(String sentence) {
    terminal.out().println(sentence);
    terminal.out().flush();
  }

  /** One performance. */
  private final class Play {
    private final DemoServer server;
    private final Traffic traffic = new Traffic();
    private final Observer observer;
    private final Deque<Act> script;
    private final long began = System.nanoTime();
    private Duration nextFigures = BETWEEN_FIGURES;

    Play(DemoServer server) {
      this.server = server;
      this.observer = new Observer(server.record(), traffic.accepted());
      List<Act> acts =
          Act.SCRIPT.stream().filter(act -> crash || act.kind() != Act.Kind.CRASH).toList();
      this.script = new ArrayDeque<>(acts);
    }

    private Duration elapsed() {
      return Duration.ofNanos(System.nanoTime() - began);
    }

    int run() throws IOException, InterruptedException {
      while (!interrupted && (!script.isEmpty() || elapsed().compareTo(length) < 0)) {
        Act next = script.peek();
        if (next != null && elapsed().toMillis() >= next.at() * length.toMillis()) {
          begin(script.remove());
        }
        traffic.step(server.client());
        figures();
        Thread.sleep(BETWEEN_MESSAGES);
      }
      Duration end = elapsed().plus(PATIENCE);
      Observer.Figures last = observer.look(server.client());
      while (!interrupted && last.waiting() > last.lost() && elapsed().compareTo(end) < 0) {
        figures();
        Thread.sleep(BETWEEN_MESSAGES);
        last = observer.look(server.client());
      }
      return summary(last);
    }

    private void begin(Act act) throws IOException, InterruptedException {
      int groups = (int) Math.min(MOST_GROUPS, length.toSeconds() * GROUPS_A_SECOND);
      say("");
      say(act.says().formatted(groups));
      traffic.begin(act.kind());
      switch (act.kind()) {
        case OUTAGE -> traffic.breakAccount(server.client());
        case REPAIR -> traffic.repairAccount(server.client());
        case REMINDER -> traffic.remind(server.client(), groups);
        case CRASH -> {
          observer.look(server.client());
          server.kill();
          observer.killed();
          server.start();
          say("The server is back, and goes on where it was.");
        }
        case TRAFFIC, FLAKY, THROTTLE, QUIET -> {}
      }
    }

    private void figures() throws IOException {
      if (elapsed().compareTo(nextFigures) >= 0) {
        nextFigures = elapsed().plus(BETWEEN_FIGURES);
        say("%4d s  %s".formatted(elapsed().toSeconds(), observer.look(server.client())));
      }
    }

    private int summary(Observer.Figures last) {
      say("");
      say("The sandbox's own record of what arrived says: " + last + ".");
      if (last.isRight()) {
        say(
            "Every message that was accepted arrived once, and in each chat in the order in which"
                + " it was handed in.");
        return 0;
      }
      say("This is wrong: every message that was accepted should have arrived once, in order.");
      return Failure.FAILED;
    }
  }
}
