package dev.postrider.store.failure;

/** A newer version has changed the store in a way that this process does not understand. */
public final class OutdatedNode extends StandDown {
  private static final long serialVersionUID = 1L;

  public OutdatedNode(String reason) {
    super(reason);
  }
}
