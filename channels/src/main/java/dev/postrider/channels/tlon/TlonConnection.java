package dev.postrider.channels.tlon;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.socket.PendingAnswers;
import dev.postrider.channels.socket.PendingAnswers.End;
import dev.postrider.channels.socket.PendingAnswers.Question;
import dev.postrider.channels.tlon.Eyre.Session;
import dev.postrider.message.Fix;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One channel of a ship's: what is asked goes in by requests, which say only that they were taken;
 * the answers come out on the stream, by number. One thread reads; the rest is thread-safe.
 */
final class TlonConnection {
  /** Numbers of what has no answer; far from those of what has. */
  private static final long UNANSWERED = 1_000_000_000;

  /** The ship ends a channel that leaves more than fifty events unacknowledged. */
  private static final long ACK_EVERY = 20;

  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  /** How often in a row a login may be forgotten before it is not the login. */
  private static final int LOGINS = 2;

  private static final int EXCERPT = 300;

  private final Eyre eyre;
  private final Session session;
  private final String name;
  private final Scheduler time;
  private final Duration patience;
  private final AtomicInteger forgotten;
  private final PendingAnswers<JsonNode> pending;
  private final OpenStream stream = new OpenStream();
  private long acknowledged;
  private volatile @Nullable String over;

  /** What is read, so that whoever ends the connection wakes the reader. */
  private static final class OpenStream {
    private @Nullable InputStream body;
    private boolean closed;

    synchronized void hold(InputStream opened) throws IOException {
      body = opened;
      if (closed) {
        opened.close();
      }
    }

    synchronized void close() {
      closed = true;
      try {
        if (body != null) {
          body.close();
        }
      } catch (IOException e) {
        // It is closed all the same.
      }
    }
  }

  /**
   * @param forgotten counts, over all connections, the logins in a row that were forgotten before
   *     anything was taken
   */
  TlonConnection(
      Eyre eyre,
      Session session,
      String name,
      Scheduler time,
      Duration patience,
      AtomicInteger forgotten) {
    this.forgotten = forgotten;
    this.eyre = eyre;
    this.session = session;
    this.name = name;
    this.time = time;
    this.patience = patience;
    pending = new PendingAnswers<>(time);
  }

  Session session() {
    return session;
  }

  /** What the ship tells; the channel must have been given something before. */
  InputStream open() throws IOException, InterruptedException {
    InputStream body = eyre.follow(session, name);
    stream.hold(body);
    return body;
  }

  /** Asks to be told of an app's news, and gives the number by which they come. */
  String subscribe(String app, String path) throws IOException {
    String id = pending.ask(patience).id();
    Map<String, Object> action =
        Map.of(
            "id",
            Long.valueOf(id),
            "action",
            "subscribe",
            "ship",
            session.ship().substring(1),
            "app",
            app,
            "path",
            path);
    switch (eyre.put(session, name, action)) {
      case Response response when response.status() / 100 == 2 -> {
        return id;
      }
      case Response response ->
          throw new IOException("the ship does not tell us of " + app + ": " + response.status());
      case HttpResult.Failed failed -> throw new IOException(failed.cause());
    }
  }

  /** Asks an app to do something, and waits until the ship says whether it was done. */
  Outcome poke(TlonRequest request, Outcome done, boolean answering) {
    Question<JsonNode> question = pending.ask(patience);
    if (question.end().isDone()) {
      return new Outcome.Unreachable("the connection to the ship is lost");
    }
    Map<String, Object> action =
        Map.of(
            "id",
            Long.valueOf(question.id()),
            "action",
            "poke",
            "ship",
            session.ship().substring(1),
            "app",
            request.app(),
            "mark",
            request.mark(),
            "json",
            request.json());
    Outcome failed = refused(eyre.put(session, name, action));
    if (failed != null) {
      question.end().complete(new End.Lost<>("not asked"));
      return failed;
    }
    return switch (time.await(question.end())) {
      case End.Answered<JsonNode>(JsonNode answer) ->
          answer.has("ok") ? done : refusal(answer.path("err").asString(""), answering);
      case End.TimedOut<JsonNode>(Duration waited) ->
          new Outcome.Unknown("the ship took it and said nothing for " + waited.toSeconds() + " s");
      case End.Lost<JsonNode>(String cause) -> new Outcome.Unknown(cause);
    };
  }

  /** Null if the request was taken, or may have been: then the stream tells. */
  private @Nullable Outcome refused(HttpResult result) {
    return switch (result) {
      case HttpResult.Unknown _ -> null;
      case HttpResult.Failed failed -> failed.outcome();
      case Response response when response.status() == 204 || response.status() == 200 -> {
        forgotten.set(0);
        yield null;
      }
      case Response response when isForgotten(response) -> forgotten(response);
      case Response response when response.status() / 100 == 4 && response.status() != 429 ->
          response.status() == 408
              ? null
              : new Outcome.Rejected(Blame.MESSAGE, response.status() + " " + response.excerpt());
      case Response response -> eyre.foreign(response);
    };
  }

  /** The next connection logs in again; if that is of no use, a person has to look. */
  private Outcome forgotten(Response response) {
    boolean first = end("the ship has forgotten the login"); // others may be told the same
    int times = first ? forgotten.incrementAndGet() : forgotten.get();
    return times <= LOGINS
        ? new Outcome.Throttled(
            ThrottleScope.ACCOUNT, A_MOMENT, "the ship has forgotten the login; logging in again")
        : new Outcome.AccountBroken(
            ("%d: the ship takes the login, and then refuses what is asked with it, %d times in"
                    + " a row; check baseUrl, and what stands in front of the ship")
                .formatted(response.status(), times));
  }

  private static boolean isForgotten(Response response) {
    return response.status() == 401 || response.status() == 403 || response.status() == 404;
  }

  /** The app has crashed over it: it was not done. */
  private static Outcome refusal(String stack, boolean answering) {
    String line = stack.replaceAll("\\s+", " ").strip();
    String cause =
        "the ship refuses it: "
            + (line.length() > EXCERPT ? line.substring(0, EXCERPT) + "…" : line);
    return answering
        ? new Outcome.Repairable(new Fix.DropReply(), cause)
        : new Outcome.Rejected(Blame.MESSAGE, cause);
  }

  /** The ship has answered something; tells whether somebody waited for it. */
  boolean answered(String id, JsonNode answer) {
    return pending.answered(id, answer);
  }

  /**
   * What is heard up to here is stored, or needs no storing.
   *
   * @param now whether the ship should know at once
   */
  void heard(long event, boolean now) throws IOException {
    if (!now && event - acknowledged < ACK_EVERY) {
      return;
    }
    acknowledged = event;
    HttpResult result =
        eyre.put(
            session, name, Map.of("id", UNANSWERED + event, "action", "ack", "event-id", event));
    if (result instanceof Response response && isForgotten(response)) {
      throw new IOException("the ship has forgotten the login");
    }
  }

  /** Lets the ship forget the channel, and what it would still tell. */
  static void delete(Eyre eyre, Session session, String name) {
    eyre.put(session, name, Map.of("id", UNANSWERED, "action", "delete"));
  }

  /**
   * Ends the connection; whoever reads is woken, and {@link #over} says why.
   *
   * @return whether it was not ended before
   */
  synchronized boolean end(String cause) {
    boolean first = over == null;
    if (first) {
      over = cause;
    }
    stream.close();
    return first;
  }

  /** Why the connection was ended from this side; null if it was not. */
  @Nullable String over() {
    return over;
  }

  /** Nobody reads any more: what was asked may have been done, and nobody will tell. */
  void lost(String cause) {
    pending.lost(cause);
    stream.close();
  }
}
