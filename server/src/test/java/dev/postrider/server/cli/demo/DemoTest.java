package dev.postrider.server.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.cli.Main;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo runs to its end, proves what it says, and leaves nothing behind. */
@Timeout(600)
class DemoTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    PrintWriter writer = new PrintWriter(out, true);
    return Main.run(
        new Terminal(Map.of(), InputStream.nullInputStream(), writer, writer, false), arguments);
  }

  private static Set<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("postrider-demo-"))
          .collect(Collectors.toCollection(HashSet::new));
    }
  }

  @Test
  void it_ends_by_itself_and_everything_arrived_once_and_in_order() throws IOException {
    Set<Path> before = left();

    int code = run("demo", "--for", "10s", "--port", "0");

    assertThat(code).as(out.toString()).isZero();
    assertThat(out.toString()).startsWith("Open http://127.0.0.1:");
    assertThat(out.toString())
        .contains("A reminder goes to 100 groups", "lost 0, out of order 0, repeated 0.")
        .contains("Every message that was accepted arrived once")
        .doesNotContain("SIGKILL");
    assertThat(left()).isEqualTo(before);
  }

  @Test
  void a_kill_in_the_middle_loses_nothing_and_repeats_nothing() throws IOException {
    Set<Path> before = left();

    int code = run("demo", "--crash", "--for", "10s", "--port", "0");

    assertThat(code).as(out.toString()).isZero();
    assertThat(out.toString())
        .contains("killed with SIGKILL", "The server is back", "lost 0, out of order 0, repeated 0")
        .contains("Every message that was accepted arrived once");
    assertThat(left()).isEqualTo(before);
  }

  /** What it would say if something were wrong. */
  @Test
  void the_observer_sees_what_is_missing_repeated_or_out_of_order() throws IOException {
    Path record = folder.resolve("record");
    Client nobody = new Client("http://127.0.0.1:1", null, null);
    Observer observer = new Observer(record, Map.of("a", 3, "b", 1));
    assertThat(observer.look(nobody).waiting()).isEqualTo(4);

    Files.writeString(record, line("a", 1) + line("b", 1) + line("a", 3) + line("a", 2) + "{\"ch");

    assertThat(observer.look(nobody)).isEqualTo(new Observer.Figures(4, 3, 0, 0, 1, 1));
    assertThat(observer.look(nobody).isRight()).isFalse();
  }

  private static String line(String chat, int number) {
    return "{\"chat\": \"%s\", \"text\": \"%d: x\"}\n".formatted(chat, number);
  }
}
