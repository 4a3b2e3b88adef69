package dev.postrider.testkit.internal.crash;

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
  /** The clock is set, forward or back, and set right after a while. */
  CLOCK_STEP,
  /** Somebody starts a second process of the same name: it must not get in. */
  TWIN,
  /** SIGTERM, and started again. */
  LEAVE,
  /** The database goes and comes back. */
  DATABASE_RESTART,
  /** SIGKILL of PostgreSQL, and started again. */
  DATABASE_KILL,
  /**
   * SIGKILL of the process that serves one connection: PostgreSQL ends all of them, and recovers.
   */
  BACKEND_KILL,
  /** Statements are cancelled at random for a while. */
  CANCEL;

  /** Whether it befalls the database, and so all nodes. */
  boolean ofDatabase() {
    return switch (this) {
      case DATABASE_RESTART, DATABASE_KILL, BACKEND_KILL, CANCEL -> true;
      case CRASH, DEATH, FREEZE, CUT, CLOG, CLOCK_STEP, TWIN, LEAVE -> false;
    };
  }
}
