package dev.postrider.server.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.server.Documents;
import dev.postrider.server.Documents.Fence;
import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.internal.net.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The web servers that pages show for messages that are pushed to them. */
class DocumentedReceiverTest {
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String PORT = "9000"; // as pages have it

  @TempDir Path folder;

  static List<Fence> receivers() {
    return Documents.pages().stream()
        .flatMap(page -> Documents.fences(page).stream())
        .filter(Documents::isReceiver)
        .toList();
  }

  @Test
  void there_is_one() {
    assertThat(receivers()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("receivers")
  void it_takes_what_is_pushed_and_its_answer_is_sent(Fence fence) throws Exception {
    int port = FreePort.find();
    Path program = folder.resolve("receiver.py");
    Files.writeString(program, fence.text().replace(PORT, "" + port));
    ProcessBuilder start =
        new ProcessBuilder("python3", program.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    start.environment().put("PUSH_SECRET", SECRET);
    Process receiver = start.start();
    String pushed =
        """
        inbound: { pushTo: "http://127.0.0.1:%d/", pushSecret: %s, backoff: [100ms], \
        maxAttempts: 1000 }
        """
            .formatted(port, SECRET);
    try (TestServer server = TestServer.start(Files.createDirectory(folder.resolve("d")), pushed)) {
      CompletableFuture<Event.TurnEnded> over = server.next(Event.TurnEnded.class);
      server.hear("ann", "hello");

      assertThat(over.join().state()).isEqualTo("delivered");
      assertThat(server.get("/v1/messages?to=ann&text=You%20said").json().path("items"))
          .singleElement()
          .extracting(message -> message.path("text").asString())
          .isEqualTo("You said: hello");
    } finally {
      receiver.destroyForcibly().waitFor();
    }
  }
}
