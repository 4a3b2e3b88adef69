package dev.postrider.channel;

/** What a throttle applies to. */
public enum Scope {
  CHAT,
  ACCOUNT,
  CHANNEL
}
