package dev.postrider.testkit.engine;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.InboundSink;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A platform that lets each account have one connection, refuses a second, and keeps a record of
 * all. Which node connects is what the account's setting {@value #NODE} says.
 */
public final class SoleConnections implements FakeChannel.Connector {
  /** The setting of accounts by which the platform tells nodes apart. */
  public static final String NODE = "node";

  private static final Duration LONG = Duration.ofHours(1);

  /**
   * A connection as the platform saw it, in the world's time.
   *
   * @param until null while it stands
   */
  public record Connection(String account, String node, Duration from, @Nullable Duration until) {}

  private final Scheduler world;
  private final List<Connection> ended = new ArrayList<>();
  private final Map<String, Connection> standing = new LinkedHashMap<>(); // by account
  private final List<Connection> refused = new ArrayList<>();
  private Duration leaving = Duration.ZERO;

  public SoleConnections(Scheduler world) {
    this.world = world;
  }

  /** From now on a connection takes so long to end, unless whoever ends it insists. */
  public void leaving(Duration takes) {
    leaving = takes;
  }

  @Override
  public void hold(AccountContext account, InboundSink inlet) throws IOException {
    String id = account.config().id();
    String node = String.valueOf(account.config().settings().get(NODE));
    Connection connection = new Connection(id, node, world.elapsed(), null);
    if (standing.containsKey(id)) {
      refused.add(connection);
      throw new IOException("another connection of the account stands");
    }
    standing.put(id, connection);
    inlet.connected();
    try {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = inlet.pause(LONG);
      }
      account.scheduler().pause(leaving);
    } finally {
      end(connection);
    }
  }

  private void end(Connection connection) {
    if (standing.remove(connection.account, connection)) {
      ended.add(
          new Connection(connection.account, connection.node, connection.from, world.elapsed()));
    }
  }

  /** The node has died, and its connections with it. */
  public void died(String node) {
    List.copyOf(standing.values()).stream()
        .filter(connection -> connection.node.equals(node))
        .forEach(this::end);
  }

  /** Who was refused, since another connection of the account stood. */
  public List<Connection> refused() {
    return refused;
  }

  /** Those that have ended, in the order of their ends. */
  public List<Connection> ended() {
    return ended;
  }

  /** The connection of the account that stands; null if none does. */
  public @Nullable Connection of(String account) {
    return standing.get(account);
  }

  /** Which node is connected for the account; null if none is. */
  public @Nullable String nodeOf(String account) {
    Connection connection = of(account);
    return connection == null ? null : connection.node;
  }
}
