package dev.postrider.store.failure;

/** Another process acts under this node's name: this one must stand down. */
public final class NameTaken extends StandDown {
  private static final long serialVersionUID = 1L;

  public NameTaken(String node) {
    super(
        "another process has taken the name '"
            + node
            + "'; this one stands down. Give every process a name of its own (cluster.node)");
  }
}
