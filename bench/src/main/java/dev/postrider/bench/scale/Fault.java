package dev.postrider.bench.scale;

import java.util.BitSet;

/** Something that goes wrong on purpose, and who felt it. */
final class Fault {
  final String name;

  /** Accounts that could not send for a while. */
  int touched;

  /** Accounts of those that had something to send meanwhile. */
  final BitSet felt = new BitSet();

  /** From the moment an account had something to send until it was sent. */
  final Durations stood = new Durations();

  Fault(String name) {
    this.name = name;
  }

  /** Until when somebody cannot send, and why. */
  record Outage(Fault fault, long until) {}
}
