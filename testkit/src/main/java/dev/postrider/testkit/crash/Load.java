package dev.postrider.testkit.crash;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Producers that do what careful producers do: number their messages, give each an idempotency key,
 * and hand a message in again until it is acknowledged, whatever happens to the server meanwhile.
 * One producer per chat, so that the order in which a chat's messages were acknowledged is known.
 */
final class Load {
  private static final Duration PAUSE = Duration.ofMillis(15);

  /** An acknowledged message: the parts it must become, in order. */
  record Sent(String chat, int number, String id, List<String> parts) {}

  private final Api api;
  private final Map<String, List<Sent>> acknowledged = new ConcurrentHashMap<>();
  private final List<Thread> producers = new ArrayList<>();
  private final CountDownLatch done;
  private volatile boolean stopping;

  Load(Api api, int chats, RandomGenerator.SplittableGenerator random) {
    this.api = api;
    this.done = new CountDownLatch(chats);
    for (int i = 0; i < chats; i++) {
      String chat = Integer.toString(1000 + i);
      acknowledged.put(chat, new ArrayList<>());
      RandomGenerator own = random.split();
      producers.add(Thread.ofVirtual().unstarted(() -> produce(chat, own)));
    }
  }

  void start() {
    producers.forEach(Thread::start);
  }

  /** Lets every producer finish the message it is about. */
  void finish() throws InterruptedException {
    stopping = true;
    done.await();
  }

  Map<String, List<Sent>> acknowledged() {
    return acknowledged;
  }

  private void produce(String chat, RandomGenerator random) {
    try {
      List<Sent> own = acknowledged.getOrDefault(chat, new ArrayList<>());
      for (int number = 0; !stopping; number++) {
        List<String> parts = parts(chat, number, random.nextInt(20) == 0 ? 3 : 1);
        own.add(handIn(chat, number, parts));
        LockSupport.parkNanos(random.nextLong(2 * PAUSE.toNanos()));
      }
    } finally {
      done.countDown();
    }
  }

  /**
   * Parts that the planner will cut apart where one paragraph ends: each nearly fills a Telegram
   * message.
   */
  private static List<String> parts(String chat, int number, int count) {
    List<String> parts = new ArrayList<>();
    for (int part = 0; part < count; part++) {
      String mark = chat + "/" + number + "/" + part;
      parts.add(count == 1 ? mark : mark + " " + "x".repeat(3500));
    }
    return parts;
  }

  private Sent handIn(String chat, int number, List<String> parts) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("account", "tg");
    message.put("to", chat);
    message.put("text", String.join("\n\n", parts));
    message.put("idempotencyKey", chat + "-" + number);
    while (true) {
      try {
        Api.Answer answer = api.post(message);
        if (answer.status() == 202 || answer.status() == 200) {
          return new Sent(chat, number, answer.body().path("id").asString(""), parts);
        }
        if (answer.status() < 500 && answer.status() != 429) {
          throw new AssertionError("refused: " + answer);
        }
      } catch (IOException e) {
        // The server is down, or went down before it answered: the same message goes in again.
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
