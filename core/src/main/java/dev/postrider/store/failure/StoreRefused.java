package dev.postrider.store.failure;

/** The store cannot be opened: another process has it, or a newer version wrote it. */
public final class StoreRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreRefused(String reason) {
    super(reason);
  }
}
