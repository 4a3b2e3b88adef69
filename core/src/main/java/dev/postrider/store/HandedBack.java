package dev.postrider.store;

import dev.postrider.inbound.TurnState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of handing an event back.
 *
 * @param applied false if the lease was not the event's any more, or an answer was refused; then
 *     nothing was changed
 * @param turn how its turn ended, if it ended with this write
 * @param answers one per answer
 * @param refusal the answer that was refused, and with it everything
 */
public record HandedBack(
    boolean applied,
    @Nullable TurnState turn,
    List<Acceptance> answers,
    @Nullable Refusal refusal) {
  public static final HandedBack STALE = new HandedBack(false, null, List.of(), null);

  /** An answer that cannot be taken: its key was used for other content, its file is gone. */
  public record Refusal(int answer, Acceptance why) {}

  public HandedBack {
    answers = List.copyOf(answers);
  }

  public static HandedBack applied(@Nullable TurnState turn, List<Acceptance> answers) {
    return new HandedBack(true, turn, answers, null);
  }

  public static HandedBack refused(int answer, Acceptance why) {
    return new HandedBack(false, null, List.of(), new Refusal(answer, why));
  }
}
