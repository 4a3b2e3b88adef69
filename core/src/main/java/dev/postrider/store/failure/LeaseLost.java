package dev.postrider.store.failure;

/** The account's lease is not held any more: what was asked for was not done. */
public final class LeaseLost extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LeaseLost(String account) {
    super("the lease of account '" + account + "' is held by somebody else");
  }
}
