package dev.postrider.store.message;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which messages to list; null fields and empty collections mean any. All but {@code text}, {@code
 * metadata} and {@code receipt} are answered from an index, in full pages; those three are looked
 * for in what the others leave, so many at a time (see {@link Page#scanned}).
 *
 * @param chat a name of it
 * @param otherNames of the chat, where it has moved: of which account, and which
 * @param runId of the reminder's run that sends it
 * @param receipt of one of its parts; a receipt that the platform reports on later is indexed too
 * @param receiptStatus how far it got, by {@link ReceiptState#of}; not to be seen on a message
 * @param reason machine-readable cause of its end
 * @param text what its text contains, in capitals or not
 * @param metadata values of its metadata by their names, written as text
 * @param since accepted then or later
 * @param until accepted before that
 */
public record MessageFilter(
    Set<Status> statuses,
    @Nullable String account,
    @Nullable String chat,
    Set<Lane> otherNames,
    @Nullable String turnId,
    @Nullable String sessionId,
    @Nullable String runId,
    @Nullable String idempotencyKey,
    @Nullable String receipt,
    DeliveryReport.@Nullable State receiptStatus,
    @Nullable String reason,
    @Nullable String text,
    Map<String, String> metadata,
    @Nullable Instant since,
    @Nullable Instant until) {
  public static final MessageFilter ALL = new Builder().build();

  public MessageFilter {
    statuses = Set.copyOf(statuses);
    otherNames = Set.copyOf(otherNames);
    metadata = Map.copyOf(metadata);
  }

  public static MessageFilter status(Status... statuses) {
    return new Builder().statuses(Set.of(statuses)).build();
  }

  public static MessageFilter turn(String turnId) {
    return new Builder().turnId(turnId).build();
  }

  /** The same, for these statuses. */
  public MessageFilter with(Set<Status> others) {
    return copy(others, otherNames);
  }

  /** The same, for a chat that has these names besides. */
  public MessageFilter alsoNamed(Set<Lane> names) {
    return copy(statuses, names);
  }

  /** All names of the chat; empty if any chat will do. */
  public Set<String> chats() {
    return chat == null
        ? Set.of()
        : Stream.concat(Stream.of(chat), otherNames.stream().map(Lane::chat))
            .collect(Collectors.toUnmodifiableSet());
  }

  private MessageFilter copy(Set<Status> ofStatuses, Set<Lane> names) {
    return new MessageFilter(
        ofStatuses,
        account,
        chat,
        names,
        turnId,
        sessionId,
        runId,
        idempotencyKey,
        receipt,
        receiptStatus,
        reason,
        text,
        metadata,
        since,
        until);
  }

  /** Whether it fits all but {@code receiptStatus}, which a message does not show. */
  public boolean matches(StoredMessage stored) {
    Message message = stored.message();
    return (statuses.isEmpty() || statuses.contains(stored.status()))
        && fits(account, message.account())
        && (fits(chat, message.to())
            || otherNames.contains(new Lane(message.account(), message.to())))
        && fits(turnId, message.turnId())
        && fits(sessionId, message.sessionId())
        && fits(runId, message.runId())
        && fits(idempotencyKey, message.idempotencyKey())
        && fits(reason, stored.reason())
        && (since == null || !stored.createdAt().isBefore(since))
        && (until == null || stored.createdAt().isBefore(until))
        && hasReceipt(stored)
        && hasText(message)
        && metadata.entrySet().stream()
            .allMatch(
                entry ->
                    message.metadata().containsKey(entry.getKey())
                        && entry
                            .getValue()
                            .equals(Objects.toString(message.metadata().get(entry.getKey()))));
  }

  private static boolean fits(@Nullable String wanted, @Nullable String value) {
    return wanted == null || wanted.equals(value);
  }

  private boolean hasReceipt(StoredMessage stored) {
    return receipt == null
        || stored.progress().parts().stream()
            .map(part -> part.receipt())
            .filter(Objects::nonNull)
            .map(Receipt::id)
            .anyMatch(receipt::equals);
  }

  private boolean hasText(Message message) {
    String written = message.text();
    return text == null
        || (written != null
            && written.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT)));
  }

  /** Collects the conditions. */
  public static final class Builder {
    private Set<Status> statuses = Set.of();
    private @Nullable String account;
    private @Nullable String chat;
    private @Nullable String turnId;
    private @Nullable String sessionId;
    private @Nullable String runId;
    private @Nullable String idempotencyKey;
    private @Nullable String receipt;
    private DeliveryReport.@Nullable State receiptStatus;
    private @Nullable String reason;
    private @Nullable String text;
    private Map<String, String> metadata = Map.of();
    private @Nullable Instant since;
    private @Nullable Instant until;

    public Builder statuses(Set<Status> value) {
      statuses = value;
      return this;
    }

    public Builder account(@Nullable String value) {
      account = value;
      return this;
    }

    public Builder chat(@Nullable String value) {
      chat = value;
      return this;
    }

    public Builder turnId(@Nullable String value) {
      turnId = value;
      return this;
    }

    public Builder sessionId(@Nullable String value) {
      sessionId = value;
      return this;
    }

    public Builder runId(@Nullable String value) {
      runId = value;
      return this;
    }

    public Builder idempotencyKey(@Nullable String value) {
      idempotencyKey = value;
      return this;
    }

    public Builder receipt(@Nullable String value) {
      receipt = value;
      return this;
    }

    public Builder receiptStatus(DeliveryReport.@Nullable State value) {
      receiptStatus = value;
      return this;
    }

    public Builder reason(@Nullable String value) {
      reason = value;
      return this;
    }

    public Builder text(@Nullable String value) {
      text = value;
      return this;
    }

    public Builder metadata(Map<String, String> value) {
      metadata = value;
      return this;
    }

    public Builder since(@Nullable Instant value) {
      since = value;
      return this;
    }

    public Builder until(@Nullable Instant value) {
      until = value;
      return this;
    }

    public MessageFilter build() {
      return new MessageFilter(
          statuses,
          account,
          chat,
          Set.of(),
          turnId,
          sessionId,
          runId,
          idempotencyKey,
          receipt,
          receiptStatus,
          reason,
          text,
          metadata,
          since,
          until);
    }
  }
}
