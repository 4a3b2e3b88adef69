package dev.postrider.store;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.store.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message with everything a store keeps of it, on its way from one store to another.
 *
 * @param place in its lane; null if it has none
 * @param head whether it may be sent once due
 * @param scheduled whether it waits outside its lane for its time
 * @param priority as it is now: a bulk message may have become live
 * @param contentHash of its idempotency key's content; null without a key
 * @param unfollowed whether something is still to be done when it ends, or has ended
 */
public record Carried(
    StoredMessage message,
    @Nullable Long place,
    boolean head,
    boolean scheduled,
    Priority priority,
    byte @Nullable [] contentHash,
    boolean unfollowed,
    List<HistoryEntry> history) {
  public Carried {
    history = List.copyOf(history);
  }

  public boolean ordered() {
    return message.message().ordering() == Ordering.FIFO;
  }

  /** The files it still needs: on its way, or as a dead letter. */
  public Set<String> files() {
    boolean done = message.status().ended() && !message.status().deadLetter();
    return done ? Set.of() : message.plan().hashes();
  }

  /** The same with what went wrong with it. */
  public Carried with(List<HistoryEntry> entries) {
    return new Carried(message, place, head, scheduled, priority, contentHash, unfollowed, entries);
  }

  /** What it holds, in short: equal for the same message in two stores, but for its row. */
  public byte[] checksum() {
    StoredMessage of = message;
    String all =
        String.join(
            "|",
            of.id().toString(),
            of.message().toString(),
            of.plan().toString(),
            of.progress().toString(),
            of.status() + " " + of.attempts() + " " + of.reservation(),
            of.createdAt() + " " + of.dueAt() + " " + of.expiresAt(),
            of.triedAt() + " " + of.endedAt(),
            of.error() + " " + of.reason() + " " + of.late() + " " + of.possibleDuplicate(),
            of.replayOf() + " " + of.replayedAs(),
            contentHash == null ? "" : HexFormat.of().formatHex(contentHash),
            of.status().ended() ? "" : place + " " + head + " " + scheduled + " " + priority,
            unfollowed ? "unfollowed" : "",
            history.toString());
    try {
      return MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
