package dev.postrider.server.api;

import dev.postrider.config.NearestName;
import dev.postrider.event.Event;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Events as they happen (Server-Sent Events). A follower that does not read is dropped: when it
 * falls behind by a whole ring, or when one write to it takes longer than http.writeTimeout. It may
 * come back with the id it saw last.
 */
public final class EventsApi implements AutoCloseable {
  private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");
  private static final int MOST_FOLLOWERS = 256;
  private static final int MOST_AT_ONCE = 256;
  private static final int MOST_CHARACTERS = 64 << 10;
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private final EventRing ring;
  private final AtomicInteger followers = new AtomicInteger();

  public EventsApi(EventRing ring) {
    this.ring = ring;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/events", this::follow, "types", "lastEventId"));
  }

  private ApiResponse follow(ApiRequest call) {
    if (call.method().equals("HEAD")) { // its length is not known before its end
      throw HttpProblem.wrongMethod("HEAD", "/v1/events", "GET");
    }
    List<String> types = call.queries("types");
    for (String type : types) {
      if (!EventJson.TYPES.contains(type)) {
        throw HttpProblem.invalid(
            "types", "'" + type + "' is not known" + NearestName.hint(type, EventJson.TYPES));
      }
    }
    if (followers.get() >= MOST_FOLLOWERS) {
      throw HttpProblem.notReady("Too many follow the events already; the limit is 256.");
    }
    Optional<String> last = call.header(LAST_EVENT_ID);
    EventRing.Position from = ring.position(last.orElse(call.query("lastEventId")));
    return new ApiResponse.Streamed(
        "text/event-stream",
        Map.of("Cache-Control", "no-store"),
        out -> {
          followers.incrementAndGet();
          try {
            new Follower(out, Set.copyOf(types)).follow(from);
          } catch (InterruptedException e) {
            // dropped: ending the answer is all that is left to do
          } finally {
            followers.decrementAndGet();
          }
        });
  }

  @Override
  public void close() {
    ring.close();
  }

  private final class Follower {
    private final OutputStream out;
    private final Set<String> types;

    Follower(OutputStream out, Set<String> types) {
      this.out = out;
      this.types = types;
    }

    void follow(EventRing.Position from) throws IOException, InterruptedException {
      long at = from.after();
      StringBuilder text = new StringBuilder("retry: 2000\n");
      append(text, at, from.gap() == null ? null : "gap", gap(from.gap()));
      write(text);
      while (true) {
        EventRing.Next next = ring.after(at, MOST_AT_ONCE, HEARTBEAT);
        if (next.over()) {
          return;
        }
        text = new StringBuilder();
        long number = next.last() - next.events().size();
        for (Event event : next.events()) {
          number++;
          if (types.isEmpty() || types.contains(event.type())) {
            append(text, number, event.type(), utf8(EventJson.write(event)));
            at = number;
            if (text.length() > MOST_CHARACTERS) {
              write(text);
              text.setLength(0);
            }
          }
        }
        if (at < next.last() || next.events().isEmpty()) {
          at = next.last();
          append(text, at, null, "");
        }
        write(text);
      }
    }

    /** An event; or, without a type, only the id to come back with, which nobody is told of. */
    private void append(StringBuilder text, long number, @Nullable String type, String data) {
      text.append("id: ").append(ring.id(number)).append('\n');
      if (type == null) {
        text.append(":\n\n");
      } else {
        text.append("event: ").append(type).append("\ndata: ").append(data).append("\n\n");
      }
    }

    private void write(CharSequence text) throws IOException {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  private static String gap(@Nullable String reason) {
    return utf8(
        Json.object(
            json -> {
              json.writeStringProperty("type", "gap");
              Json.text(json, "reason", reason);
            }));
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
