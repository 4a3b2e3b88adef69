package dev.postrider.internal.engine;

/**
 * Opens {@link dev.postrider.Postrider#store} to Postrider's own modules. Whoever writes to the
 * store past the engine breaks what it promises, so library users have no way to it.
 */
public final class StoreAccess {
  public static final StoreAccess OWN = new StoreAccess();

  private StoreAccess() {}
}
