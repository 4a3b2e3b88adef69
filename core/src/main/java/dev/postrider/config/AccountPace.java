package dev.postrider.config;

import org.jspecify.annotations.Nullable;

/**
 * The pace of an account. A null field is left to the channel's default.
 *
 * @param concurrency how many chats are sent to at the same time
 */
public record AccountPace(
    @Nullable Pace account, @Nullable Pace chat, @Nullable Integer concurrency) {
  public static final AccountPace CHANNEL_DEFAULT = new AccountPace(null, null, null);
}
