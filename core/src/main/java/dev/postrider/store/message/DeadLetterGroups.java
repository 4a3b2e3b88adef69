package dev.postrider.store.message;

import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters by account and by how they ended, the largest group first.
 *
 * @param complete whether all dead letters were looked at; if not, the newest were
 */
public record DeadLetterGroups(List<Group> groups, boolean complete) {
  public DeadLetterGroups {
    groups = List.copyOf(groups);
  }

  /**
   * Those of an account that ended in the same way.
   *
   * @param error of the example
   * @param replayed how many of them were replayed
   * @param oldestAt when the first of them ended
   * @param newestAt when the last of them ended
   * @param example the one accepted last
   */
  public record Group(
      String account,
      Status status,
      @Nullable String reason,
      @Nullable String error,
      long messages,
      long replayed,
      Instant oldestAt,
      Instant newestAt,
      MessageId example) {}
}
