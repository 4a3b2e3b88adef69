package dev.postrider.store.failure;

/** This process must not work on the store any more: another one does in its place. */
public abstract sealed class StandDown extends RuntimeException permits NameTaken, OutdatedNode {
  private static final long serialVersionUID = 1L;

  StandDown(String reason) {
    super(reason);
  }
}
