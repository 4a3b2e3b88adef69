package dev.postrider.reminder;

/** Whether a reminder may fire while a run of it has not ended. */
public enum Overlap {
  REFUSE,
  ALLOW
}
