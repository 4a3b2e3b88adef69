package dev.postrider.store;

import dev.postrider.message.Status;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which messages to list; null fields and an empty set of statuses mean any. */
public record MessageFilter(
    Set<Status> statuses,
    @Nullable String account,
    @Nullable String chat,
    @Nullable String turnId,
    @Nullable String reason) {
  public static final MessageFilter ALL = new MessageFilter(Set.of(), null, null, null, null);

  public MessageFilter {
    statuses = Set.copyOf(statuses);
  }

  public static MessageFilter status(Status... statuses) {
    return new MessageFilter(Set.of(statuses), null, null, null, null);
  }
}
