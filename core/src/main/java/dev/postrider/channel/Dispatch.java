package dev.postrider.channel;

import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One part on its way out: everything an adapter needs for one platform request.
 *
 * @param cargo the part's files, ready to send, in order
 * @param options the fields of channel data that go with every part ({@link Capabilities#options})
 */
public record Dispatch(
    MessageId id,
    Message message,
    Plan plan,
    int index,
    PartState state,
    List<PartFile> cargo,
    Set<String> options) {

  public Dispatch {
    cargo = List.copyOf(cargo);
  }

  /** On a channel without options. */
  public Dispatch(
      MessageId id, Message message, Plan plan, int index, PartState state, List<PartFile> cargo) {
    this(id, message, plan, index, state, cargo, Set.of());
  }

  /**
   * The part that carries the content of channel data, as if the platform had its files already:
   * for a channel to see what it would be asked ({@link Channel#check}).
   */
  public static Dispatch last(Message message, Plan plan) {
    return of(message, plan, plan.parts().size() - 1, Set.of());
  }

  /** A part of a message that nothing was sent of, as if the platform had its files already. */
  public static Dispatch of(Message message, Plan plan, int index, Set<String> options) {
    List<PartFile> files =
        plan.parts().get(index).media().stream()
            .map(file -> new PartFile(file, FileHandle.of("known"), null))
            .toList();
    return new Dispatch(plan.origin(), message, plan, index, PartState.PENDING, files, options);
  }

  /** The same part with its files at hand. */
  public Dispatch carrying(List<PartFile> files) {
    return new Dispatch(id, message, plan, index, state, files, options);
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

  /** The same part after a try that went out then and may have arrived. */
  public Dispatch inDoubt(Instant sentAt) {
    return new Dispatch(id, message, plan, index, state.inDoubt(sentAt), cargo, options);
  }

  /** Since when the part may be on the platform: where a look for it begins. */
  public Instant mayBeThereSince() {
    Instant tried = mayHaveArrivedAt();
    return tried == null ? plan.origin().givenAt() : tried;
  }

  public Part part() {
    return plan.parts().get(index);
  }

  /** The text to send: without markup once that was refused, with links in place of files. */
  public @Nullable String text() {
    return text(part());
  }

  private @Nullable String text(Part part) {
    if (state.has(Fix.LinkInstead.class)) {
      String caption = part.isMarkup() ? part.plain() : part.text();
      return Stream.concat(Stream.ofNullable(caption), part.media().stream().map(Attachment::url))
          .collect(Collectors.joining("\n"));
    }
    return part.isMarkup() && state.has(Fix.PlainText.class) ? part.plain() : part.text();
  }

  /**
   * One of several things that a request brings.
   *
   * @param text as {@link Dispatch#text}
   * @param markup as {@link Dispatch#isMarkup}
   * @param cargo its files
   */
  public record Piece(@Nullable String text, boolean markup, List<PartFile> cargo) {
    public Piece {
      cargo = List.copyOf(cargo);
    }
  }

  /**
   * What the request brings, in order: the pieces of a bundle ({@link Capabilities#bundling}), else
   * the part itself. They have one key and one outcome, and the receipt names them all.
   */
  public List<Piece> pieces() {
    List<Part> pieces = part().pieces().isEmpty() ? List.of(part()) : part().pieces();
    List<Piece> all = new ArrayList<>();
    int taken = 0;
    for (Part piece : pieces) {
      int end = Math.min(cargo.size(), taken + piece.media().size());
      all.add(new Piece(text(piece), piece.isMarkup() && !isPlain(), cargo.subList(taken, end)));
      taken = end;
    }
    return all;
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

  /** Channel-specific fields: the options with every part, the content with the last. */
  public Map<String, @Nullable Object> channelData() {
    if (isLast()) {
      return message.channelData();
    }
    Map<String, @Nullable Object> chosen = new LinkedHashMap<>(message.channelData());
    chosen.keySet().retainAll(options);
    return chosen;
  }

  /** Whether this is the part that carries the content of channel data. */
  public boolean isLast() {
    return index == plan.parts().size() - 1;
  }

  /** The part's idempotency key: the same on every try, after every restart. */
  public String key() {
    return plan.key(message.account(), index);
  }
}
