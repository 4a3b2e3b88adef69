package dev.postrider.store.failure;

/**
 * The store cannot write at the moment: the disk is full, the database is gone. Nothing was
 * written.
 */
public final class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailable(String reason) {
    super(reason);
  }

  public StoreUnavailable(String reason, Throwable cause) {
    super(reason, cause);
  }
}
