package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.crash.KillHarness;
import dev.postrider.testkit.internal.peers.Prosody;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server is killed with SIGKILL after Prosody has a message and before it could say so. */
class XmppKillTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  @Test
  void what_prosody_has_is_found_in_its_archive_and_nothing_is_lost_or_repeated() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    try (Prosody prosody = Prosody.start(Files.createDirectory(folder.resolve("xmpp")));
        Cable cable = Cable.to(prosody.port());
        KillHarness.Life life =
            new KillHarness(folder)
                .begin(
                    "  - { id: jabber, channel: xmpp, jid: bot@localhost, password: '%s',"
                            .formatted(Prosody.PASSWORD)
                        + " host: 127.0.0.1, port: %d, security: none,".formatted(cable.port())
                        + " delivery: { backoff: [50ms] } }")) {
      life.ended(life.send("jabber", "ann@localhost", "text 0"));
      cable.loseAnswers();
      String first = life.send("jabber", "ann@localhost", "text 1");
      String second = life.send("jabber", "ann@localhost", "text 2");
      awaitArrival(prosody, "text 1");
      life.kill();
      cable.cut();
      cable.heal();
      life.startAgain();

      List<JsonNode> ended = List.of(life.ended(first), life.ended(second));

      assertThat(ended)
          .allMatch(it -> it.path("status").asString("").equals("delivered"))
          .noneMatch(it -> it.path("possibleDuplicate").asBoolean());
      assertThat(arrived(prosody)).containsExactly("text 0", "text 1", "text 2");
    }
  }

  private static void awaitArrival(Prosody prosody, String text) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!arrived(prosody).contains(text)) {
      assertThat(System.nanoTime()).as("it does not arrive").isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** What Ann got, as the server's archive has it. */
  private static List<String> arrived(Prosody prosody) throws Exception {
    return Pattern.compile("text \\d+")
        .matcher(prosody.archive("ann"))
        .results()
        .map(MatchResult::group)
        .toList();
  }
}
