package dev.postrider.channels.nostr;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.fetch.ReachableHosts;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.nostr.Relay.Terms;
import dev.postrider.channels.socket.TextWebSocket;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Connects to relays: to our own for good, and to others for as long as something is said. */
final class RelayConnector {
  private final HttpSender http;
  private final Terms terms;
  private final ReachableHosts reachable;

  RelayConnector(HttpSender http, Terms terms, ReachableHosts reachable) {
    this.http = http;
    this.terms = terms;
    this.reachable = reachable;
  }

  /** One of the account's own relays, which may know who we are. */
  Relay connect(URI address) throws IOException, InterruptedException {
    return new Relay(address, http.webSocket(address), terms, true);
  }

  /** Says something to a relay over a connection of its own. */
  private interface Errand<T> {
    T run(Relay relay) throws IOException, InterruptedException;
  }

  /**
   * Why a relay that somebody has named is not connected to; null if its name says nothing against
   * it.
   */
  @Nullable Outcome refusal(URI address) {
    try {
      return reachable.includes(address.getHost())
          ? null
          : new Outcome.Rejected(
              Blame.TARGET,
              address.getHost()
                  + " is in a private network; if that is right, name it in allowedNetworks");
    } catch (UnknownHostException e) {
      return new Outcome.Unreachable(address.getHost() + " has no address");
    }
  }

  /** Hands an event to a relay that somebody has named. */
  Outcome publish(URI address, NostrEvent event) throws InterruptedException {
    try {
      return visit(
          address, http.webSocket(address, reachable::includes), relay -> relay.publish(event));
    } catch (IOException e) {
      return new Outcome.Unreachable(String.valueOf(e.getMessage()));
    }
  }

  /** Asks a relay of the account's settings that we have no connection to. */
  List<NostrEvent> find(URI address, Map<String, Object> filter)
      throws IOException, InterruptedException {
    return visit(address, http.webSocket(address), relay -> relay.find(filter));
  }

  /** Whether somebody answers there. */
  void greet(URI address) throws IOException, InterruptedException {
    http.webSocket(address).close();
  }

  private <T> T visit(URI address, TextWebSocket socket, Errand<T> errand)
      throws IOException, InterruptedException {
    try (Relay relay = new Relay(address, socket, terms, false)) {
      Scheduler.Task follower = terms.time().start("visit", () -> follow(relay));
      try {
        return errand.run(relay);
      } finally {
        follower.interrupt();
      }
    }
  }

  private static void follow(Relay relay) {
    try {
      relay.follow(Relay.DEAF);
    } catch (IOException e) {
      // Whoever waits for an answer is told.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
