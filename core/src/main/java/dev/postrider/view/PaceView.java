package dev.postrider.view;

import dev.postrider.config.Pace;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How fast an account may send, for people to look at.
 *
 * @param account as configured, or else as its channel wants
 * @param chat of each chat; of a usual one, where it depends on the kind of chat
 * @param concurrency how many chats are sent to at the same time
 * @param inUse null if this process does not work the account
 */
public record PaceView(Pace account, Pace chat, int concurrency, @Nullable InUse inUse) {

  /**
   * What is made of it now.
   *
   * @param share the part of the account's pace that is used: less after the platform's complaints,
   *     and while the account is young
   * @param sending attempts under way
   * @param opensAt when the account as a whole may send again; null if it may now
   * @param cause whose pace that is, in words
   */
  public record InUse(
      double share, int sending, @Nullable Instant opensAt, @Nullable String cause) {}
}
