package dev.postrider.channel;

import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One part on its way out: everything an adapter needs for one platform request.
 *
 * @param cargo the part's files, ready to send, in order
 */
public record Dispatch(
    MessageId id, Message message, Plan plan, int index, PartState state, List<PartFile> cargo) {

  public Dispatch {
    cargo = List.copyOf(cargo);
  }

  /**
   * The part that channel data rides on, as if the platform had its files already: for a channel to
   * see what it would be asked ({@link Channel#check}).
   */
  public static Dispatch last(Message message, Plan plan) {
    List<PartFile> files =
        plan.parts().getLast().media().stream()
            .map(file -> new PartFile(file, FileHandle.of("known"), null))
            .toList();
    int index = plan.parts().size() - 1;
    return new Dispatch(plan.origin(), message, plan, index, PartState.PENDING, files);
  }

  /** The same part with its files at hand. */
  public Dispatch carrying(List<PartFile> files) {
    return new Dispatch(id, message, plan, index, state, files);
  }

  /** The chat to send to; the message's, unless the platform said that it has moved. */
  public String to() {
    String moved = state.newChat();
    return moved == null ? message.to() : moved;
  }

  /**
   * When the first earlier try of this part went out that may have arrived; null if none can have.
   */
  public @Nullable Instant mayHaveArrivedAt() {
    return state.inDoubtSince();
  }

  public Part part() {
    return plan.parts().get(index);
  }

  /** The text to send: without markup once that was refused, with links in place of files. */
  public @Nullable String text() {
    Part part = part();
    if (state.has(Fix.LinkInstead.class)) {
      String caption = part.isMarkup() ? part.plain() : part.text();
      return Stream.concat(Stream.ofNullable(caption), part.media().stream().map(Attachment::url))
          .collect(Collectors.joining("\n"));
    }
    return part.isMarkup() && state.has(Fix.PlainText.class) ? part.plain() : part.text();
  }

  /** Whether {@link #text} is in the platform's own markup. */
  public boolean isMarkup() {
    return part().isMarkup() && !isPlain();
  }

  /** Ranges of {@link #text} that are to look different. */
  public List<String> styles() {
    return isPlain() ? List.of() : part().styles();
  }

  private boolean isPlain() {
    return state.has(Fix.PlainText.class) || state.has(Fix.LinkInstead.class);
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
