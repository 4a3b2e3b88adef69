package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.crash.KillHarness;
import dev.postrider.testkit.internal.peers.Prosody;
import java.io.IOException;
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
    killed("ann@localhost", prosody -> prosody.archive("ann"));
  }

  /** There the acknowledgement is that the room shows it, to us as to everybody. */
  @Test
  void what_a_room_has_is_found_in_its_archive_and_nothing_is_lost_or_repeated() throws Exception {
    killed(Prosody.ROOM, Prosody::roomArchive);
  }

  /** What a server has kept of what was sent. */
  private interface Archive {
    String of(Prosody server) throws IOException;

    default List<String> texts(Prosody server) throws IOException {
      return Pattern.compile("text \\d+")
          .matcher(of(server))
          .results()
          .map(MatchResult::group)
          .toList();
    }
  }

  private void killed(String to, Archive archive) throws Exception {
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
      life.ended(life.send("jabber", to, "text 0"));
      cable.loseAnswers();
      String first = life.send("jabber", to, "text 1");
      String second = life.send("jabber", to, "text 2");
      awaitArrival(prosody, archive, "text 1");
      life.kill();
      cable.cut();
      cable.heal();
      life.startAgain();

      List<JsonNode> ended = List.of(life.ended(first), life.ended(second));

      assertThat(ended)
          .allMatch(it -> it.path("status").asString("").equals("delivered"))
          .noneMatch(it -> it.path("possibleDuplicate").asBoolean());
      assertThat(archive.texts(prosody)).containsExactly("text 0", "text 1", "text 2");
    }
  }

  private static void awaitArrival(Prosody prosody, Archive archive, String text)
      throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!archive.texts(prosody).contains(text)) {
      assertThat(System.nanoTime()).as("it does not arrive").isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
