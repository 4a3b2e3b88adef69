package dev.postrider.channels.signal;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * signal-cli on a socket, or as a program of ours: one connection carries questions, answers and
 * what comes in. Whoever makes a connection holds the lock until it is closed, so that there are
 * never two: a second signal-cli could not use the account, and would wait for it.
 */
final class LineDaemon implements Daemon {
  private static final Logger log = LoggerFactory.getLogger(LineDaemon.class);
  private static final String HELLO = "hello";
  private static final String PING = question("ping", "version", Map.of());
  private static final int NO_SUCH_METHOD = -32601;

  private final Lines.Opener opener;
  private final Scheduler time;
  private final String number;
  private final Duration patience;
  private final Duration idle;
  private final ReentrantLock one = new ReentrantLock();
  private final Object guard = new Object();
  private @Nullable Lines open;
  private boolean closed;
  private volatile @Nullable JsonRpc rpc;

  /** The times by which signal-cli is judged. */
  record Patience(Duration answer, Duration idle) {}

  LineDaemon(Lines.Opener opener, Scheduler time, String number, Patience patience) {
    this.opener = opener;
    this.time = time;
    this.number = number;
    this.patience = patience.answer;
    this.idle = patience.idle;
  }

  @Override
  public Reply ask(String method, Map<String, ?> params) {
    JsonRpc connection = rpc;
    if (connection == null) {
      return new Reply.Failed(new Outcome.Unreachable("signal-cli is not connected"));
    }
    return switch (connection.call(method, params, patience)) {
      case JsonRpc.Answer.Result(JsonNode value) -> new Reply.Said(value);
      case JsonRpc.Answer.Refused(int code, String message, JsonNode data) ->
          new Reply.Refused(code, message, data);
      case JsonRpc.Answer.NotAsked(_) ->
          new Reply.Failed(new Outcome.Unreachable("signal-cli is not connected"));
      case JsonRpc.Answer.Unknown(String cause) -> new Reply.Failed(new Outcome.Unknown(cause));
    };
  }

  @Override
  public Reply askOnce(String method, Map<String, ?> params) {
    if (rpc != null || !one.tryLock()) {
      return ask(method, params);
    }
    try (Lines lines = connect()) {
      Scheduler.Timer limit = time.after(patience, () -> end(lines));
      try {
        lines.say(question(HELLO, method, params));
        JsonNode answer = null;
        while (answer == null) {
          answer = answer(lines.next(), HELLO);
        }
        return read(answer);
      } finally {
        limit.cancel();
      }
    } catch (IOException e) {
      return new Reply.Failed(
          new Outcome.Unreachable("signal-cli does not answer: " + e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Failed(new Outcome.Unreachable("signal-cli did not answer in time"));
    } finally {
      one.unlock();
    }
  }

  @Override
  public void listen(Ear ear) throws IOException, InterruptedException {
    one.lockInterruptibly();
    try (Lines lines = connect()) {
      new Connection(lines, ear).follow();
    } finally {
      one.unlock();
    }
  }

  private Lines connect() throws IOException {
    Lines lines = opener.open();
    synchronized (guard) {
      if (closed) {
        lines.close();
        throw new IOException("the account is closed");
      }
      open = lines;
    }
    return lines;
  }

  /** One connection, from its first line to its last. */
  private final class Connection {
    private final Lines lines;
    private final Ear ear;
    private final JsonRpc calls;
    private boolean greeted;
    private volatile boolean heard;
    private boolean pinged;
    private volatile boolean over;
    private Scheduler.@Nullable Timer next;

    Connection(Lines lines, Ear ear) {
      this.lines = lines;
      this.ear = ear;
      this.calls = new JsonRpc(lines::say, time);
    }

    void follow() throws IOException, InterruptedException {
      String cause = "the connection to signal-cli has ended";
      try {
        watch();
        // What came before somebody asked for it stays at Signal, if signal-cli is told to wait.
        lines.say(question(HELLO, "subscribeReceive", Map.of("account", number)));
        while (true) {
          take(lines.next());
        }
      } catch (IOException e) {
        cause = pinged && over ? "signal-cli has fallen silent" : String.valueOf(e.getMessage());
        throw e instanceof ListeningRefused ? e : new IOException(cause);
      } finally {
        over = true;
        rpc = null;
        calls.lost(cause);
        Scheduler.Timer timer = next;
        if (timer != null) {
          timer.cancel();
        }
      }
    }

    private void take(String line) throws IOException {
      heard = true;
      if (!greeted && answer(line, HELLO) instanceof JsonNode answer) {
        greet(read(answer));
        return;
      }
      JsonRpc.Notification told = calls.heard(line);
      if (told != null && told.method().equals("receive")) {
        JsonNode wrapped = told.params().path("result");
        ear.heard(wrapped.isObject() ? wrapped : told.params());
      }
    }

    private void greet(Reply reply) throws IOException {
      if (reply instanceof Reply.Refused(int code, String message, _) && code != NO_SUCH_METHOD) {
        throw new ListeningRefused(
            "signal-cli does not let %s listen: %s".formatted(number, message));
      }
      greeted = true;
      rpc = calls;
      ear.connected();
    }

    /** Nobody may be there, though nothing says so: asks, and ends what stays silent. */
    private void watch() {
      next =
          time.after(
              idle,
              () -> {
                if (over) {
                  return;
                }
                boolean silent = !heard;
                if (silent && pinged) {
                  over = true;
                  end(lines);
                  return;
                }
                heard = false;
                pinged = silent;
                watch(); // before the ping, which waits if nobody reads it
                if (silent) {
                  ping();
                }
              });
    }

    private void ping() {
      try {
        lines.say(PING);
      } catch (IOException e) {
        log.debug("signal-cli takes no ping: {}", e.getMessage());
      }
    }
  }

  private static @Nullable JsonNode answer(String line, String id) {
    JsonNode message = Json.readObject(line);
    return message != null && message.path("id").asString("").equals(id) && !message.has("method")
        ? message
        : null;
  }

  static Reply read(JsonNode answer) {
    JsonNode error = answer.path("error");
    return error.isObject()
        ? new Reply.Refused(
            error.path("code").asInt(0), error.path("message").asString(""), error.path("data"))
        : new Reply.Said(answer.path("result"));
  }

  private static String question(String id, String method, Map<String, ?> params) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", "2.0");
    message.put("id", id);
    message.put("method", method);
    message.put("params", params);
    return Json.write(message);
  }

  private static void end(Lines lines) {
    try {
      lines.close();
    } catch (IOException e) {
      log.debug("the connection to signal-cli does not end well: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    Lines last;
    synchronized (guard) {
      closed = true;
      last = open;
    }
    if (last != null) {
      end(last);
    }
  }
}
