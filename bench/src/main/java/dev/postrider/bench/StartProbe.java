package dev.postrider.bench;

import dev.postrider.Postrider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A process of its own on a store that holds a backlog. {@code first-send}: milliseconds from
 * opening the store, and from the start of the JVM, to the first platform request. {@code memory}:
 * resident MiB with the backlog waiting.
 */
public final class StartProbe {
  private StartProbe() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Path.of(args[1]);
    NoopChannel channel = new NoopChannel();
    long opening = System.nanoTime();
    Postrider postrider = EndToEnd.open(file, channel);
    if (args[0].equals("first-send")) {
      long sent = channel.awaitFirst();
      long upMillis = ManagementFactory.getRuntimeMXBean().getUptime();
      System.out.printf("%.0f %d%n", (sent - opening) / 1e6, upMillis);
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
    while (!postrider.stats().counted()) {
      Thread.onSpinWait();
    }
    System.gc();
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String resident = lines.filter(line -> line.startsWith("VmRSS")).findFirst().orElse("0 kB");
      System.out.println(Long.parseLong(resident.replaceAll("\\D", "")) / 1024);
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
