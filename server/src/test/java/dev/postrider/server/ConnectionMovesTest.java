package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.peers.IrcServer;
import dev.postrider.testkit.internal.peers.IrcServer.Inspircd;
import dev.postrider.testkit.internal.peers.IrcWitness;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one PostgreSQL have one account on InspIRCd: who comes and goes there is what
 * InspIRCd tells a third. It lets nobody in under a name that is in use, so a second connection
 * would come under another.
 */
class ConnectionMovesTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Pattern MOVE = Pattern.compile("^(?:@\\S+ )?:([^! ]+)!\\S+ (JOIN|QUIT)\\b");

  @TempDir Path folder;

  private final PostgresServer database = PostgresServer.shared();
  private final String store = database.newSchema();

  @AfterEach
  void drop() {
    database.drop(store);
  }

  @Test
  void irc_sees_the_account_leave_before_it_comes_back_from_another_server() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    try (Inspircd irc = IrcServer.inspircd(folder, null, null);
        IrcWitness witness = new IrcWitness(irc.server().port(), "witness", "#ops");
        Cable cable = Cable.to(database.port());
        TestServer one =
            start("one", irc, store.replace(":" + database.port(), ":" + cable.port()))) {
      awaitMoves(witness, "rider JOIN");
      try (TestServer two = start("two", irc, store)) {
        cable.cut(); // from its database, but not from IRC

        awaitMoves(witness, "rider JOIN", "rider QUIT", "rider JOIN");
        assertThat(two.postrider().works("irc")).isTrue();
        cable.heal();
        while (one.postrider().works("irc")) { // until it knows
          LockSupport.parkNanos(1_000_000);
        }
      }
      awaitMoves(witness, "rider JOIN", "rider QUIT", "rider JOIN", "rider QUIT", "rider JOIN");
    }
  }

  private static TestServer start(String node, Inspircd irc, String store) {
    return TestServer.sharing(
        store,
        """
        cluster: { node: %s }
        accounts:
          - { id: irc, channel: irc, host: 127.0.0.1, port: %d, tls: false, nick: rider,
              channels: ["#ops"] }
        """
            .formatted(node, irc.server().port()));
  }

  /** Waits until these have come and gone, in this order; fails as soon as others do. */
  private static void awaitMoves(IrcWitness witness, String... expected) {
    long end = System.nanoTime() + LIMIT.toNanos();
    List<String> moves = moves(witness);
    while (moves.size() < expected.length && System.nanoTime() < end) {
      assertThat(moves).isEqualTo(List.of(expected).subList(0, moves.size()));
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      moves = moves(witness);
    }
    assertThat(moves).containsExactly(expected);
  }

  private static List<String> moves(IrcWitness witness) {
    return witness.heard(_ -> true).stream()
        .flatMap(line -> MOVE.matcher(line).results())
        .filter(move -> !move.group(1).equals("witness"))
        .map(move -> move.group(1) + " " + move.group(2))
        .toList();
  }
}
