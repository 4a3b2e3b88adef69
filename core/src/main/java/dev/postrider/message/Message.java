package dev.postrider.message;

import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One logical outbound send: content, addressee and options. Immutable; made with {@link #to}.
 *
 * <p>{@code channelData} and {@code metadata} hold JSON values: strings, numbers, booleans, null,
 * lists and maps.
 */
public record Message(
    String account,
    String to,
    @Nullable String text,
    Format format,
    List<Media> media,
    @Nullable String threadId,
    @Nullable String replyToId,
    boolean silent,
    Map<String, @Nullable Object> channelData,
    @Nullable String idempotencyKey,
    Ordering ordering,
    Priority priority,
    @Nullable Instant sendAt,
    @Nullable Duration expiresIn,
    @Nullable Integer maxAttempts,
    boolean bestEffort,
    @Nullable OnUnknown onUnknown,
    @Nullable String sessionId,
    @Nullable String turnId,
    @Nullable UUID leaseId,
    @Nullable DispatchKind dispatchKind,
    Map<String, @Nullable Object> metadata,
    @Nullable Traceparent traceparent) {

  private static final int LONGEST_NAME = 512;

  public Message {
    media = List.copyOf(media);
    channelData = Collections.unmodifiableMap(new LinkedHashMap<>(channelData));
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    requireName("account", account);
    requireName("to", to);
    if ((text == null || text.isBlank()) && media.isEmpty() && channelData.isEmpty()) {
      throw new InvalidInput("text", "nothing to send; give one of text, media or channelData");
    }
    if (idempotencyKey != null) {
      requireName("idempotencyKey", idempotencyKey);
    }
    WellFormed.require("text", text);
    WellFormed.require("threadId", threadId);
    WellFormed.require("replyToId", replyToId);
    requireShort("sessionId", sessionId);
    requireShort("turnId", turnId);
    WellFormed.require("channelData", channelData);
    WellFormed.require("metadata", metadata);
    if (leaseId != null && turnId == null) {
      throw new InvalidInput("leaseId", "belongs to a turn; give its turnId too");
    }
    if (maxAttempts != null && maxAttempts < 1) {
      throw new InvalidInput("maxAttempts", "must be at least 1");
    }
    if (expiresIn != null && !expiresIn.isPositive()) {
      throw new InvalidInput("expiresIn", "must be longer than zero, such as \"30m\"");
    }
  }

  /** Whether something is to be done once it has ended: for its session, or for its turn. */
  public boolean followed() {
    return sessionId != null || turnId != null;
  }

  /** As it is kept: without the lease it was sent under. */
  public Message kept() {
    return leaseId == null ? this : toBuilder().leaseId(null).build();
  }

  /** The reminder's run that sends it, if one does: what its metadata calls {@code run}. */
  public @Nullable String runId() {
    return metadata.get("run") instanceof String run && run.length() <= LONGEST_NAME ? run : null;
  }

  private static void requireName(String field, String value) {
    if (value.isBlank()) {
      throw new InvalidInput(field, "must not be empty");
    }
    requireShort(field, value);
  }

  private static void requireShort(String field, @Nullable String value) {
    if (value != null && value.length() > LONGEST_NAME) {
      throw new InvalidInput(field, "must not be longer than " + LONGEST_NAME + " characters");
    }
    WellFormed.require(field, value);
  }

  public static Builder to(String account, String chat) {
    return new Builder(account, chat);
  }

  /** The same message for another chat. */
  public Message withTo(String chat) {
    return chat.equals(to) ? this : toBuilder(account, chat).build();
  }

  /** A builder that starts from this message. */
  public Builder toBuilder() {
    return toBuilder(account, to);
  }

  /** A builder that starts from this message, for another chat. */
  public Builder toBuilder(String otherAccount, String chat) {
    Builder builder = new Builder(otherAccount, chat);
    builder.text = text;
    builder.format = format;
    builder.media = media;
    builder.threadId = threadId;
    builder.replyToId = replyToId;
    builder.silent = silent;
    builder.channelData = channelData;
    builder.idempotencyKey = idempotencyKey;
    builder.ordering = ordering;
    builder.priority = priority;
    builder.sendAt = sendAt;
    builder.expiresIn = expiresIn;
    builder.maxAttempts = maxAttempts;
    builder.bestEffort = bestEffort;
    builder.onUnknown = onUnknown;
    builder.sessionId = sessionId;
    builder.turnId = turnId;
    builder.leaseId = leaseId;
    builder.dispatchKind = dispatchKind;
    builder.metadata = metadata;
    builder.traceparent = traceparent;
    return builder;
  }

  /** Collects the fields of a message; {@link #build} checks them. */
  public static final class Builder {
    private final String account;
    private final String to;
    private @Nullable String text;
    private Format format = Format.MARKDOWN;
    private List<Media> media = List.of();
    private @Nullable String threadId;
    private @Nullable String replyToId;
    private boolean silent;
    private Map<String, @Nullable Object> channelData = Map.of();
    private @Nullable String idempotencyKey;
    private Ordering ordering = Ordering.FIFO;
    private Priority priority = Priority.LIVE;
    private @Nullable Instant sendAt;
    private @Nullable Duration expiresIn;
    private @Nullable Integer maxAttempts;
    private boolean bestEffort;
    private @Nullable OnUnknown onUnknown;
    private @Nullable String sessionId;
    private @Nullable String turnId;
    private @Nullable UUID leaseId;
    private @Nullable DispatchKind dispatchKind;
    private Map<String, @Nullable Object> metadata = Map.of();
    private @Nullable Traceparent traceparent;

    private Builder(String account, String to) {
      this.account = account;
      this.to = to;
    }

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

    public Builder threadId(@Nullable String value) {
      threadId = value;
      return this;
    }

    public Builder replyToId(@Nullable String value) {
      replyToId = value;
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

    public Builder idempotencyKey(@Nullable String value) {
      idempotencyKey = value;
      return this;
    }

    public Builder ordering(Ordering value) {
      ordering = value;
      return this;
    }

    public Builder priority(Priority value) {
      priority = value;
      return this;
    }

    public Builder sendAt(@Nullable Instant value) {
      sendAt = value;
      return this;
    }

    public Builder expiresIn(@Nullable Duration value) {
      expiresIn = value;
      return this;
    }

    public Builder maxAttempts(@Nullable Integer value) {
      maxAttempts = value;
      return this;
    }

    public Builder bestEffort(boolean value) {
      bestEffort = value;
      return this;
    }

    public Builder onUnknown(@Nullable OnUnknown value) {
      onUnknown = value;
      return this;
    }

    public Builder sessionId(@Nullable String value) {
      sessionId = value;
      return this;
    }

    public Builder turnId(@Nullable String value) {
      turnId = value;
      return this;
    }

    /**
     * The lease under which the sender has the turn: the message is refused if somebody else has it
     * by then. Not kept with the message.
     */
    public Builder leaseId(@Nullable UUID value) {
      leaseId = value;
      return this;
    }

    public Builder dispatchKind(@Nullable DispatchKind value) {
      dispatchKind = value;
      return this;
    }

    public Builder metadata(Map<String, @Nullable Object> value) {
      metadata = value;
      return this;
    }

    /**
     * The caller's place in a trace, as W3C Trace Context writes it: all that is done for the
     * message belongs to that trace. One that cannot be read is as good as none.
     */
    public Builder traceparent(@Nullable String value) {
      traceparent = value == null ? null : Traceparent.parse(value).orElse(null);
      return this;
    }

    /**
     * The message, checked.
     *
     * @throws InvalidInput naming the field that is wrong and the remedy
     */
    public Message build() {
      return new Message(
          account,
          to,
          text,
          format,
          media,
          threadId,
          replyToId,
          silent,
          channelData,
          idempotencyKey,
          ordering,
          priority,
          sendAt,
          expiresIn,
          maxAttempts,
          bestEffort,
          onUnknown,
          sessionId,
          turnId,
          leaseId,
          dispatchKind,
          metadata,
          traceparent);
    }
  }
}
