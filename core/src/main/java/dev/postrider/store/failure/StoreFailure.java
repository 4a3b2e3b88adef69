package dev.postrider.store.failure;

/**
 * One call failed for a reason of its own: what it was given cannot be stored, what it found cannot
 * be read, or it met a defect. The store is well and serves others; the same call will most likely
 * fail again. A write has left nothing behind.
 */
public final class StoreFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final int LONGEST = 300;

  private final String operation;

  /**
   * @param operation what was asked for
   */
  public StoreFailure(String operation, Throwable cause) {
    super("the store could not do '" + operation + "': " + describe(cause), cause);
    this.operation = operation;
  }

  public String operation() {
    return operation;
  }

  private static String describe(Throwable cause) {
    String what = cause.getMessage();
    String kind = cause.getClass().getSimpleName();
    return what == null ? kind : kind + ": " + what.substring(0, Math.min(what.length(), LONGEST));
  }
}
