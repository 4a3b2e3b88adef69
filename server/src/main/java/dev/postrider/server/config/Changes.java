package dev.postrider.server.config;

import java.util.function.Consumer;

/** Changes collected before the settings they apply to are known. */
final class Changes<T> implements Consumer<T> {
  private Consumer<T> all = _ -> {};

  void add(Consumer<T> change) {
    all = all.andThen(change);
  }

  @Override
  public void accept(T settings) {
    all.accept(settings);
  }
}
