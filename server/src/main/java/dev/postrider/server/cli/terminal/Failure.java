package dev.postrider.server.cli.terminal;

/** A command that could not do what it says; the message is all that people see. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  public static final int NOT_REACHABLE = 3;

  private final int exitCode;

  private Failure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public static Failure because(String message) {
    return new Failure(FAILED, message);
  }

  /** What was asked for cannot be meant: a file that is not there, a value that is none. */
  public static Failure usage(String message) {
    return new Failure(USAGE, message);
  }

  static Failure notReachable(String message) {
    return new Failure(NOT_REACHABLE, message);
  }

  public int exitCode() {
    return exitCode;
  }
}
