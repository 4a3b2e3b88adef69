package dev.postrider.message;

/** Live replies go before bulk traffic on the same account; bulk is never starved. */
public enum Priority {
  LIVE,
  BULK
}
