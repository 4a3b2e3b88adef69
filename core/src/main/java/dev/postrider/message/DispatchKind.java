package dev.postrider.message;

import java.util.Locale;

/** What a message is in the turn that caused it. */
public enum DispatchKind {
  /** Says what a tool does: progress, not an answer. */
  TOOL,
  /** A piece of an answer that is still being made. */
  BLOCK,
  /** An answer. A message that does not say is one. */
  FINAL;

  /** Whether it means nothing without what was to follow it. */
  public boolean provisional() {
    return this != FINAL;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
