package dev.postrider.internal.pace;

import dev.postrider.channel.ThrottleScope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When something may be sent, as far as pace is concerned, and whose pace that is.
 *
 * @param at not after now: at once
 * @param scope whose pace; null if nothing is to be waited for
 * @param byPlatform whether the platform asked for it; if not, it is the configured pace
 * @param lowered why the account uses only a part of its configured pace; null if it uses all
 */
public record PaceOpening(
    Instant at, @Nullable ThrottleScope scope, boolean byPlatform, @Nullable String lowered) {

  PaceOpening(Instant at, @Nullable ThrottleScope scope, boolean byPlatform) {
    this(at, scope, byPlatform, null);
  }

  PaceOpening because(@Nullable String why) {
    return new PaceOpening(at, scope, byPlatform, why);
  }

  /** Nothing is to be waited for. */
  public static PaceOpening at(Instant now) {
    return new PaceOpening(now, null, false);
  }

  /** When what is to be waited for is over; null if there is nothing. */
  public @Nullable Instant until() {
    return scope == null ? null : at;
  }

  /** Whichever is later. */
  PaceOpening or(PaceOpening other) {
    return other.at.isAfter(at) ? other : this;
  }

  /** Why, for people; null if nothing is to be waited for. */
  public @Nullable String cause() {
    return switch (scope) {
      case null -> null;
      case CHAT ->
          byPlatform ? "the platform asked for patience with this chat" : "the pace of this chat";
      case ACCOUNT -> {
        String own = lowered == null ? "" : ", " + lowered;
        yield byPlatform ? "the platform asked for patience" : "the pace of the account" + own;
      }
      case CHANNEL ->
          byPlatform
              ? "the platform asked all accounts of the channel for patience"
              : "the pace of the channel";
    };
  }
}
