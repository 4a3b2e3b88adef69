package dev.postrider.testkit.internal.crash;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * People who write to a bot, and their platform: it tells each message again until it hears that it
 * was received, and now and then once more. One chat after the other numbers its messages.
 */
final class People {
  private static final Duration AGAIN = Duration.ofMillis(15);

  private final Api api;
  private final String account;
  private final String secret;
  private final Duration pause;
  private final AtomicInteger updates = new AtomicInteger();
  private final AtomicInteger toldAgain = new AtomicInteger();
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>(); // how many, by chat
  private final List<Thread> writers = new ArrayList<>();
  private final CountDownLatch done;
  private final Progress progress = new Progress();
  private volatile boolean stopping;

  People(
      Api api,
      String account,
      String secret,
      int chats,
      Duration pause,
      RandomGenerator.SplittableGenerator random) {
    this.api = api;
    this.account = account;
    this.secret = secret;
    this.pause = pause;
    this.done = new CountDownLatch(chats);
    for (int chat = 1; chat <= chats; chat++) {
      String name = Integer.toString(chat);
      RandomGenerator own = random.split();
      writers.add(Thread.ofVirtual().unstarted(() -> write(name, own)));
    }
  }

  void start() {
    writers.forEach(Thread::start);
  }

  /** Returns when so many messages more were received. */
  void awaitMore(int messages) throws InterruptedException {
    progress.awaitMore(messages);
  }

  void finish() throws InterruptedException {
    stopping = true;
    done.await();
  }

  /** How many messages of each chat were received, by their platform's record. */
  Map<String, Integer> acknowledged() {
    return acknowledged;
  }

  int toldAgain() {
    return toldAgain.get();
  }

  private void write(String chat, RandomGenerator random) {
    try {
      for (int number = 1; !stopping; number++) {
        Map<String, Object> update = update(chat, number);
        tell(update);
        acknowledged.put(chat, number);
        progress.step();
        if (random.nextInt(10) == 0) {
          toldAgain.incrementAndGet();
          tell(update);
        }
        LockSupport.parkNanos(random.nextLong(2 * pause.toNanos()));
      }
    } finally {
      done.countDown();
    }
  }

  private void tell(Map<String, Object> update) {
    while (true) {
      try {
        if (api.hook(account, "X-Telegram-Bot-Api-Secret-Token", secret, update) == 200) {
          return;
        }
      } catch (IOException e) {
        // The server is down, or went down before it answered: it is told again.
      }
      toldAgain.incrementAndGet();
      LockSupport.parkNanos(AGAIN.toNanos());
    }
  }

  private Map<String, Object> update(String chat, int number) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("message_id", number);
    message.put("date", 1_700_000_000);
    message.put("chat", Map.of("id", Integer.parseInt(chat), "type", "private"));
    message.put("from", Map.of("id", Integer.parseInt(chat), "is_bot", false, "first_name", "P"));
    message.put("text", chat + "/" + number);
    return Map.of("update_id", updates.incrementAndGet(), "message", message);
  }
}
