package dev.postrider.reminder;

import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the messages that a reminder sends to every target. The text, the thread and the strings
 * inside {@code channelData} may have placeholders. Immutable; made with {@link #text} or {@link
 * #builder}.
 */
public record Content(
    @Nullable Template text,
    Format format,
    List<Media> media,
    @Nullable Template threadId,
    boolean silent,
    Map<String, @Nullable Object> channelData,
    Map<String, @Nullable Object> metadata) {

  /**
   * Checks what a message can hold.
   *
   * @throws InvalidInput naming the field of the message that is wrong, such as {@code text}
   */
  public Content {
    media = List.copyOf(media);
    channelData = Collections.unmodifiableMap(new LinkedHashMap<>(channelData));
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    ChannelData.names(channelData);
    Message.to("any", "any")
        .text(text == null ? null : text.source())
        .threadId(threadId == null ? null : threadId.source())
        .media(media)
        .channelData(channelData)
        .metadata(metadata)
        .build();
  }

  /** A text in Markdown. */
  public static Content text(String text) {
    return builder().text(text).build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The fields that need values, each with the names of them. */
  Map<String, Set<String>> needs() {
    Map<String, Set<String>> needs = new LinkedHashMap<>();
    needs.put("text", text == null ? Set.of() : text.names());
    needs.put("threadId", threadId == null ? Set.of() : threadId.names());
    needs.put("channelData", ChannelData.names(channelData));
    return needs;
  }

  /** Whether there is something to send even if all values are blank. */
  boolean saysSomething() {
    return !media.isEmpty() || !channelData.isEmpty() || text != null && text.saysSomething();
  }

  /**
   * The message to one target.
   *
   * @throws IllegalArgumentException if the target lacks a value
   */
  public Message.Builder fill(String account, Target target) {
    Map<String, String> values = target.values();
    String thread = threadId == null ? "" : threadId.fill(values);
    return Message.to(account, target.to())
        .text(text == null ? null : text.fill(values))
        .format(format)
        .media(media)
        .threadId(thread.isBlank() ? null : thread)
        .silent(silent)
        .channelData(ChannelData.fill(channelData, values))
        .metadata(metadata);
  }

  /** Collects the fields of a message; {@link #build} checks them. */
  public static final class Builder {
    private @Nullable String text;
    private Format format = Format.MARKDOWN;
    private List<Media> media = List.of();
    private @Nullable String threadId;
    private boolean silent;
    private Map<String, @Nullable Object> channelData = Map.of();
    private Map<String, @Nullable Object> metadata = Map.of();

    private Builder() {}

    public Builder text(@Nullable String value) {
      text = value;
      return this;
    }

    public Builder format(Format value) {
      format = value;
      return this;
    }

    public Builder media(List<Media> value) {
      media = value;
      return this;
    }

    /** The thread to send in; with a placeholder, one that each target names. */
    public Builder threadId(@Nullable String value) {
      threadId = value;
      return this;
    }

    public Builder silent(boolean value) {
      silent = value;
      return this;
    }

    public Builder channelData(Map<String, @Nullable Object> value) {
      channelData = value;
      return this;
    }

    public Builder metadata(Map<String, @Nullable Object> value) {
      metadata = value;
      return this;
    }

    /**
     * The message, checked.
     *
     * @throws InvalidInput naming the field that is wrong and the remedy
     */
    public Content build() {
      return new Content(
          text == null ? null : Template.parse("text", text, format),
          format,
          media,
          threadId == null ? null : Template.parse("threadId", threadId, Format.PLAIN),
          silent,
          channelData,
          metadata);
    }
  }
}
