package dev.postrider.message;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How far one part has got.
 *
 * @param inDoubtSince when the first try went out that may have arrived without our knowing; null
 *     if there was none, or the part is delivered
 */
public record PartState(
    State state, @Nullable Receipt receipt, List<Fix> fixes, @Nullable Instant inDoubtSince) {

  /**
   * Pending until the platform took it; failed where a best-effort message went on without it, or
   * where the platform took it and said later that it did not arrive.
   */
  public enum State {
    PENDING,
    DELIVERED,
    FAILED
  }

  public static final PartState PENDING = new PartState(State.PENDING, null, List.of(), null);

  public PartState {
    fixes = List.copyOf(fixes);
  }

  public PartState delivered(Receipt by) {
    return new PartState(State.DELIVERED, by, fixes, null);
  }

  public PartState failed() {
    return new PartState(State.FAILED, null, fixes, inDoubtSince);
  }

  /** The platform took it, and said later that it did not arrive; its receipt stays. */
  public PartState refusedLater() {
    return new PartState(State.FAILED, receipt, fixes, null);
  }

  public boolean isRefusedLater() {
    return state == State.FAILED && receipt != null;
  }

  /** A try that went out then has no known outcome; the first one counts. */
  public PartState inDoubt(Instant sentAt) {
    return inDoubtSince != null ? this : new PartState(state, receipt, fixes, sentAt);
  }

  /** As before the first try, but for what may have arrived. */
  public PartState again() {
    return new PartState(State.PENDING, null, List.of(), inDoubtSince);
  }

  public PartState with(Fix fix) {
    List<Fix> more = Stream.concat(fixes.stream(), Stream.of(fix)).toList();
    return new PartState(state, receipt, more, inDoubtSince);
  }

  /** Where the platform said that the chat has gone; null if it is where it was. */
  public @Nullable String newChat() {
    for (Fix fix : fixes) {
      if (fix instanceof Fix.NewChat chat) {
        return chat.to();
      }
    }
    return null;
  }

  /** Whether this kind of fix was applied already; a second time means it does not help. */
  public boolean has(Class<? extends Fix> kind) {
    return fixes.stream().anyMatch(kind::isInstance);
  }
}
