package dev.postrider.channels.tlon;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.EventStream;
import dev.postrider.channels.socket.EventStream.Event;
import dev.postrider.channels.tlon.Eyre.Login;
import dev.postrider.channels.tlon.Eyre.Session;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One ship. The connection that listens also carries what is sent: without it nothing can be sent,
 * since the ship tells there what became of it. Thread-safe.
 */
final class TlonLink implements Link {
  private static final int LONGEST_EVENT = 4 << 20;

  /** The apps of Tlon, and where they tell their news. */
  private static final Map<String, String> NEWS = Map.of("chat", "/v3", "channels", "/v3");

  private final AccountContext context;
  private final Scheduler time;
  private final Eyre eyre;
  private final Duration patience;
  private volatile @Nullable TlonConnection connecting; // until it ends
  private volatile @Nullable TlonConnection standing; // once it can be sent over
  private volatile boolean closed;
  private final AtomicInteger forgotten = new AtomicInteger(); // logins in a row
  private @Nullable String former; // the channel before, which the ship may forget
  private long count;

  TlonLink(AccountContext context) {
    this.context = context;
    time = context.scheduler();
    Settings settings = Settings.of(context.config());
    eyre = new Eyre(settings, time);
    patience = settings.duration("timeout", Duration.ofSeconds(30));
    context.notReady("connecting to " + eyre.host());
  }

  @Override
  public Outcome send(Dispatch part) {
    TlonConnection connection = standing;
    if (connection == null) {
      return new Outcome.Unreachable("not connected to " + eyre.host());
    }
    if (part.mayHaveArrivedAt() != null
        && search(part) instanceof Reconciliation.Found(Receipt receipt)) {
      return new Outcome.Delivered(receipt);
    }
    TlonRequest request = TlonRequest.of(part, connection.session().ship());
    boolean answering = part.threadId() == null && part.replyToId() != null;
    return connection.poke(request, Outcome.delivered(request.id()), answering);
  }

  /** Ships know what we have named; the host of a channel names by itself. */
  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return TlonRequest.isChannel(part.to()) ? Duration.ZERO : usual;
  }

  /** It may still be under way to the channel's host: that it is not there proves nothing. */
  @Override
  public Reconciliation reconcile(Dispatch part) {
    return search(part);
  }

  private Reconciliation search(Dispatch part) {
    TlonConnection connection = standing;
    return connection == null || !TlonRequest.isChannel(part.to())
        ? new Reconciliation.Inconclusive()
        : new TlonHistory(eyre, connection.session()).find(part);
  }

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public void listen(InboundSink inlet) throws IOException, InterruptedException {
    String cause = "the connection has ended";
    try {
      follow(inlet, session());
    } catch (IOException e) {
      cause = String.valueOf(e.getMessage());
      throw e;
    } finally {
      context.notReady("not connected to " + eyre.host() + ": " + cause);
    }
  }

  private Session session() throws IOException {
    return switch (eyre.login()) {
      case Login.In(Session session) -> session;
      case Login.Out(Outcome.AccountBroken(String cause)) -> throw new ListeningRefused(cause);
      case Login.Out(Outcome.Unreachable(String cause, _)) -> throw new IOException(cause);
      case Login.Out(Outcome outcome) ->
          throw new IOException("the ship does not let us in: " + outcome);
    };
  }

  private void follow(InboundSink inlet, Session session) throws IOException, InterruptedException {
    if (former != null) {
      TlonConnection.delete(eyre, session, former);
    }
    String name = "postrider-" + time.instant().toEpochMilli() + "-" + ++count;
    former = name;
    TlonConnection connection = new TlonConnection(eyre, session, name, time, patience, forgotten);
    connecting = connection;
    Scheduler.Timer limit =
        time.after(patience, () -> connection.end("the ship does not tell us its news"));
    String cause = "the connection to the ship is lost";
    try {
      if (closed) {
        throw new IOException("the account is closed");
      }
      Reader reader = new Reader(connection, inlet, limit);
      reader.subscribe();
      try (InputStream body = connection.open();
          EventStream events = new EventStream(body, LONGEST_EVENT)) {
        reader.read(events);
      }
    } catch (IOException e) {
      String over = connection.over();
      cause = over == null ? String.valueOf(e.getMessage()) : over;
      throw e instanceof ListeningRefused ? e : new IOException(cause);
    } finally {
      limit.cancel();
      standing = null;
      connecting = null;
      connection.lost(cause);
    }
  }

  /** Reads one connection from its first event to its last. */
  private final class Reader {
    private final TlonConnection connection;
    private final InboundSink inlet;
    private final Scheduler.Timer limit;
    private final TlonEvents events;
    private final TlonHistory history;

    /** The apps that were asked for their news, by number. */
    private final Map<String, String> asked = new HashMap<>();

    private int agreed;

    Reader(TlonConnection connection, InboundSink inlet, Scheduler.Timer limit) {
      this.connection = connection;
      this.inlet = inlet;
      this.limit = limit;
      events = new TlonEvents(connection.session().ship());
      history = new TlonHistory(eyre, connection.session());
    }

    void subscribe() throws IOException {
      for (Map.Entry<String, String> app : NEWS.entrySet()) {
        asked.put(connection.subscribe(app.getKey(), app.getValue()), app.getKey());
      }
    }

    void read(EventStream stream) throws IOException, InterruptedException {
      while (true) {
        Event event = stream.next();
        if (event == null) {
          throw new IOException("the ship has ended the connection");
        }
        JsonNode message = Json.readObject(event.data());
        if (message == null) {
          throw new IOException("the ship speaks no JSON");
        }
        boolean stored = take(message);
        String id = event.id();
        if (id != null && id.matches("\\d{1,15}")) {
          connection.heard(Long.parseLong(id), stored);
        }
      }
    }

    /** Returns whether something was stored. */
    private boolean take(JsonNode message) throws IOException, InterruptedException {
      String id = message.path("id").asString("");
      String app = asked.get(id);
      switch (message.path("response").asString("")) {
        case "poke" -> connection.answered(id, message);
        case "subscribe" -> subscribed(id, app, message);
        case "quit" -> {
          if (app != null) { // the app was restarted, or we were too slow for it
            asked.remove(id);
            agreed--;
            asked.put(connection.subscribe(app, NEWS.getOrDefault(app, "")), app);
          }
        }
        case "diff" -> {
          List<InboundMessage> heard = events.live(message.path("json"));
          if (!heard.isEmpty()) {
            inlet.take(heard, List.of(), TlonHistory.cursor(time.instant()));
          }
          return !heard.isEmpty();
        }
        default -> {} // something new
      }
      return false;
    }

    private void subscribed(String id, @Nullable String app, JsonNode message)
        throws IOException, InterruptedException {
      connection.answered(id, message);
      if (app == null) {
        return;
      }
      if (message.has("err")) {
        throw new ListeningRefused(
            "the ship's app "
                + app
                + " does not tell us its news; is Tlon installed there, and up to date?");
      }
      agreed++;
      if (agreed == NEWS.size()) {
        limit.cancel();
        history.catchUp(inlet, events, time.instant());
        standing = connection;
        context.ready();
        inlet.connected();
      }
    }
  }

  @Override
  public Probe probe() {
    TlonConnection connection = standing;
    if (connection != null) {
      return new Probe.Healthy(connection.session().ship());
    }
    return switch (eyre.login()) {
      case Login.Out(Outcome outcome) -> Probe.of(outcome, "");
      case Login.In(Session session) -> {
        eyre.logout(session);
        yield new Probe.Healthy(session.ship());
      }
    };
  }

  @Override
  public void close() {
    closed = true;
    TlonConnection connection = connecting;
    if (connection != null) {
      connection.end("the account is closed");
    }
    eyre.close();
  }
}
