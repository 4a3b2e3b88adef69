package dev.postrider.reminder.time;

/** What becomes of a firing that its schedule brings while the window is closed. */
public enum AfterClose {
  /** Its run waits for the next opening. */
  WAIT,
  /** It is recorded as missed, and nothing is sent. */
  MISSED
}
