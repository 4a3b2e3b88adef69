package dev.postrider.store.inbound;

import dev.postrider.inbound.TurnState;
import dev.postrider.store.message.AcceptResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of handing an inbound message back.
 *
 * @param applied false if the lease was not the inbound message's any more, or an answer was
 *     refused; then nothing was changed
 * @param turn how its turn ended, if it ended with this write
 * @param answers one per answer
 * @param refusal the answer that was refused, and with it everything
 */
public record CompletionResult(
    boolean applied,
    @Nullable TurnState turn,
    List<AcceptResult> answers,
    @Nullable Refusal refusal) {
  public static final CompletionResult STALE = new CompletionResult(false, null, List.of(), null);

  /** An answer that cannot be taken: its key was used for other content, its file is gone. */
  public record Refusal(int answer, AcceptResult why) {}

  public CompletionResult {
    answers = List.copyOf(answers);
  }

  public static CompletionResult applied(@Nullable TurnState turn, List<AcceptResult> answers) {
    return new CompletionResult(true, turn, answers, null);
  }

  public static CompletionResult refused(int answer, AcceptResult why) {
    return new CompletionResult(false, null, List.of(), new Refusal(answer, why));
  }
}
