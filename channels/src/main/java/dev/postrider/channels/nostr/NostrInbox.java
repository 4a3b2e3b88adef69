package dev.postrider.channels.nostr;

import dev.postrider.channel.InboundSink;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * What relays have for us. The cursor says per relay until when it was read, and when the account
 * listened first: what relays keep from before is left out. Wraps are dated up to two days back, so
 * each connection begins two days before that; what is known already is recognised by its rumor. A
 * relay gives so many events at a time, the newest first: the older ones are asked for page by
 * page. Thread-safe.
 */
final class NostrInbox {
  private static final Logger log = LoggerFactory.getLogger(NostrInbox.class);

  /** As far back as wraps are dated, and clocks may be wrong. */
  static final Duration LOOK_BACK = GiftWraps.BACKDATED.plus(Duration.ofHours(1));

  private static final String PRIVATE = "private";
  private static final String MENTIONS = "mentions";
  private static final String OLDER = "-older";
  private static final int MOST_SEEN = 20_000;

  /** Where the cursor says when the account listened for the first time; no relay is called so. */
  private static final String FIRST = "first";

  private final NostrKey me;
  private final NostrEvents events;
  private final NostrSettings settings;
  private final Scheduler time;
  private final Map<String, Long> readUntil = new TreeMap<>();

  /** Ids of events that are stored, so that three relays and a reconnection cost no more. */
  private final Map<String, Boolean> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_SEEN;
        }
      };

  NostrInbox(NostrKey me, GiftWraps wraps, NostrSettings settings, Scheduler time) {
    this.me = me;
    events = new NostrEvents(me.publicKey(), wraps);
    this.settings = settings;
    this.time = time;
  }

  /** Goes on where it was left; the first time, now. */
  synchronized void begin(@Nullable String cursor) {
    JsonNode read = cursor == null ? null : Json.readObject(cursor);
    if (read != null) {
      read.properties().forEach(entry -> readUntil.put(entry.getKey(), entry.getValue().asLong(0)));
    } else {
      readUntil.putIfAbsent(FIRST, now());
    }
  }

  /** Whether it was said before anybody listened: relays keep much, and wraps hide how old. */
  private synchronized boolean isOld(InboundMessage message) {
    Instant sent = message.sentAt();
    return sent != null && sent.getEpochSecond() < readUntil.getOrDefault(FIRST, 0L);
  }

  /** Begins to listen to one relay. */
  Relay.Ear at(Relay relay, InboundSink inlet) {
    Reader reader = new Reader(relay, inlet);
    try {
      reader.subscribe();
    } catch (IOException e) {
      log.debug("{} broke at once: {}", relay.host(), e.getMessage()); // whoever follows is told
    } catch (InterruptedException e) {
      throw new Scheduler.Interrupted();
    }
    return reader;
  }

  private synchronized long since(URI relay) {
    long read = readUntil.getOrDefault(relay.toString(), now());
    return read - LOOK_BACK.toSeconds();
  }

  private synchronized String cursor(URI relay) {
    readUntil.put(relay.toString(), now());
    return Json.write(readUntil);
  }

  private long now() {
    return time.instant().getEpochSecond();
  }

  private boolean isKnown(String event) {
    synchronized (seen) {
      return seen.containsKey(event);
    }
  }

  private void stored(String event) {
    synchronized (seen) {
      seen.put(event, true);
    }
  }

  /** How much of one subscription's past is read. */
  private static final class Past {
    private long oldest = Long.MAX_VALUE;
    private final Set<String> ofOldest = new HashSet<>();
    private boolean news;
    private boolean live;
    private boolean whole;

    void heard(NostrEvent event) {
      if (event.createdAt() < oldest) {
        oldest = event.createdAt();
        ofOldest.clear();
      }
      news |= event.createdAt() == oldest && ofOldest.add(event.id());
    }
  }

  /** Reads one connection. */
  private final class Reader implements Relay.Ear {
    private final Relay relay;
    private final InboundSink inlet;
    private final Map<String, Past> pasts = new HashMap<>();
    private volatile boolean introduced;

    Reader(Relay relay, InboundSink inlet) {
      this.relay = relay;
      this.inlet = inlet;
    }

    private synchronized void subscribe() throws IOException, InterruptedException {
      pasts.put(PRIVATE, new Past());
      relay.request(PRIVATE, filter(PRIVATE));
      if (settings.mentions()) {
        pasts.put(MENTIONS, new Past());
        relay.request(MENTIONS, filter(MENTIONS));
      }
    }

    private Map<String, Object> filter(String subscription) {
      Map<String, Object> filter = new LinkedHashMap<>();
      filter.put(
          "kinds", List.of(subscription.equals(PRIVATE) ? NostrEvent.GIFT_WRAP : NostrEvent.NOTE));
      filter.put("#p", List.of(me.publicKey()));
      filter.put("since", since(relay.address()));
      return filter;
    }

    @Override
    public synchronized void event(String subscription, JsonNode json) {
      NostrEvent event = NostrEvent.read(json);
      Past past = pasts.get(subscription.replace(OLDER, ""));
      if (event == null || past == null) {
        return;
      }
      if (!past.whole && past.live == subscription.endsWith(OLDER)) {
        past.heard(event);
      }
      if (isKnown(event.id())) {
        return;
      }
      boolean kept = !past.live || subscription.endsWith(OLDER);
      InboundMessage message = events.read(event);
      if (message != null && !(kept && isOld(message))) {
        inlet.take(List.of(message), List.of(), isWhole() ? cursor(relay.address()) : null);
      }
      stored(event.id());
    }

    private boolean isWhole() {
      return pasts.values().stream().allMatch(past -> past.whole);
    }

    @Override
    public synchronized void toldAll(String subscription) throws IOException, InterruptedException {
      String name = subscription.replace(OLDER, "");
      Past past = pasts.get(name);
      if (past == null || past.whole) {
        return;
      }
      past.live = true;
      if (past.news) {
        past.news = false;
        Map<String, Object> older = filter(name);
        older.put("until", past.oldest);
        relay.request(name + OLDER, older);
        return;
      }
      past.whole = true;
      if (subscription.endsWith(OLDER)) {
        relay.close(subscription);
      }
      if (isWhole()) {
        inlet.take(List.of(), List.of(), cursor(relay.address()));
      }
    }

    /** Now it may tell what it did not before. */
    @Override
    public void introduced() throws IOException, InterruptedException {
      introduced = true;
      subscribe();
    }

    /** A relay that wants to know who asks says so before or after; then it is asked again. */
    @Override
    public void closed(String subscription, String why) throws IOException {
      if (subscription.endsWith(OLDER)) {
        return;
      }
      String prefix = NostrVerdict.prefix(why);
      String refusal = relay.host() + " does not let us listen: " + why;
      boolean asksWho =
          prefix.equals(NostrVerdict.AUTH_REQUIRED) || prefix.equals(NostrVerdict.RESTRICTED);
      if (!asksWho || introduced) {
        throw new IOException(refusal);
      }
      time.after(
          settings.timeout(),
          () -> {
            if (!introduced) {
              relay.end(refusal);
            }
          });
    }
  }
}
