package dev.postrider.message;

/** Whether a message keeps its place in its lane. */
public enum Ordering {
  /** Not attempted before every earlier message of its lane has ended. */
  FIFO,
  /** Neither waits for others nor holds them up. */
  NONE
}
