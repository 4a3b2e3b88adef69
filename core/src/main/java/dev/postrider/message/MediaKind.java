package dev.postrider.message;

import java.util.Locale;

/** What a file is to the people who get it. */
public enum MediaKind {
  IMAGE,
  VIDEO,
  AUDIO,
  /** Speech, shown with a play button in the chat. */
  VOICE,
  /** A file to save and open elsewhere: what everything else, and everything doubtful, is. */
  DOCUMENT;

  /** The kind's name on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
