package dev.postrider.channel;

import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One part on its way out: everything an adapter needs for one platform request. */
public record Dispatch(MessageId id, Message message, Plan plan, int index, PartState state) {

  /** The chat to send to; the message's, unless the platform said that it has moved. */
  public String to() {
    return state.fixes().stream()
        .filter(Fix.NewChat.class::isInstance)
        .map(fix -> ((Fix.NewChat) fix).to())
        .findFirst()
        .orElse(message.to());
  }

  public Part part() {
    return plan.parts().get(index);
  }

  /** The text to send: the plain source once markup was refused. */
  public @Nullable String text() {
    Part part = part();
    return part.isMarkup() && state.has(Fix.PlainText.class) ? part.plain() : part.text();
  }

  /** Whether {@link #text} is in the platform's own markup. */
  public boolean isMarkup() {
    return part().isMarkup() && !state.has(Fix.PlainText.class);
  }

  /** The message to quote: on the first part only, and not once the platform could not find it. */
  public @Nullable String replyToId() {
    return index == 0 && !state.has(Fix.DropReply.class) ? message.replyToId() : null;
  }

  public @Nullable String threadId() {
    return message.threadId();
  }

  public boolean silent() {
    return message.silent();
  }

  /** Channel-specific fields; they ride on the last part. */
  public Map<String, @Nullable Object> channelData() {
    return index == plan.parts().size() - 1 ? message.channelData() : Map.of();
  }

  /** The part's idempotency key: the same on every try, after every restart. */
  public String key() {
    return plan.key(message.account(), index);
  }
}
