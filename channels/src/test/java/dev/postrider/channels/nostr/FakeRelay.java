package dev.postrider.channels.nostr;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.WebSocketPeer;
import dev.postrider.channels.socket.WebSocketPeer.Connection;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A relay that can be told to misbehave, and remembers everything it was handed. */
final class FakeRelay implements AutoCloseable {
  /** What becomes of an event that is handed in. */
  sealed interface Answer {
    record Ok(boolean taken, String message) implements Answer {}

    /** Stored, but nothing is said. */
    record Silence() implements Answer {}

    /** Stored, and the connection is gone before a word. */
    record HangUp() implements Answer {}

    /** Stored, and the connection is gone in the middle of a word. */
    record HalfAWord() implements Answer {}
  }

  static final Answer TAKEN = new Answer.Ok(true, "");

  /** Every event that was handed in, repeats too. */
  final List<NostrEvent> handed = new CopyOnWriteArrayList<>();

  /** Every question, in its own words. */
  final BlockingQueue<String> questions = new LinkedBlockingQueue<>();

  final AtomicInteger connections = new AtomicInteger();
  final Set<Connection> open = ConcurrentHashMap.newKeySet();
  final Set<String> introduced = ConcurrentHashMap.newKeySet();
  volatile boolean wantsToKnowWho;
  volatile boolean closesQuestions;
  volatile boolean deaf;
  volatile boolean readsNoMore;
  volatile int page = 100;
  volatile String document = "{}";
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final Map<String, NostrEvent> stored = new ConcurrentHashMap<>();
  private final Map<Connection, Map<String, JsonNode>> subscriptions = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final WebSocketPeer peer;
  private final Thread acceptor;

  FakeRelay() throws IOException {
    peer = new WebSocketPeer();
    acceptor = Thread.ofVirtual().start(this::accept);
  }

  URI address() {
    return URI.create(peer.url());
  }

  String url() {
    return peer.url();
  }

  FakeRelay answer(Answer... next) {
    answers.addAll(List.of(next));
    return this;
  }

  FakeRelay refuse(String message) {
    return answer(new Answer.Ok(false, message));
  }

  /** Has it from somebody else, and tells who has asked for such, or asks in this moment. */
  synchronized void has(NostrEvent event) {
    stored.put(event.id(), event);
    subscriptions.forEach(
        (connection, all) ->
            all.forEach(
                (name, filter) -> {
                  if (fits(event, filter)) {
                    say(connection, "[\"EVENT\",\"" + name + "\"," + event.json() + "]");
                  }
                }));
  }

  List<NostrEvent> stored(int kind) {
    return stored.values().stream().filter(event -> event.kind() == kind).toList();
  }

  /** Says something to everybody. */
  void say(String text) {
    open.forEach(connection -> say(connection, text));
  }

  void cutAll() throws IOException {
    for (Connection connection : open) {
      connection.close();
    }
  }

  private void accept() {
    while (true) {
      try {
        Connection connection = peer.acceptOrAnswer(() -> document);
        if (connection != null) {
          connections.incrementAndGet();
          open.add(connection);
          subscriptions.put(connection, new ConcurrentHashMap<>());
          Thread.ofVirtual().start(() -> serve(connection));
        }
      } catch (java.net.SocketTimeoutException e) {
        // Nobody came yet.
      } catch (Exception e) {
        return;
      }
    }
  }

  private void serve(Connection connection) {
    boolean[] known = {false};
    try (connection) {
      if (wantsToKnowWho) {
        connection.say("[\"AUTH\",\"who-are-you\"]");
      }
      for (String text = connection.hear(); text != null; text = connection.hear()) {
        if (deaf) {
          continue;
        }
        if (readsNoMore) {
          closed.await();
          return;
        }
        if (text.equals("ping")) {
          connection.pong();
        } else {
          take(connection, text, known);
        }
      }
    } catch (IOException | InterruptedException e) {
      // It is gone.
    } finally {
      open.remove(connection);
      subscriptions.remove(connection);
    }
  }

  private void take(Connection connection, String text, boolean[] known) throws IOException {
    JsonNode message = Json.readArray(text);
    switch (message.path(0).asString()) {
      case "EVENT" -> event(connection, NostrEvent.read(message.path(1)), known[0]);
      case "AUTH" -> {
        NostrEvent who = NostrEvent.read(message.path(1));
        known[0] =
            who.isGenuine()
                && who.kind() == NostrEvent.AUTHENTICATION
                && "who-are-you".equals(who.tag("challenge"))
                && url().equals(who.tag("relay"));
        if (known[0]) {
          introduced.add(who.publicKey());
        }
        ok(connection, who.id(), known[0], known[0] ? "" : "invalid: who?");
      }
      case "REQ" -> question(connection, text, message, known[0]);
      case "CLOSE" -> subscriptions.get(connection).remove(message.path(1).asString());
      default -> throw new AssertionError(text);
    }
  }

  private void event(Connection connection, @Nullable NostrEvent event, boolean known)
      throws IOException {
    if (event == null || !event.isGenuine()) {
      throw new AssertionError("not an event, or not signed: " + event);
    }
    handed.add(event);
    if (wantsToKnowWho && !known) {
      ok(connection, event.id(), false, "auth-required: who are you?");
      return;
    }
    Answer answer = answers.poll();
    boolean again = stored.containsKey(event.id());
    if (!(answer instanceof Answer.Ok(boolean taken, _)) || taken) {
      has(event);
    }
    switch (answer) {
      case null ->
          ok(connection, event.id(), true, again ? "duplicate: already have this event" : "");
      case Answer.Ok(boolean taken, String why) -> ok(connection, event.id(), taken, why);
      case Answer.Silence _ -> {}
      case Answer.HangUp _ -> connection.close();
      case Answer.HalfAWord _ -> {
        connection.sayOn("[\"OK\",\"" + event.id());
        connection.close();
      }
    }
  }

  private synchronized void question(
      Connection connection, String text, JsonNode message, boolean known) throws IOException {
    questions.add(text);
    String name = message.path(1).asString();
    JsonNode filter = message.path(2);
    if (closesQuestions) {
      connection.say("[\"CLOSED\",\"" + name + "\",\"error: shutting down\"]");
      return;
    }
    if (wantsToKnowWho && !known) {
      connection.say("[\"CLOSED\",\"" + name + "\",\"auth-required: who are you?\"]");
      return;
    }
    stored.values().stream()
        .filter(event -> fits(event, filter))
        .sorted((a, b) -> Long.compare(b.createdAt(), a.createdAt()))
        .limit(Math.min(page, filter.path("limit").asInt(page)))
        .forEach(event -> say(connection, "[\"EVENT\",\"" + name + "\"," + event.json() + "]"));
    connection.say("[\"EOSE\",\"" + name + "\"]");
    subscriptions.get(connection).put(name, filter);
  }

  private static boolean fits(NostrEvent event, JsonNode filter) {
    return in(filter.path("ids"), event.id())
        && in(filter.path("authors"), event.publicKey())
        && in(filter.path("kinds"), "" + event.kind())
        && (!filter.has("#p") || event.all("p").stream().anyMatch(p -> in(filter.path("#p"), p)))
        && event.createdAt() >= filter.path("since").asLong(0)
        && event.createdAt() <= filter.path("until").asLong(Long.MAX_VALUE);
  }

  private static boolean in(JsonNode wanted, String value) {
    return wanted.isMissingNode()
        || wanted.valueStream().anyMatch(each -> each.asString().equals(value));
  }

  private static void ok(Connection to, String event, boolean taken, String why)
      throws IOException {
    to.say(Json.write(List.of("OK", event, taken, why)));
  }

  private static void say(Connection to, String text) {
    try {
      synchronized (to) {
        to.say(text);
      }
    } catch (IOException e) {
      // It is gone.
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closed.countDown();
    peer.close();
    acceptor.join(); // until then it may take one more caller
    cutAll();
  }
}
