package dev.postrider.store.failure;

/** The store was closed; what was asked for was not done. */
public final class StoreClosed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreClosed() {
    super("the store is closed");
  }
}
