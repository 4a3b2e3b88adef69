package dev.postrider.channels.sidecar;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * One run of a sidecar, from its first line to its last: says hello, hands on what it tells, and
 * ends one that has fallen silent. One thread follows it, any number ask.
 */
final class SidecarConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SidecarConnection.class);
  static final int PROTOCOL = 1;
  private static final String HELLO = "hello";
  private static final String PING = "ping";

  /** Who hears what the sidecar tells. */
  interface Ear {
    /** It speaks our protocol. */
    void greeted();

    void told(JsonRpc.Notification notification) throws IOException;
  }

  private final Wire wire;
  private final Scheduler time;
  private final Duration idle;
  private final JsonRpc rpc;
  private volatile boolean greeted;
  private volatile boolean over;
  private final AtomicLong heard = new AtomicLong();
  private long heardBefore; // of the timer
  private int silences; // of the timer: how often in a row nothing was heard
  private volatile boolean fellSilent;
  private volatile Scheduler.@Nullable Timer next;

  SidecarConnection(Wire wire, Scheduler time, Duration idle) {
    this.wire = wire;
    this.time = time;
    this.idle = idle;
    rpc = new JsonRpc(wire::say, time);
  }

  JsonRpc.Answer call(String method, Map<String, ?> params, Duration patience) {
    return rpc.call(method, params, patience);
  }

  /** Never returns: it ends with the sidecar. */
  void follow(Map<String, ?> hello, Ear ear) throws IOException, InterruptedException {
    String cause = "the sidecar was stopped";
    try {
      watch();
      wire.say(question(HELLO, hello));
      while (true) {
        take(wire.next(), ear);
      }
    } catch (ListeningRefused e) {
      cause = String.valueOf(e.getMessage());
      throw e;
    } catch (IOException e) {
      cause = fellSilent ? "the sidecar has fallen silent" : String.valueOf(e.getMessage());
      throw new IOException(cause, e);
    } finally {
      over = true;
      rpc.lost(cause);
      Scheduler.Timer timer = next;
      if (timer != null) {
        timer.cancel();
      }
    }
  }

  private void take(String line, Ear ear) throws IOException {
    heard.incrementAndGet();
    if (!greeted) {
      JsonNode message = Json.readObject(line);
      if (message != null && message.path("id").asString("").equals(HELLO)) {
        check(message);
        greeted = true;
        ear.greeted();
        return;
      }
    }
    JsonRpc.Notification notification = rpc.heard(line);
    if (notification != null && greeted) {
      ear.told(notification);
    }
  }

  private static void check(JsonNode answer) throws ListeningRefused {
    JsonNode error = answer.path("error");
    if (error.isObject()) {
      throw new ListeningRefused(
          "the sidecar refuses to work: " + error.path("message").asString("it does not say why"));
    }
    int protocol = answer.path("result").path("protocol").asInt(0);
    if (protocol != PROTOCOL) {
      throw new ListeningRefused(
          "the sidecar speaks version %d of the protocol, and Postrider version %d; take the"
                  .formatted(protocol, PROTOCOL)
              + " sidecar that belongs to this version");
    }
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
              long lines = heard.get();
              boolean silent = lines == heardBefore || !greeted;
              heardBefore = lines;
              silences = silent ? silences + 1 : 0;
              if (silences > 1) {
                fellSilent = true;
                wire.close();
                return;
              }
              watch(); // before the ping, which waits if nobody reads it
              if (silent) {
                ping();
              }
            });
  }

  private void ping() {
    try {
      wire.say(question(PING, Map.of()));
    } catch (IOException e) {
      log.debug("a sidecar takes no ping: {}", e.getMessage());
    }
  }

  /** Asked under its own name as id, which no other question has. */
  private static String question(String method, Map<String, ?> params) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", "2.0");
    message.put("id", method);
    message.put("method", method);
    message.put("params", params);
    return Json.write(message);
  }

  @Override
  public void close() {
    wire.close();
  }
}
