package dev.postrider.store;

import dev.postrider.inbound.TurnState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of handing an event back.
 *
 * @param applied false if the lease was not the event's any more; then nothing was changed
 * @param turn how its turn ended, if it ended with this write
 * @param answers one per answer
 */
public record HandedBack(boolean applied, @Nullable TurnState turn, List<Acceptance> answers) {
  public static final HandedBack STALE = new HandedBack(false, null, List.of());

  public HandedBack {
    answers = List.copyOf(answers);
  }
}
