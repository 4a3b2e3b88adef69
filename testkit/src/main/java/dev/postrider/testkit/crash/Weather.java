package dev.postrider.testkit.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.FakeTelegram.Step;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The platform's faults, drawn at random: slow answers, 429s, 5xx, connections dropped before and
 * after delivery. Remembers which texts were delivered without their answer: those may rightly
 * arrive again.
 */
final class Weather implements FakeTelegram.Script {
  private static final Reply.Answer OK =
      Reply.json(200, "{\"ok\":true,\"result\":{\"message_id\":7,\"date\":0}}");

  private final RandomGenerator random; // guarded by itself
  private final Map<String, Integer> lostAnswers = new ConcurrentHashMap<>();
  private volatile boolean clear;

  Weather(RandomGenerator random) {
    this.random = random;
  }

  /** No more faults. */
  void clearUp() {
    clear = true;
  }

  /** How often this text was delivered without its sender being told. */
  int lostAnswers(String text) {
    return lostAnswers.getOrDefault(text, 0);
  }

  @Override
  public @Nullable Step next(String chat, String text) {
    int draw;
    int millis;
    synchronized (random) {
      draw = random.nextInt(1000);
      millis = 10 + random.nextInt(90);
    }
    if (clear || draw >= 300) {
      return null;
    }
    if (draw < 150) {
      return new Step.Lose(OK.after(Duration.ofMillis(millis)));
    }
    if (draw < 158) {
      return new Step.Refuse(FakeTelegram.tooManyRequests(1));
    }
    if (draw < 200) {
      return new Step.Refuse(FakeTelegram.error(500, "Internal Server Error: restart"));
    }
    if (draw < 250) {
      return new Step.Refuse(new Reply.Reset());
    }
    lostAnswers.merge(text.strip(), 1, Integer::sum); // parts end with the break they were cut at
    return new Step.Lose(new Reply.HangUp());
  }
}
