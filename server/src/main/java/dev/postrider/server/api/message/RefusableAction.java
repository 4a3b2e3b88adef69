package dev.postrider.server.api.message;

import dev.postrider.message.MessageId;
import dev.postrider.problem.Refused;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is done to one message after the other, or refused.
 *
 * @param refusals takes what was refused
 */
record RefusableAction(Consumer<MessageId> action, Refusals refusals) {
  /** Whatever comes next would fare no better. */
  private static final Set<Refused.Cause> FOR_ALL =
      EnumSet.of(Refused.Cause.UNAVAILABLE, Refused.Cause.STOPPING);

  private record Outcome(MessageId id, @Nullable Refused refused) {}

  /**
   * Does it to several at once; gives to how many it was done.
   *
   * @throws Refused if it is refused to all: what was done is done, and does not match any more
   */
  int apply(List<MessageId> messages) {
    List<Outcome> outcomes = AtOnce.each(messages, this::applied);
    int done = 0;
    for (Outcome outcome : outcomes) {
      if (outcome.refused == null) {
        done++;
      } else {
        refusals.add(outcome.id, outcome.refused);
      }
    }
    for (Outcome outcome : outcomes) {
      if (outcome.refused != null && FOR_ALL.contains(outcome.refused.why())) {
        throw outcome.refused;
      }
    }
    return done;
  }

  private Outcome applied(MessageId id) {
    try {
      action.accept(id);
      return new Outcome(id, null);
    } catch (Refused e) {
      return new Outcome(id, e);
    }
  }
}
