package dev.postrider.testkit.crash;

/** What can befall a node of a cluster, or all of them. */
public enum Disaster {
  /** SIGKILL, and started again at once. */
  CRASH,
  /** SIGKILL, and started again when the others have taken over. */
  DEATH,
  /** SIGSTOP for longer than a lease, then SIGCONT: it wakes up and does not know that it died. */
  FREEZE,
  /** Connections to the database are reset and refused for a while. */
  CUT,
  /** Nothing comes through to the database for a while, and nobody is told. */
  CLOG,
  /** The database goes and comes back. */
  DATABASE_RESTART,
  /** SIGTERM, and started again. */
  LEAVE
}
