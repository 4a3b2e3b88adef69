package dev.postrider.bench.scale;

/**
 * Which cluster an account belongs to: the one with the highest hash of both (rendezvous hashing).
 * A cluster that is added takes its share from all others, and nothing moves between those.
 */
final class Placement {
  private Placement() {}

  static int cluster(int account, int clusters) {
    int best = 0;
    for (int cluster = 1; cluster < clusters; cluster++) {
      if (Long.compareUnsigned(hash(account, cluster), hash(account, best)) > 0) {
        best = cluster;
      }
    }
    return best;
  }

  private static long hash(int account, int cluster) {
    long bits = ((long) account << 32 | cluster) * 0x9E3779B97F4A7C15L;
    bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
    return bits ^ bits >>> 31;
  }
}
