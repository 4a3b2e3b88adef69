package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.FakeTelegram.Step;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
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
  private final Map<String, Integer> deliveries = new ConcurrentHashMap<>();
  private final Set<String> lostAnswers =
      ConcurrentHashMap.newKeySet(); // text and which delivery of it
  private volatile boolean clear;

  Weather(RandomGenerator random) {
    this.random = random;
  }

  /** No more faults. */
  void clearUp() {
    clear = true;
  }

  /** Whether the n-th delivery of this text was kept from its sender. */
  boolean lostAnswer(String text, int delivery) {
    return lostAnswers.contains(delivery + " " + text);
  }

  @Override
  public @Nullable Step next(String chat, String text) {
    int draw;
    int millis;
    synchronized (random) {
      draw = random.nextInt(1000);
      millis = 10 + random.nextInt(90);
    }
    if (!clear && draw < 150) {
      return refusal(draw);
    }
    String plain = text.strip(); // parts end with the break they were cut at
    int delivery = deliveries.merge(plain, 1, Integer::sum);
    if (clear || draw >= 350) {
      return null;
    }
    if (draw < 300) {
      return new Step.Lose(OK.after(Duration.ofMillis(millis)));
    }
    lostAnswers.add(delivery + " " + plain);
    return new Step.Lose(new Reply.HangUp());
  }

  private static Step refusal(int draw) {
    if (draw < 8) {
      return new Step.Refuse(FakeTelegram.tooManyRequests(1));
    }
    return draw < 75
        ? new Step.Refuse(FakeTelegram.error(500, "Internal Server Error: restart"))
        : new Step.Refuse(new Reply.Reset());
  }
}
