package dev.postrider.postgres;

import dev.postrider.store.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * A wake-up call between nodes: what happened, to which account, and who says so.
 *
 * @param account its id, or zero
 */
record Call(Kind kind, int account, String node) {

  enum Kind {
    ARRIVED('a'),
    CHANGED('c'),
    LEASES('l'),
    HAND_OUT('h');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    char letter() {
      return letter;
    }
  }

  /** As {@link Batches#call} writes it. */
  static @Nullable Call parse(String payload) {
    int space = payload.indexOf(' ');
    if (space < 2) {
      return null;
    }
    for (Kind kind : Kind.values()) {
      if (kind.letter == payload.charAt(0)) {
        try {
          return new Call(
              kind, Integer.parseInt(payload.substring(1, space)), payload.substring(space + 1));
        } catch (NumberFormatException e) {
          return null; // not ours
        }
      }
    }
    return null;
  }

  void tell(Cluster.Listener listener, String name) {
    switch (kind) {
      case ARRIVED -> listener.arrived(name);
      case CHANGED -> listener.changed(name);
      case LEASES -> listener.leases();
      case HAND_OUT -> listener.handOut();
    }
  }
}
