package dev.postrider.postgres.batch;

import dev.postrider.store.cluster.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * A wake-up call between nodes: what happened, to which account, and who says so.
 *
 * @param account its id, or zero
 */
public record Notification(Kind kind, int account, String node) {

  public enum Kind {
    ARRIVED('a'),
    CHANGED('c'),
    LEASES('l'),
    INBOUND('h');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    public char letter() {
      return letter;
    }
  }

  /** As {@link BatchColumns#call} writes it. */
  static @Nullable public Notification parse(String payload) {
    int space = payload.indexOf(' ');
    if (space < 2) {
      return null;
    }
    for (Kind kind : Kind.values()) {
      if (kind.letter == payload.charAt(0)) {
        try {
          return new Notification(
              kind, Integer.parseInt(payload.substring(1, space)), payload.substring(space + 1));
        } catch (NumberFormatException e) {
          return null; // not ours
        }
      }
    }
    return null;
  }

  public void tell(Cluster.Listener listener, String name) {
    switch (kind) {
      case ARRIVED -> listener.arrived(name);
      case CHANGED -> listener.changed(name);
      case LEASES -> listener.leases();
      case INBOUND -> listener.inboundChanged();
    }
  }
}
