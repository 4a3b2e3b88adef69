package dev.postrider.trace;

import dev.postrider.event.Event;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.MessageId;
import dev.postrider.message.Traceparent;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Says which span stands for a message or an inbound message, and in which trace. Both follow from
 * its id and from what is stored with it: every process gives the same answer, on any day, and
 * nothing more must be remembered.
 *
 * <p>A message is in its caller's trace; else in that of the inbound message it answers; else in
 * one of its own.
 *
 * @param sampleRatio of how many of the traces that begin here spans are told, from 0 to 1; whoever
 *     began a trace elsewhere has decided that
 */
record Traces(double sampleRatio) {
  private static final HexFormat HEX = HexFormat.of();
  private static final int SAMPLED = 1;
  private static final long RANDOM_BITS = (1L << 56) - 1; // those that samplers look at

  /** The span under which a message's own stands; null if that begins its trace. */
  @Nullable Traceparent above(Event.Ties ties) {
    if (ties.traceparent() != null) {
      return ties.traceparent();
    }
    InboundId turn = turn(ties);
    return turn == null ? null : of(turn);
  }

  private static @Nullable InboundId turn(Event.Ties ties) {
    try {
      return ties.turnId() == null ? null : InboundId.parse(ties.turnId());
    } catch (IllegalArgumentException e) { // a caller's own word
      return null;
    }
  }

  /** The span of a message, from its acceptance to its end. */
  Traceparent of(MessageId id, Event.Ties ties) {
    Traceparent above = above(ties);
    return above == null ? root(id.value()) : below(above, id.value(), 0);
  }

  /** The span of an inbound message, from its arrival to its end. */
  Traceparent of(InboundId id) {
    return root(id.value());
  }

  /** A span in the same trace, for something that happened to this. */
  static Traceparent below(Traceparent above, UUID id, long what) {
    return new Traceparent(above.traceId(), spanId(id, what), above.flags());
  }

  private Traceparent root(UUID id) {
    long low = mixed(id.getLeastSignificantBits());
    boolean sampled = (low & RANDOM_BITS) < sampleRatio * (RANDOM_BITS + 1);
    String trace = HEX.toHexDigits(mixed(id.getMostSignificantBits())) + HEX.toHexDigits(low);
    return new Traceparent(trace, spanId(id, 0), sampled ? SAMPLED : 0);
  }

  private static String spanId(UUID id, long what) {
    long mixed = mixed(mixed(id.getLeastSignificantBits() + what) ^ id.getMostSignificantBits());
    return HEX.toHexDigits(mixed == 0 ? 1 : mixed);
  }

  /** Every bit of the result hangs on every bit given: the finalizer of SplitMix64. */
  private static long mixed(long value) {
    long once = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    long twice = (once ^ (once >>> 27)) * 0x94D049BB133111EBL;
    return twice ^ (twice >>> 31);
  }
}
