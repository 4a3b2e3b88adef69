package dev.postrider.testkit.internal.crash;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Programs that handle what people write, and are not very reliable: they hand a message back, take
 * too long over it, or die with it in their hands. They write down what they were given and what
 * they said.
 */
final class Consumers {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration AGAIN = Duration.ofMillis(20);

  /** What one of them has seen. */
  sealed interface Note {
    String text();

    long nanos();
  }

  /** It was given a message. */
  record Given(String text, String id, int attempt, long nanos) implements Note {}

  /** It is about to say that a message is handled: from now on that may be known. */
  record Acking(String text, long nanos) implements Note {}

  /**
   * It said that a message is handled.
   *
   * @param nanos when it heard the answer
   * @param answered whether it answered the person with that
   * @param status what it heard; 0 if the server went away before it said anything
   */
  record Acked(String text, boolean answered, int status, long nanos) implements Note {}

  private final Api api;
  private final Queue<Note> notes = new ConcurrentLinkedQueue<>();
  private final List<Thread> programs = new ArrayList<>();
  private final CountDownLatch done;
  private volatile boolean careful;
  private volatile boolean stopping;

  Consumers(Api api, int count, RandomGenerator.SplittableGenerator random) {
    this.api = api;
    this.done = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      RandomGenerator own = random.split();
      programs.add(Thread.ofVirtual().unstarted(() -> work(own)));
    }
  }

  void start() {
    programs.forEach(Thread::start);
  }

  /** From now on they make no mistakes. */
  void beCareful() {
    careful = true;
  }

  void finish() throws InterruptedException {
    stopping = true;
    done.await();
  }

  /** In the order of time. */
  List<Note> notes() {
    return notes.stream().sorted(Comparator.comparingLong(Note::nanos)).toList();
  }

  private void work(RandomGenerator random) {
    try {
      while (!stopping) {
        try {
          Api.Answer answer =
              api.post(
                  "/v1/inbound/lease",
                  Map.of("max", 3, "wait", "500ms", "leaseFor", LEASE.toMillis() + "ms"));
          long given = System.nanoTime();
          for (JsonNode item : answer.body().path("items")) {
            handle(item, given, random);
          }
        } catch (IOException e) {
          LockSupport.parkNanos(AGAIN.toNanos()); // the server is down
        }
      }
    } finally {
      done.countDown();
    }
  }

  private void handle(JsonNode item, long given, RandomGenerator random) throws IOException {
    JsonNode message = item.path("message");
    String text = message.path("text").asString("");
    notes.add(
        new Given(text, message.path("id").asString(""), item.path("attempt").asInt(0), given));
    String lease = "/v1/inbound/leases/" + item.path("leaseId").asString("");
    int fate = careful ? 100 : random.nextInt(100);
    if (fate < 3) {
      return; // dies
    }
    if (fate < 10) {
      api.post(lease + "/nack", Map.of("delay", "30ms", "error", "not now"));
      return;
    }
    if (fate < 13) {
      LockSupport.parkNanos(LEASE.plusMillis(300).toNanos()); // too slow
    } else if (fate < 20) {
      api.post(lease + "/extend", Map.of("leaseFor", "3s"));
    }
    boolean answers = random.nextInt(3) == 0;
    int status = 0;
    notes.add(new Acking(text, System.nanoTime()));
    try {
      status =
          api.post(lease + "/ack", answers ? Map.of("replies", List.of("re " + text)) : Map.of())
              .status();
    } finally {
      notes.add(new Acked(text, answers, status, System.nanoTime()));
    }
  }
}
