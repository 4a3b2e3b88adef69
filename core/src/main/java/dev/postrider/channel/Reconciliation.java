package dev.postrider.channel;

import dev.postrider.message.Receipt;

/** What a look at the platform told about a part whose outcome was unknown. */
public sealed interface Reconciliation {
  /** It arrived after all. */
  record Found(Receipt receipt) implements Reconciliation {}

  /** It certainly did not arrive. */
  record Absent() implements Reconciliation {}

  /** The platform cannot tell. */
  record Inconclusive() implements Reconciliation {}
}
