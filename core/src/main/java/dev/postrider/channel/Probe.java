package dev.postrider.channel;

/** What a cheap call without visible effect told about an account. */
public sealed interface Probe {
  /** The platform knows the account; {@code identity} is what it calls it. */
  record Healthy(String identity) implements Probe {}

  /** The platform refuses the account. */
  record Broken(String cause) implements Probe {}

  /** The platform could not be asked. */
  record Unreachable(String cause) implements Probe {}
}
