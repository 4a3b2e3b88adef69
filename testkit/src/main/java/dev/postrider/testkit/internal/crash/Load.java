package dev.postrider.testkit.internal.crash;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Producers that do what careful producers do: number their messages, give each an idempotency key,
 * and hand a message in again until it is acknowledged, whatever happens to the servers meanwhile.
 * One producer per lane, so that the order in which a lane's messages were acknowledged is known,
 * through whichever server each of them went in.
 */
final class Load {
  private static final Duration AGAIN = Duration.ofMillis(15);

  /** A chat of an account; no two accounts have a chat of the same name. */
  record Lane(String account, String chat) {}

  /** An acknowledged message: the parts it must become, in order. */
  record Sent(Lane lane, int number, String id, List<String> parts) {}

  /** Where to hand a message in; asked again for every try. */
  @FunctionalInterface
  interface Door {
    Api choose(RandomGenerator random);
  }

  private final Door door;
  private final Duration pause;
  private final Map<Lane, List<Sent>> acknowledged = new ConcurrentHashMap<>();
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final List<Thread> producers = new ArrayList<>();
  private final CountDownLatch done;
  private final Progress progress = new Progress();
  private volatile boolean stopping;

  /**
   * @param pause how long a producer waits on average before its next message
   */
  Load(Door door, List<Lane> lanes, Duration pause, RandomGenerator.SplittableGenerator random) {
    this.door = door;
    this.pause = pause;
    this.done = new CountDownLatch(lanes.size());
    for (Lane lane : lanes) {
      acknowledged.put(lane, new ArrayList<>());
      RandomGenerator own = random.split();
      producers.add(Thread.ofVirtual().unstarted(() -> produce(lane, own)));
    }
  }

  /** Lanes of one account. */
  static List<Lane> lanes(String account, int firstChat, int count) {
    return IntStream.range(firstChat, firstChat + count)
        .mapToObj(chat -> new Lane(account, Integer.toString(chat)))
        .toList();
  }

  void start() {
    producers.forEach(Thread::start);
  }

  /** Returns when so many messages more were acknowledged. */
  void awaitMore(int messages) throws InterruptedException {
    progress.awaitMore(messages);
  }

  /** Lets every producer give up, whatever it is about. */
  void abandon() {
    stopping = true;
    producers.forEach(Thread::interrupt);
  }

  /** Lets every producer finish the message it is about. */
  void finish() throws InterruptedException {
    stopping = true;
    done.await();
  }

  /** What was acknowledged, by lane; to be read once the load has finished. */
  Map<Lane, List<Sent>> acknowledged() {
    return acknowledged;
  }

  /** Messages that were refused for good; there should be none. */
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  private void produce(Lane lane, RandomGenerator random) {
    try {
      List<Sent> own = acknowledged.getOrDefault(lane, new ArrayList<>());
      for (int number = 0; !stopping; number++) {
        List<String> parts = parts(lane.chat, number, random.nextInt(20) == 0 ? 3 : 1);
        Sent sent = handIn(lane, number, parts, random);
        if (sent == null) {
          return;
        }
        own.add(sent);
        progress.step();
        LockSupport.parkNanos(random.nextLong(2 * pause.toNanos()));
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

  private @Nullable Sent handIn(Lane lane, int number, List<String> parts, RandomGenerator random) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("account", lane.account);
    message.put("to", lane.chat);
    message.put("text", String.join("\n\n", parts));
    message.put("idempotencyKey", lane.chat + "-" + number);
    while (true) {
      try {
        Api.Answer answer = door.choose(random).post(message);
        if (answer.status() == 202 || answer.status() == 200) {
          return new Sent(lane, number, answer.body().path("id").asString(""), parts);
        }
        if (answer.status() < 500 && answer.status() != 429) {
          refusals.add("refused: " + lane + "/" + number + ": " + answer);
          return null;
        }
      } catch (IOException e) {
        // The server is down, or went down before it answered: the same message goes in again.
      }
      LockSupport.parkNanos(AGAIN.toNanos());
    }
  }
}
