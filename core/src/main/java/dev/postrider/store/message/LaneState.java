package dev.postrider.store.message;

/** What a lane does. */
public enum LaneState {
  /** Its first message waits: for its time, for leave to be sent, or to be tried again. */
  WAITING,
  /** Its first message is being sent. */
  SENDING,
  /** Somebody has stopped it. */
  PAUSED
}
