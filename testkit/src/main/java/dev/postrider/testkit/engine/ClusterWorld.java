package dev.postrider.testkit.engine;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.store.Store;
import dev.postrider.testkit.time.NodeTime;
import dev.postrider.testkit.time.VirtualTime;
import dev.postrider.view.AccountView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Several engines in one virtual time, on one shared store, before one {@link FakeChannel}: start
 * them, stop them, kill them, put them to sleep, and look who sends what.
 */
public final class ClusterWorld {
  public static final Duration HEARTBEAT = ClusterSettings.HEARTBEAT;
  public static final Duration LEASE = ClusterSettings.LEASE;

  /** Opens the shared store for one node; the world's time is the store's own clock. */
  @FunctionalInterface
  public interface StoreOpener {
    Store open(ClusterSettings cluster, NodeTime node, VirtualTime storeClock);
  }

  public final VirtualTime time = VirtualTime.inOrder();
  public final FakeChannel platform = new FakeChannel();
  private final StoreOpener opener;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final List<Node> twins = new ArrayList<>();
  private PostriderConfig config = PostriderConfig.store("test");
  private UnaryOperator<Store> between = UnaryOperator.identity();
  private Duration heartbeat = HEARTBEAT;
  private Duration lease = LEASE;
  private long seed = 1;
  private long rescued; // by processes that have ended

  public ClusterWorld(StoreOpener opener) {
    this.opener = opener;
  }

  /** One process. */
  public final class Node {
    public final String name;
    public final List<Event> events = new ArrayList<>();
    private NodeTime clock = new NodeTime(time);
    private Duration ahead = Duration.ZERO;
    private PostriderConfig own = config;
    private @Nullable Store store;
    private @Nullable Postrider running;

    private Node(String name) {
      this.name = name;
    }

    /** Changes its configuration alone; takes effect at its next start. */
    public Node configure(UnaryOperator<PostriderConfig> change) {
      own = change.apply(own);
      return this;
    }

    /** Sets its clock wrong, from its next start on. */
    public Node clockAhead(Duration by) {
      ahead = by;
      return this;
    }

    /** Sets its clock wrong while it runs. */
    public void setClock(Duration newAhead) {
      ahead = newAhead;
      clock.clockAhead(newAhead);
      time.settle();
    }

    public Node start() {
      ClusterSettings cluster = new ClusterSettings(name, "at " + name, heartbeat, lease);
      clock = new NodeTime(time);
      clock.clockAhead(ahead);
      Store opened = between.apply(opener.open(cluster, clock, time));
      store = opened;
      Postrider started =
          Postrider.open(
              own.cluster(cluster), clock, opened, new SplittableRandom(seed++), List.of(platform));
      started.events().subscribe(events::add);
      running = started;
      time.settle();
      return this;
    }

    /** Ends it cleanly. */
    public void stop() {
      postrider().close();
      time.settle();
      ended();
    }

    /** Ends it as SIGKILL does. */
    public void kill() {
      clock.kill();
      if (store != null) {
        store.close(Duration.ZERO);
      }
      ended();
    }

    private void ended() {
      rescued += rescued();
      running = null;
    }

    private long rescued() {
      return running == null ? 0 : running.countRescued(0);
    }

    /** Stops it as SIGSTOP does. */
    public void freeze() {
      clock.freeze();
    }

    /** Lets it go on as SIGCONT does. */
    public void thaw() {
      clock.thaw();
      time.settle();
    }

    public Postrider postrider() {
      if (running == null) {
        throw new IllegalStateException(name + " is not running");
      }
      return running;
    }

    public Store store() {
      if (store == null) {
        throw new IllegalStateException(name + " was not started");
      }
      return store;
    }

    public Delivery send(String account, String chat, String text) {
      return send(Message.to(account, chat).text(text));
    }

    public Delivery send(Message.Builder message) {
      Delivery delivery = postrider().send(message.build());
      time.settle();
      return delivery;
    }

    /** The accounts it works, as it says itself. */
    public Set<String> works() {
      Set<String> works = new TreeSet<>();
      for (AccountView account : postrider().accounts()) {
        if (name.equals(account.node())) {
          works.add(account.id());
        }
      }
      return works;
    }

    public <E extends Event> List<E> events(Class<E> kind) {
      return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
  }

  // ---- setting up

  /** Accounts that every node made from now on can work. */
  public ClusterWorld accounts(String... ids) {
    List<AccountConfig> all = new ArrayList<>();
    for (String id : ids) {
      all.add(AccountConfig.of(id, "fake"));
    }
    config = config.accounts(all);
    return this;
  }

  public ClusterWorld configure(UnaryOperator<PostriderConfig> change) {
    config = change.apply(config);
    return this;
  }

  /** Puts something between the store and the nodes that start from now on. */
  public void wrap(UnaryOperator<Store> around) {
    between = around;
  }

  /** For nodes that start from now on. */
  public ClusterWorld leases(Duration newHeartbeat, Duration newLease) {
    heartbeat = newHeartbeat;
    lease = newLease;
    return this;
  }

  public Node node(String name) {
    return nodes.computeIfAbsent(name, Node::new);
  }

  /** Another process of a name that a node has already. */
  public Node twin(String name) {
    Node twin = new Node(name);
    twins.add(twin);
    return twin;
  }

  /** Starts nodes, and lets them agree. */
  public void start(String... names) {
    for (String name : names) {
      node(name).start();
    }
    agree();
  }

  /** Long enough for what everybody can see to be acted upon, step by step. */
  public void agree() {
    pass(HEARTBEAT.multipliedBy(4));
  }

  public void pass(Duration duration) {
    time.advance(duration);
  }

  /** How much was found forgotten, by all processes so far. */
  public long rescued() {
    return rescued
        + Stream.concat(nodes.values().stream(), twins.stream()).mapToLong(Node::rescued).sum();
  }

  /** Ends what still runs. */
  public void close() {
    Stream.concat(nodes.values().stream(), twins.stream())
        .filter(node -> node.running != null)
        .forEach(Node::kill);
  }
}
