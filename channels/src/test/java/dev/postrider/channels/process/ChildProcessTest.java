package dev.postrider.channels.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.http.Secrets;
import java.io.EOFException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ChildProcessTest {

  private static ChildProcess shell(String script, String... environment) throws IOException {
    Map<String, String> more =
        environment.length == 0 ? Map.of() : Map.of(environment[0], environment[1]);
    return ChildProcess.start(List.of("/bin/sh", "-c", script), more, Secrets.of("very-secret"));
  }

  @Test
  void lines_go_in_and_come_out() throws Exception {
    try (ChildProcess echo =
        shell("while read line; do echo \"$GREETING $line\"; done", "GREETING", "hi")) {
      echo.say("añn");
      echo.say("bob");
      assertThat(echo.next()).isEqualTo("hi añn");
      assertThat(echo.next()).isEqualTo("hi bob");
    }
  }

  @Test
  void its_end_is_told_with_its_code_and_again_to_whoever_asks_again() throws Exception {
    try (ChildProcess brief = shell("echo bye; echo 'very-secret went wrong' >&2; exit 3")) {
      assertThat(brief.next()).isEqualTo("bye");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(brief::next)
            .isInstanceOf(EOFException.class)
            .hasMessage("/bin/sh has ended with 3");
      }
      assertThat(brief.isAlive()).isFalse();
    }
  }

  @Test
  void what_is_not_there_cannot_be_started() {
    assertThatThrownBy(
            () ->
                ChildProcess.start(
                    List.of("/no/such/very-secret"), Map.of(), Secrets.of("very-secret")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be started")
        .hasMessageNotContaining("very-secret");
  }

  @Test
  void it_ends_with_whoever_listens_and_so_does_what_it_has_started() throws Exception {
    ChildProcess parent = shell("sleep 600 & echo $!; wait");
    long child = Long.parseLong(parent.next());
    ProcessHandle handle = ProcessHandle.of(child).orElseThrow();

    parent.close();

    assertThat(parent.isAlive()).isFalse();
    handle.onExit().join();
    assertThat(handle.isAlive()).isFalse();
  }

  @Test
  void a_reader_can_be_interrupted() throws Exception {
    try (ChildProcess quiet = shell("read line")) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(quiet::next).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void a_program_that_is_deaf_has_ended_once_whoever_closes_it_was_interrupted_twice()
      throws Exception {
    ChildProcess deaf = shell("trap '' TERM; echo ready; while :; do sleep 600; done");
    assertThat(deaf.next()).isEqualTo("ready");
    CompletableFuture<Boolean> alive = new CompletableFuture<>();
    Thread closing =
        Thread.ofVirtual()
            .start(
                () -> {
                  deaf.close();
                  alive.complete(deaf.isAlive());
                });
    while (!alive.isDone()) {
      closing.interrupt();
      Thread.onSpinWait();
    }

    assertThat(alive.join()).isFalse();
  }

  /** Starts a program that hears nothing, neither signals nor the end of its input. */
  static final class Owner {
    public static void main(String[] arguments) throws Exception {
      ChildProcess deaf =
          shell("trap '' HUP INT TERM; exec 0</dev/null; sleep 600 & echo $$ $!; wait");
      System.out.println(deaf.next());
      deaf.next();
    }
  }

  @Test
  void it_does_not_outlive_a_server_that_is_killed_even_if_it_hears_nothing() throws Exception {
    Process owner =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName())
            .redirectError(Redirect.INHERIT)
            .start();
    String[] pids = owner.inputReader().readLine().split(" ");
    List<ProcessHandle> left =
        Stream.of(pids).map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow()).toList();

    owner.destroyForcibly();

    left.forEach(handle -> handle.onExit().orTimeout(1, TimeUnit.MINUTES).join());
  }

  @Test
  void its_guard_ends_with_it() throws Exception {
    ProcessHandle self = ProcessHandle.current();
    Set<ProcessHandle> before = self.children().collect(Collectors.toSet());
    ChildProcess quiet = shell("read line");
    List<ProcessHandle> started = self.children().filter(child -> !before.contains(child)).toList();
    assertThat(started).hasSizeGreaterThanOrEqualTo(2);

    quiet.close();

    started.forEach(handle -> handle.onExit().orTimeout(1, TimeUnit.MINUTES).join());
  }
}
