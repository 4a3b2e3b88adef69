package dev.postrider.channels.nostr;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.PendingAnswers;
import dev.postrider.channels.socket.PendingAnswers.End;
import dev.postrider.channels.socket.PendingAnswers.Question;
import dev.postrider.channels.socket.TextWebSocket;
import dev.postrider.channels.socket.TextWebSocket.Heard;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * One connection to one relay, from its beginning to its end (NIP-01, NIP-42). One thread {@link
 * #follow follows} it; everything else is thread-safe, and waits for answers that the follower
 * hears. The relay learns who we are if it asks and we have said that it may, or if it takes an
 * event from nobody else.
 */
final class Relay implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Relay.class);

  /** More than anybody has inbox lists or notes of one id; a relay that sends more is not well. */
  private static final int MOST_FOUND = 100;

  /** How to reach relays, and how long to wait for them. */
  record Terms(NostrKey me, Scheduler time, Duration patience, Duration idle) {}

  /** What a relay has; or why it does not say. */
  private record Found(List<NostrEvent> events, @Nullable String refusal) {}

  /** What a relay says of an event. */
  private record Ok(boolean taken, String message) {}

  /** What comes by itself. Told by the thread that follows. */
  interface Ear {
    void event(String subscription, JsonNode event) throws IOException, InterruptedException;

    /** What there was is told; what comes now is new. */
    void toldAll(String subscription) throws IOException, InterruptedException;

    /** The relay knows who we are now. Told by another thread. */
    void introduced() throws IOException, InterruptedException;

    /** The subscription is refused, or has ended. */
    void closed(String subscription, String why) throws IOException, InterruptedException;
  }

  /** For connections that only say something. */
  static final Ear DEAF =
      new Ear() {
        @Override
        public void event(String subscription, JsonNode event) {}

        @Override
        public void toldAll(String subscription) {}

        @Override
        public void introduced() {}

        @Override
        public void closed(String subscription, String why) {}
      };

  private final URI address;
  private final TextWebSocket socket;
  private final Terms terms;
  private final boolean known;
  private final PendingAnswers<Ok> oks;
  private final PendingAnswers<Found> searches;
  private final Map<String, List<NostrEvent>> found = new ConcurrentHashMap<>();
  private final AtomicLong lastSearch = new AtomicLong();
  private volatile @Nullable String challenge;
  private volatile @Nullable String ended;

  /**
   * @param known whether the relay may know who we are as soon as it asks
   */
  Relay(URI address, TextWebSocket socket, Terms terms, boolean known) {
    this.address = address;
    this.socket = socket;
    this.terms = terms;
    this.known = known;
    oks = new PendingAnswers<>(terms.time());
    searches = new PendingAnswers<>(terms.time());
  }

  URI address() {
    return address;
  }

  String host() {
    return String.valueOf(address.getHost());
  }

  /** Reads until the connection ends, which is always an exception. */
  void follow(Ear ear) throws IOException, InterruptedException {
    try {
      while (true) {
        switch (socket.nextKeptAlive(terms.idle())) {
          case Heard.Ended(int code, String reason) -> {
            String ours = ended;
            throw new IOException(
                ours == null
                    ? "the connection to %s ended: %d %s".formatted(host(), code, reason).strip()
                    : ours);
          }
          case Heard.Said(String text) -> take(text, ear);
        }
      }
    } finally {
      lost();
    }
  }

  private void lost() {
    String why = "the connection to " + host() + " ended before it answered";
    oks.lost(why);
    searches.lost(why);
  }

  private void take(String text, Ear ear) throws IOException, InterruptedException {
    JsonNode message = Json.readArray(text);
    if (message == null) {
      throw new IOException(host() + " speaks no Nostr");
    }
    String subject = message.path(1).asString("");
    switch (message.path(0).asString("")) {
      case "OK" ->
          oks.answered(
              subject, new Ok(message.path(2).asBoolean(false), message.path(3).asString("")));
      case "AUTH" -> challenged(subject, ear);
      case "EVENT" -> {
        List<NostrEvent> searched = found.get(subject);
        if (searched == null) {
          ear.event(subject, message.path(2));
        } else if (searched.size() < MOST_FOUND
            && NostrEvent.read(message.path(2)) instanceof NostrEvent event) {
          searched.add(event);
        }
      }
      case "EOSE" -> {
        List<NostrEvent> searched = found.get(subject);
        if (searched == null) {
          ear.toldAll(subject);
        } else {
          searches.answered(subject, new Found(List.copyOf(searched), null));
        }
      }
      case "CLOSED" -> {
        String why = message.path(2).asString("");
        if (found.containsKey(subject)) {
          searches.answered(subject, new Found(List.of(), why));
        } else {
          ear.closed(subject, why);
        }
      }
      default -> log.debug("{} says {}", host(), text); // a notice for people, or something new
    }
  }

  private void challenged(String word, Ear ear) {
    challenge = word;
    if (known) { // by another thread: this one hears the answer
      terms
          .time()
          .start(
              "introduce",
              () -> {
                try {
                  if (introduce()) {
                    ear.introduced();
                  }
                } catch (IOException e) {
                  log.debug("{} could not be told who we are: {}", host(), e.getMessage());
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
    }
  }

  /** Tells the relay who we are (NIP-42); false if it has not asked, or does not believe it. */
  boolean introduce() throws IOException, InterruptedException {
    String word = challenge;
    if (word == null) {
      return false;
    }
    NostrEvent who =
        NostrEvent.signed(
            terms.me(),
            terms.time().instant().getEpochSecond(),
            NostrEvent.AUTHENTICATION,
            List.of(List.of("relay", address.toString()), List.of("challenge", word)),
            "");
    return ask("AUTH", who) instanceof End.Answered<Ok>(Ok ok) && ok.taken();
  }

  /** Hands an event in, and tells what the relay makes of it. */
  Outcome publish(NostrEvent event) throws InterruptedException {
    try {
      End<Ok> end = ask("EVENT", event);
      if (end instanceof End.Answered<Ok>(Ok ok)
          && !ok.taken()
          && NostrVerdict.prefix(ok.message()).equals(NostrVerdict.AUTH_REQUIRED)
          && introduce()) {
        end = ask("EVENT", event);
      }
      return switch (end) {
        case End.Answered<Ok>(Ok ok) ->
            NostrVerdict.read(ok.taken(), ok.message(), host(), event.id());
        case End.TimedOut<Ok>(Duration waited) ->
            new Outcome.Unknown(host() + " said nothing within " + waited.toMillis() + " ms");
        case End.Lost<Ok>(String cause) -> new Outcome.Unknown(cause);
      };
    } catch (IOException e) {
      return new Outcome.Unknown(String.valueOf(e.getMessage()));
    }
  }

  private End<Ok> ask(String verb, NostrEvent event) throws IOException, InterruptedException {
    Question<Ok> question = oks.ask(event.id(), terms.patience());
    try {
      say("[\"" + verb + "\"," + event.json() + "]");
    } catch (IOException e) {
      question.end().complete(new End.Lost<>("not said"));
      throw e;
    }
    return terms.time().await(question.end());
  }

  /**
   * What the relay has that fits, newest first and not too much of it.
   *
   * @throws IOException if it does not say
   */
  List<NostrEvent> find(Map<String, Object> filter) throws IOException, InterruptedException {
    String id = "find" + lastSearch.incrementAndGet();
    found.put(id, new ArrayList<>());
    try {
      Question<Found> question = searches.ask(id, terms.patience());
      request(id, filter);
      return switch (terms.time().await(question.end())) {
        case End.Answered<Found>(Found(_, String why)) when why != null ->
            throw new IOException(host() + " does not tell: " + why);
        case End.Answered<Found>(Found(List<NostrEvent> events, _)) -> {
          close(id);
          yield events;
        }
        case End.TimedOut<Found> _ -> throw new IOException(host() + " does not answer a question");
        case End.Lost<Found>(String cause) -> throw new IOException(cause);
      };
    } finally {
      found.remove(id);
    }
  }

  void request(String subscription, Map<String, Object> filter)
      throws IOException, InterruptedException {
    say(Json.write(List.of("REQ", subscription, filter)));
  }

  void close(String subscription) throws IOException, InterruptedException {
    say(Json.write(List.of("CLOSE", subscription)));
  }

  private synchronized void say(String text) throws IOException, InterruptedException {
    socket.say(text);
  }

  /** Ends the connection because of something that whoever follows is to tell. */
  void end(String why) {
    ended = why;
    close();
  }

  @Override
  public void close() {
    socket.close();
    lost();
  }
}
