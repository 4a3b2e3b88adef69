package dev.postrider.trace;

import dev.postrider.message.Traceparent;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step that is over, as a tracing system wants it. Holds neither content nor chats nor people.
 *
 * @param self its own place in its trace
 * @param parent the id of the span it belongs under; null: it begins its trace
 * @param error why it failed, as a word of ours; null: it did not
 * @param attributes texts, whole numbers and booleans, by names that begin with {@code postrider.}
 * @param link another span that it has to do with
 */
public record Span(
    String name,
    Kind kind,
    Traceparent self,
    @Nullable String parent,
    Instant start,
    Instant end,
    @Nullable String error,
    Map<String, Object> attributes,
    @Nullable Traceparent link) {
  public Span {
    attributes = Map.copyOf(attributes);
    end = end.isBefore(start) ? start : end; // clocks are set back now and then
  }

  /** What part it plays between programs, in the words of OpenTelemetry. */
  public enum Kind {
    INTERNAL,
    /** Asks another program. */
    CLIENT,
    /** Hands something in that is worked on later. */
    PRODUCER,
    /** Works on what was handed in. */
    CONSUMER
  }
}
