package dev.postrider.reminder.time;

/** What becomes of a run that is not done when its window closes. */
public enum OnClose {
  /** It ends; whoever has not been sent to is skipped. */
  STOP,
  /** It waits, and goes on in the next opening. */
  RESUME
}
