package dev.postrider.bench.scale;

import java.util.ArrayList;
import java.util.List;

/** How long messages waited, from hand-in until they left, by who sent them, how and when. */
final class Waits {
  private static final int LARGEST = 1000; // one in so many is one of the largest

  private final int largest;
  private final List<Durations> all = new ArrayList<>();

  Waits(int accounts) {
    largest = Math.max(1, accounts / LARGEST);
    for (int i = 0; i < 8; i++) {
      all.add(new Durations());
    }
  }

  void add(int account, boolean fanout, long handedIn, long left) {
    boolean large = account < largest;
    of(large, fanout, false).add(left - handedIn);
    if (Traffic.isPeak(handedIn)) {
      of(large, fanout, true).add(left - handedIn);
    }
  }

  Durations of(boolean large, boolean fanout, boolean peak) {
    return all.get((large ? 4 : 0) + (fanout ? 2 : 0) + (peak ? 1 : 0));
  }

  int largest() {
    return largest;
  }
}
