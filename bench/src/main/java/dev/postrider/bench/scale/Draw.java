package dev.postrider.bench.scale;

import java.util.random.RandomGenerator;

/** Draws an index by its weight in constant time (Walker's alias method). */
final class Draw {
  private final float[] keep;
  private final int[] alias;

  Draw(double[] weights) {
    int n = weights.length;
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    double[] scaled = new double[n];
    int[] open = new int[n]; // the light ones from the left, the heavy ones from the right
    int light = 0;
    int heavy = n;
    for (int i = 0; i < n; i++) {
      scaled[i] = weights[i] * n / sum;
      if (scaled[i] < 1) {
        open[light++] = i;
      } else {
        open[--heavy] = i;
      }
    }
    keep = new float[n];
    alias = new int[n];
    while (light > 0 && heavy < n) {
      int small = open[--light];
      int large = open[heavy];
      keep[small] = (float) scaled[small];
      alias[small] = large;
      scaled[large] -= 1 - scaled[small];
      if (scaled[large] < 1) {
        heavy++;
        open[light++] = large;
      }
    }
    while (light > 0) {
      keep[open[--light]] = 1;
    }
    while (heavy < n) {
      keep[open[heavy++]] = 1;
    }
  }

  int next(RandomGenerator random) {
    int index = random.nextInt(keep.length);
    return random.nextFloat() < keep[index] ? index : alias[index];
  }
}
