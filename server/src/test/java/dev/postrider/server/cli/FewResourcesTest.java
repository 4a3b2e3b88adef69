package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real servers with few files and little memory. */
@DisabledOnOs(OS.WINDOWS)
class FewResourcesTest {
  private static final String GET =
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n";

  @TempDir private Path dir;
  private final List<Socket> open = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private Process server;
  private int port;

  /** Serves, and takes all the memory there is when it is told to. */
  static final class Greedy {
    private static final List<byte[]> TAKEN = new ArrayList<>();

    public static void main(String[] args) {
      Thread.ofPlatform().daemon().start(Greedy::take);
      Main.main(args);
    }

    private static void take() {
      try {
        System.in.read();
      } catch (IOException e) {
        return;
      }
      while (true) {
        TAKEN.add(new byte[1 << 20]);
      }
    }
  }

  @AfterEach
  void stop() throws IOException {
    leave();
    if (server != null) {
      server.destroyForcibly();
    }
  }

  @Test
  void a_server_with_300_files_outlives_600_idle_connections_and_serves_afterwards()
      throws Exception {
    start("ulimit -n 300; ", "", Main.class);

    connect(600, "");
    assertThat(server.isAlive()).isTrue();
    leave();

    awaitServed();
  }

  @Test
  void a_server_with_little_memory_outlives_2000_connections_and_serves_afterwards()
      throws Exception {
    start("", "-Xmx64m -XX:+ExitOnOutOfMemoryError", Main.class);

    connect(2_000, GET);
    assertThat(server.isAlive()).isTrue();
    leave();

    awaitServed();
  }

  @Test
  void a_server_without_memory_ends_so_that_it_can_be_started_again() throws Exception {
    start("", "-Xmx64m " + flags("serve"), Greedy.class);

    server.getOutputStream().write('\n');
    server.getOutputStream().flush();

    assertThat(server.waitFor(300, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).isEqualTo(3);
  }

  @Test
  void the_launcher_lets_servers_end_when_memory_runs_out_and_nothing_else() throws Exception {
    assertThat(flags("serve")).contains("-XX:+ExitOnOutOfMemoryError");
    assertThat(flags("status")).doesNotContain("-XX:+ExitOnOutOfMemoryError");
  }

  /** What the launcher gives to Java before {@code -jar}, as told by a Java that only tells. */
  private String flags(String command) throws Exception {
    Path home = Files.createTempDirectory(dir, "launcher");
    Path launcher = Files.copy(Path.of("..", "postrider"), home.resolve("postrider"));
    Files.createDirectory(home.resolve(".mvn"));
    Files.copy(Path.of("..", ".mvn", "find-jdk.sh"), home.resolve(".mvn/find-jdk.sh"));
    Path run = Path.of("packaging", "launcher", "run.sh");
    Files.createDirectories(home.resolve(run).getParent());
    Files.copy(Path.of("..").resolve(run), home.resolve(run));
    Files.writeString(home.resolve("pom.xml"), "");
    Path build = Files.createDirectories(home.resolve(".build/one"));
    Files.writeString(home.resolve(".build/current"), "one\n");
    Files.writeString(build.resolve("postrider.jar"), "");
    Files.writeString(build.resolve("began"), "");
    Path jdk = Files.createDirectories(home.resolve("jdk/bin"));
    Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    for (String name : List.of("java", "javac")) {
      Path program = Files.writeString(jdk.resolve(name), "#!/bin/sh\necho \"$@\"\n");
      assertThat(program.toFile().setExecutable(true)).isTrue();
    }
    ProcessBuilder builder =
        new ProcessBuilder("sh", launcher.toString(), command).redirectErrorStream(true);
    builder.environment().remove("JDK_HOME");
    builder.environment().remove("POSTRIDER_JAVA_OPTS");
    builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).contains(" -jar ");
    return said.substring(0, said.indexOf(" -jar "));
  }

  private void start(String before, String flags, Class<?> main) throws IOException {
    Path config = dir.resolve("postrider.yaml");
    Files.writeString(config, "store: \"sqlite:" + dir + "/x.db\"\nhttp: { port: 0 }\n");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    server =
        new ProcessBuilder(
                "sh",
                "-c",
                before
                    + "exec \"$0\" --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 "
                    + flags
                    + " -cp \"$1\" \"$2\" serve --config \"$3\"",
                java,
                System.getProperty("java.class.path"),
                main.getName(),
                config.toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader reader = server.inputReader(StandardCharsets.UTF_8);
    String line = "";
    while (!line.contains("Postrider is at ")) {
      line = reader.readLine();
      assertThat(line).as("it ended early: %s", lines).isNotNull();
      lines.add(line);
    }
    port = URI.create(line.replaceAll(".*Postrider is at (http://[^ ]*).*", "$1")).getPort();
    Thread.ofVirtual().start(() -> reader.lines().forEach(lines::add));
  }

  /** Comes again and again, and stays as long as it is let. */
  private void connect(int count, String begin) throws IOException {
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket("127.0.0.1", port);
      open.add(socket);
      try {
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.US_ASCII));
        socket.setSoTimeout(begin.isEmpty() ? 1 : 60_000);
        socket.getInputStream().read(new byte[4096]);
      } catch (SocketTimeoutException e) {
        // it waits, as we do
      } catch (IOException e) {
        // refused
      }
    }
  }

  private void leave() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void awaitServed() {
    String answer = "";
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!answer.startsWith("HTTP/1.1 200")) {
      assertThat(server.isAlive()).as("%s", lines).isTrue();
      assertThat(System.nanoTime() < end).as("%s", lines).isTrue();
      try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.setSoTimeout(300_000);
        socket.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));
        byte[] some = new byte[100];
        answer =
            new String(
                some,
                0,
                Math.max(0, socket.getInputStream().read(some)),
                StandardCharsets.US_ASCII);
      } catch (IOException e) {
        answer = "";
      }
    }
  }
}
