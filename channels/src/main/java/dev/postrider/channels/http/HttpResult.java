package dev.postrider.channels.http;

import dev.postrider.channel.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What one HTTP request came to. */
public sealed interface HttpResult {

  /**
   * The platform, or something in front of it, answered.
   *
   * @param headers by lower-case name
   * @param body as much of it as arrived in time and within the limit
   * @param whole whether that is all of it
   */
  record Response(int status, Map<String, String> headers, String body, boolean whole)
      implements HttpResult {
    private static final int EXCERPT = 200;
    private static final Pattern TAGS = Pattern.compile("<[^<>]{0,500}>|\\s+");

    /** An answer that came as a whole. */
    public Response(int status, Map<String, String> headers, String body) {
      this(status, headers, body, true);
    }

    /** What {@code Retry-After} asks for, or null. */
    public @Nullable Duration retryAfter(Instant now) {
      String value = headers.get("retry-after");
      return value == null ? null : RetryAfter.parse(value, now);
    }

    /** The beginning of the body as one line without tags, for people. */
    public String excerpt() {
      String start = body.substring(0, Math.min(body.length(), 20 * EXCERPT));
      String line = TAGS.matcher(start).replaceAll(" ").replaceAll(" {2,}", " ").strip();
      return line.length() <= EXCERPT ? line : line.substring(0, EXCERPT) + "…";
    }
  }

  /** No answer came. */
  sealed interface Failed extends HttpResult {
    String cause();

    /** What that means for what was to be sent. */
    default Outcome outcome() {
      return switch (this) {
        case Unreachable _ -> new Outcome.Unreachable(cause());
        case NotSent _ -> new Outcome.NotSent(cause());
        case Unknown _ -> new Outcome.Unknown(cause());
      };
    }
  }

  /** No connection was made: nobody there, or nobody to be trusted. */
  record Unreachable(String cause) implements Failed {}

  /** No byte of the request's body left this process. */
  record NotSent(String cause) implements Failed {}

  /** The request may have arrived; no answer came. */
  record Unknown(String cause) implements Failed {}
}
