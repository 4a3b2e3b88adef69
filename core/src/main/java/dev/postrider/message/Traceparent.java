package dev.postrider.message;

import java.util.HexFormat;
import java.util.Optional;

/**
 * A place in a trace: the trace, one of its spans, and whether the trace is recorded. Written as
 * the {@code traceparent} of W3C Trace Context.
 *
 * @param traceId 32 digits, not all of them 0
 * @param spanId 16 digits, not all of them 0
 * @param flags of those that the standard knows: 1, the trace is recorded; 2, its id is random
 */
public record Traceparent(String traceId, String spanId, int flags) {
  private static final HexFormat HEX = HexFormat.of();
  private static final int SAMPLED = 1;
  private static final int KNOWN_FLAGS = 3;
  private static final int LENGTH =
      "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01".length();

  /** Reads one as it stands in a header; nothing if it is not one, as the standard has it. */
  public static Optional<Traceparent> parse(String text) {
    boolean fits =
        text.length() == LENGTH
            || (text.length() > LENGTH && text.charAt(LENGTH) == '-' && !text.startsWith("00"));
    if (!fits || text.charAt(2) != '-' || text.charAt(35) != '-' || text.charAt(52) != '-') {
      return Optional.empty();
    }
    String version = text.substring(0, 2);
    String trace = text.substring(3, 35);
    String span = text.substring(36, 52);
    String flags = text.substring(53, LENGTH);
    boolean good =
        isHex(version)
            && !version.equals("ff")
            && isHex(trace)
            && !isZero(trace)
            && isHex(span)
            && !isZero(span)
            && isHex(flags);
    return good
        ? Optional.of(new Traceparent(trace, span, HexFormat.fromHexDigits(flags) & KNOWN_FLAGS))
        : Optional.empty();
  }

  /** Lower case, as the standard wants it. */
  private static boolean isHex(String text) {
    return text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  private static boolean isZero(String text) {
    return text.chars().allMatch(c -> c == '0');
  }

  /** Whether the trace is recorded. */
  public boolean sampled() {
    return (flags & SAMPLED) != 0;
  }

  @Override
  public String toString() {
    return "00-" + traceId + "-" + spanId + "-" + HEX.toHexDigits((byte) flags);
  }
}
