package dev.postrider.message;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How far one part has got. */
public record PartState(State state, @Nullable Receipt receipt, List<Fix> fixes) {

  /**
   * Pending until the platform took it; failed only where a best-effort message went on without it.
   */
  public enum State {
    PENDING,
    DELIVERED,
    FAILED
  }

  public static final PartState PENDING = new PartState(State.PENDING, null, List.of());

  public PartState {
    fixes = List.copyOf(fixes);
  }

  public PartState delivered(Receipt by) {
    return new PartState(State.DELIVERED, by, fixes);
  }

  public PartState failed() {
    return new PartState(State.FAILED, null, fixes);
  }

  public PartState with(Fix fix) {
    return new PartState(state, receipt, Stream.concat(fixes.stream(), Stream.of(fix)).toList());
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
