package dev.postrider.channels.nostr;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.InboundSink;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to the account's own relays. The account is ready while a quorum of them stands;
 * that is the one connection which the engine makes anew when it breaks. While it stands, a single
 * relay that is away is called again from here, ever more seldom (ADR 48). Thread-safe.
 */
final class StandingRelays {
  private static final Logger log = LoggerFactory.getLogger(StandingRelays.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final List<URI> addresses;
  private final int quorum;
  private final RelayConnector connector;
  private final AccountContext context;
  private final Map<URI, Relay> standing = new ConcurrentHashMap<>();

  StandingRelays(
      List<URI> addresses, int quorum, RelayConnector connector, AccountContext context) {
    this.addresses = addresses;
    this.quorum = quorum;
    this.connector = connector;
    this.context = context;
  }

  List<URI> addresses() {
    return addresses;
  }

  int quorum() {
    return quorum;
  }

  boolean isQuorate() {
    return standing.size() >= quorum;
  }

  /** Null if it is not connected. */
  @Nullable Relay at(URI address) {
    return standing.get(address);
  }

  List<Relay> all() {
    return List.copyOf(standing.values());
  }

  /** Connects to all of them, and listens until too few are left. */
  void listen(InboundSink inlet, Function<Relay, Relay.Ear> ears) throws IOException {
    Scheduler time = context.scheduler();
    Round round = new Round(inlet);
    List<Scheduler.Task> tasks = new ArrayList<>();
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    try {
      for (URI address : addresses) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        ends.add(end);
        tasks.add(
            time.start(
                "relay " + address.getHost(),
                () -> {
                  try {
                    keep(address, round, ears);
                  } finally {
                    end.complete(null);
                  }
                }));
      }
      throw new IOException(time.await(round.over));
    } finally {
      context.notReady("connecting to relays");
      tasks.forEach(Scheduler.Task::interrupt);
      standing.values().forEach(Relay::close);
      // Nothing is handed in any more, and no connection is left, once this returns.
      CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    }
  }

  /** Ends every connection at once. */
  void close() {
    standing.values().forEach(Relay::close);
  }

  /** One relay, until the round is over. */
  private void keep(URI address, Round round, Function<Relay, Relay.Ear> ears) {
    Duration pause = FIRST_PAUSE;
    try {
      while (true) {
        boolean stood = false;
        try (Relay relay = connector.connect(address)) {
          standing.put(address, relay);
          stood = true;
          Relay.Ear ear = ears.apply(relay);
          round.up(address);
          relay.follow(ear);
        } catch (IOException | RuntimeException e) {
          if (e instanceof Scheduler.Interrupted) {
            return;
          }
          // Only the kind of what we did not write ourselves.
          String why = e instanceof IOException ? e.getMessage() : e.getClass().getName();
          log.info("Account {}: {}", context.config().id(), why);
          standing.remove(address);
          round.down(address, String.valueOf(why));
        } finally {
          standing.remove(address);
        }
        pause = stood ? FIRST_PAUSE : pause;
        context.scheduler().pause(pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    } catch (Scheduler.Interrupted | InterruptedException e) {
      log.debug("{} is left", address.getHost());
    }
  }

  /** From the first connection to the loss of the quorum. */
  private final class Round {
    private final InboundSink inlet;
    private final CompletableFuture<String> over = new CompletableFuture<>();
    private final Map<URI, String> away = new TreeMap<>();
    private boolean ready;

    Round(InboundSink inlet) {
      this.inlet = inlet;
    }

    synchronized void up(URI address) {
      away.remove(address);
      if (!ready && isQuorate() && !over.isDone()) {
        ready = true;
        context.ready();
        inlet.connected();
      }
    }

    synchronized void down(URI address, String why) {
      away.put(address, why);
      if (addresses.size() - away.size() < quorum) {
        over.complete(
            addresses.size() == 1
                ? why
                : "%d of %d relays are away, %d must be there: %s"
                    .formatted(
                        away.size(), addresses.size(), quorum, String.join("; ", away.values())));
      }
    }
  }
}
