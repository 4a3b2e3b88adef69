package dev.postrider.channels.nostr;

import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where people want to be sent private messages: the relays in their list of kind 10050 (NIP-17),
 * asked for on our own relays and those that collect such lists. Kept in memory for a while.
 * Thread-safe.
 */
final class InboxRelays {
  private static final Duration KEPT = Duration.ofHours(1);
  private static final Duration KEPT_IF_NONE = Duration.ofMinutes(5);
  private static final int MOST_KEPT = 10_000;

  /** Lists are to be small; nobody makes us connect to more. */
  private static final int MOST_RELAYS = 5;

  /** What is known of somebody's inbox. */
  sealed interface Inbox {
    record At(List<URI> relays) implements Inbox {}

    /** There is no list: whoever has none does not want private messages. */
    record None() implements Inbox {}

    record NotTold(String cause) implements Inbox {}
  }

  private record Known(Inbox inbox, Instant until) {}

  private final StandingRelays ours;
  private final List<URI> collectors;
  private final RelayConnector connector;
  private final Scheduler time;
  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > MOST_KEPT;
        }
      };

  InboxRelays(StandingRelays ours, List<URI> collectors, RelayConnector connector, Scheduler time) {
    this.ours = ours;
    this.collectors = collectors;
    this.connector = connector;
    this.time = time;
  }

  Inbox of(String person) throws InterruptedException {
    synchronized (known) {
      Known kept = known.get(person);
      if (kept != null && kept.until.isAfter(time.instant())) {
        return kept.inbox;
      }
    }
    Inbox inbox = ask(person);
    if (!(inbox instanceof Inbox.NotTold)) {
      Duration kept = inbox instanceof Inbox.At ? KEPT : KEPT_IF_NONE;
      synchronized (known) {
        known.remove(person); // so that it counts as the newest
        known.put(person, new Known(inbox, time.instant().plus(kept)));
      }
    }
    return inbox;
  }

  /** To be asked for again: perhaps the list has changed. */
  void forget(String person) {
    synchronized (known) {
      known.remove(person);
    }
  }

  private Inbox ask(String person) throws InterruptedException {
    Map<String, Object> filter =
        Map.of("kinds", List.of(NostrEvent.INBOX_RELAYS), "authors", List.of(person), "limit", 1);
    List<NostrEvent> found = new ArrayList<>();
    int told = 0;
    String silent = "too few relays are connected";
    for (Relay relay : ours.all()) {
      try {
        found.addAll(relay.find(filter));
        told++;
      } catch (IOException e) {
        silent = String.valueOf(e.getMessage());
      }
    }
    for (URI collector : collectors) {
      try {
        found.addAll(connector.find(collector, filter));
      } catch (IOException e) {
        // What is there besides: our own relays decide whether somebody has no list.
      }
    }
    List<URI> relays = newest(found, person);
    if (relays != null) {
      return relays.isEmpty() ? new Inbox.None() : new Inbox.At(relays);
    }
    return told < ours.quorum() ? new Inbox.NotTold(silent) : new Inbox.None();
  }

  private static @Nullable List<URI> newest(List<NostrEvent> found, String person) {
    Optional<NostrEvent> newest =
        found.stream()
            .filter(
                event ->
                    event.kind() == NostrEvent.INBOX_RELAYS
                        && event.publicKey().equals(person)
                        && event.isGenuine())
            .max(Comparator.comparingLong(NostrEvent::createdAt));
    return newest.isEmpty()
        ? null
        : newest.get().all("relay").stream()
            .map(RelayAddress::of)
            .flatMap(Optional::stream)
            .distinct()
            .limit(MOST_RELAYS)
            .toList();
  }
}
