package dev.postrider.server.config;

/** What the bearer of a token may do. */
public enum Role {
  /** Send messages, take and answer what came in, and nothing else. */
  SEND,
  /** Look at everything, change nothing. */
  READ,
  /** Everything. */
  ADMIN;

  /** Whether somebody with this role may do what the other role is needed for. */
  public boolean covers(Role needed) {
    return this == ADMIN || this == needed;
  }
}
