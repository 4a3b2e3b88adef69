package dev.postrider.channels.nostr;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.time.Scheduler;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Hands an event to several relays at once, and waits until enough of them have answered. */
final class Publisher {
  private final StandingRelays ours;
  private final RelayConnector connector;
  private final RelayLimits limits;
  private final Scheduler time;

  Publisher(StandingRelays ours, RelayConnector connector, RelayLimits limits, Scheduler time) {
    this.ours = ours;
    this.connector = connector;
    this.limits = limits;
    this.time = time;
  }

  /**
   * What the relays answer: of all, or of enough to know that the quorum has it. The others get it
   * all the same.
   */
  List<Outcome> publish(NostrEvent event, List<URI> relays, int quorum) {
    Answers answers = new Answers(relays.size(), quorum);
    for (URI address : relays) {
      time.start("publish", () -> answers.add(publish(event, address)));
    }
    return time.await(answers.enough);
  }

  private Outcome publish(NostrEvent event, URI address) {
    try {
      Relay relay = ours.at(address);
      boolean own = ours.addresses().contains(address);
      if (relay == null && own) {
        return new Outcome.Unreachable(address.getHost() + " is not connected");
      }
      Outcome unfit = own ? null : connector.refusal(address);
      if (unfit != null) {
        return unfit;
      }
      String tooLong = limits.refusal(address, own, event);
      if (tooLong != null) {
        return new Outcome.Rejected(Blame.MESSAGE, tooLong);
      }
      return relay == null ? connector.publish(address, event) : relay.publish(event);
    } catch (InterruptedException | RuntimeException e) {
      return new Outcome.Unknown(address.getHost() + ": " + e.getClass().getSimpleName());
    }
  }

  private static final class Answers {
    private final int relays;
    private final int quorum;
    private final List<Outcome> all = new ArrayList<>();
    final CompletableFuture<List<Outcome>> enough = new CompletableFuture<>();

    Answers(int relays, int quorum) {
      this.relays = relays;
      this.quorum = quorum;
    }

    synchronized void add(Outcome answer) {
      all.add(answer);
      if (all.size() == relays
          || all.stream().filter(Outcome.Delivered.class::isInstance).count() >= quorum) {
        enough.complete(List.copyOf(all));
      }
    }
  }
}
