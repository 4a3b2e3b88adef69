package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.crash.KillHarness;
import dev.postrider.testkit.internal.peers.IrcServer;
import dev.postrider.testkit.internal.peers.IrcServer.Inspircd;
import dev.postrider.testkit.internal.peers.IrcWitness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server is killed with SIGKILL while it speaks in a channel, where another client listens. */
class IrcKillTest {
  @TempDir Path folder;

  /** It echoes with a label what it has taken. */
  @Test
  void what_arrives_is_whole_and_in_order_and_a_repeat_is_announced() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    Path there = Files.createDirectory(folder.resolve("irc"));
    try (Inspircd irc = IrcServer.inspircd(there, null, null)) {
      killed(irc.server(), 100, 20);
    }
  }

  /**
   * It knows neither labels nor echoes: that it has taken something is known by the answer to a
   * PING behind it. It reads three lines a second.
   */
  @Test
  void so_is_it_where_only_a_ping_behind_each_line_tells_that_it_was_taken() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    try (IrcServer irc = IrcServer.ngircd(Files.createDirectory(folder.resolve("irc")))) {
      killed(irc, 8, 2);
    }
  }

  private void killed(IrcServer irc, int count, int after) throws Exception {
    List<String> texts = IntStream.range(0, count).mapToObj(i -> "text " + i).toList();
    try (IrcWitness witness = new IrcWitness(irc.port(), "witness", "#room")) {
      irc.freeze(); // until all messages wait
      List<JsonNode> messages = new ArrayList<>();
      try (KillHarness.Life life =
          new KillHarness(folder)
              .begin(
                  "  - { id: irc, channel: irc, host: 127.0.0.1, port: %d, tls: false, nick: rider,"
                          .formatted(irc.port())
                      + " delivery: { backoff: [50ms] }, pace: { perSecond: 1000, burst: 1000,"
                      + " chat: { perSecond: 1000, burst: 1000 } } }")) {
        List<String> ids = new ArrayList<>();
        for (String text : texts) {
          ids.add(life.send("irc", "#room", text));
        }
        irc.thaw();
        witness.await(line -> line.endsWith(":text " + after));
        assertThat(witness.said("#room")).as("in the middle of it").hasSizeLessThan(count);
        life.kill();
        life.startAgain();
        for (String id : ids) {
          messages.add(life.ended(id));
        }
      }
      witness.sync();

      assertThat(messages).allMatch(it -> it.path("status").asString("").equals("delivered"));
      List<String> arrived = witness.said("#room");
      assertThat(List.copyOf(new LinkedHashSet<>(arrived)))
          .as("nothing lost, in order")
          .isEqualTo(texts);
      List<String> repeated = new ArrayList<>(arrived);
      texts.forEach(repeated::remove);
      assertThat(repeated).as("only what was under way").hasSizeLessThanOrEqualTo(1);
      List<String> announced =
          messages.stream()
              .filter(it -> it.path("possibleDuplicate").asBoolean())
              .map(it -> texts.get(messages.indexOf(it)))
              .toList();
      assertThat(announced).containsAll(repeated).hasSizeLessThanOrEqualTo(1);
    }
  }
}
