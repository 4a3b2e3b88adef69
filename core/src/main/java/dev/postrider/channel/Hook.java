package dev.postrider.channel;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a platform delivers its webhooks for one account. Without state, so that any node can
 * answer: it checks that the request is genuine and says what it means. Thread-safe.
 */
@FunctionalInterface
public interface Hook {

  /** Reads a request. Whatever is wrong with it is an answer, not an exception. */
  Answer read(Request request);

  /**
   * Whether a platform on the internet calls: it must find us there, and what it brings should not
   * be readable on the way.
   */
  default boolean overInternet() {
    return false;
  }

  /**
   * A request as it came.
   *
   * @param headers by lower-case name
   * @param query by name
   * @param body the raw bytes: signatures are over these
   */
  record Request(
      String method,
      Map<String, String> headers,
      Map<String, String> query,
      byte[] body,
      Instant receivedAt) {
    public @Nullable String header(String name) {
      return headers.get(name);
    }

    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  /** What a request means. */
  sealed interface Answer {

    /**
     * Genuine. The platform gets its reply once everything here is stored; if it cannot be stored,
     * it is asked to deliver again.
     *
     * @param memory what to know again when sending; stored in the same write as the arrivals, and
     *     not again if all of those are known already
     * @param aliases names of chats that the platform uses besides; may be told again and again
     */
    record Genuine(
        List<InboundMessage> arrivals,
        List<DeliveryReport> reports,
        Reply reply,
        List<Remembered> memory,
        List<Alias> aliases)
        implements Answer {
      public Genuine {
        arrivals = List.copyOf(arrivals);
        reports = List.copyOf(reports);
        memory = List.copyOf(memory);
        aliases = List.copyOf(aliases);
      }

      public Genuine(List<InboundMessage> arrivals, List<DeliveryReport> reports, Reply reply) {
        this(arrivals, reports, reply, List.of(), List.of());
      }

      public Genuine(
          List<InboundMessage> arrivals,
          List<DeliveryReport> reports,
          Reply reply,
          List<Remembered> memory) {
        this(arrivals, reports, reply, memory, List.of());
      }

      public Genuine remembering(List<Remembered> what) {
        return new Genuine(arrivals, reports, reply, what, aliases);
      }

      /** Says that chats have these names besides. */
      public Genuine naming(List<Alias> names) {
        return new Genuine(arrivals, reports, reply, memory, names);
      }

      public static Genuine of(List<InboundMessage> arrivals) {
        return new Genuine(arrivals, List.of(), Reply.OK);
      }

      /** A handshake, or something nobody needs to know. */
      public static Genuine only(Reply reply) {
        return new Genuine(List.of(), List.of(), reply);
      }
    }

    /** Forged, too old or unsigned; counted, and not stored. */
    record Forged(String cause) implements Answer {}

    /**
     * Whether it is genuine cannot be told now, for want of the platform's keys: it is asked to
     * deliver again.
     */
    record Unverified(String cause) implements Answer {}

    /** Signed rightly, but not what this platform says. */
    record Malformed(String cause) implements Answer {}
  }

  /** What the platform is told. */
  record Reply(int status, String contentType, byte[] body) {
    public static final Reply OK = new Reply(200, "", new byte[0]);

    public static Reply text(String body) {
      return new Reply(200, "text/plain", body.getBytes(StandardCharsets.UTF_8));
    }

    public static Reply json(String body) {
      return new Reply(200, "application/json", body.getBytes(StandardCharsets.UTF_8));
    }
  }
}
