package dev.postrider.bench.scale;

import java.util.random.RandomGenerator;

/**
 * What is handed in, in the order of time: replies of one message or more, and fan-outs to all
 * chats of an account. All accounts have the same day, so their peaks fall together.
 */
final class Traffic {
  private final Population population;
  private final RandomGenerator random;
  private final double peak;
  private final double replies; // in a day
  private long at;

  /** One hand-in: to one chat, or to all of them. */
  record HandIn(long at, int account, boolean fanout) {}

  Traffic(Population population, Conditions conditions, RandomGenerator random) {
    this.population = population;
    this.random = random;
    this.peak = conditions.real("peak");
    double single = population.messages * (1 - conditions.real("fanout"));
    this.replies = single * (1 - conditions.real("more"));
  }

  HandIn next() {
    double all = replies + population.fanouts;
    double mostPerMicro = all * peak / 86_400 / Conditions.SECOND;
    do {
      at += Math.max(1, Math.round(-Math.log(1 - random.nextDouble()) / mostPerMicro));
    } while (random.nextDouble() * peak > shape(at));
    boolean fanout = random.nextDouble() * all > replies;
    Draw draw = fanout ? population.byFanouts : population.byReplies;
    return new HandIn(at, draw.next(random), fanout);
  }

  /** How busy the moment is, as a multiple of the day's mean: the most at 15:00. */
  private double shape(long micros) {
    double hour = micros / 3600.0 / Conditions.SECOND;
    return 1 + (peak - 1) * Math.sin((hour - 9) / 12 * Math.PI);
  }

  static boolean isPeak(long micros) {
    long minute = micros / 60 / Conditions.SECOND % 1440;
    return minute >= 870 && minute < 930;
  }
}
