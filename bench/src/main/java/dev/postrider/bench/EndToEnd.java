package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Messages per second, in process, from hand-in to stored outcome. */
final class EndToEnd {
  private EndToEnd() {}

  static double run(Path folder, int messages, int chats, int callers) throws Exception {
    Path file = folder.resolve("bench-" + System.nanoTime() + ".db");
    SystemScheduler time = new SystemScheduler();
    NoopChannel channel = new NoopChannel();
    PostriderConfig config =
        PostriderConfig.store("sqlite:" + file).account(AccountConfig.of("bot", "noop"));
    try (Postrider postrider =
        Postrider.open(
            config,
            time,
            new SqliteStoreProvider().open("sqlite:" + file, time),
            new SplittableRandom(1)::nextLong,
            List.of(channel))) {
      CountDownLatch delivered = new CountDownLatch(messages);
      postrider
          .events()
          .subscribe(
              event -> {
                if (event instanceof Event.Delivered) {
                  delivered.countDown();
                }
              });
      String text = "x".repeat(160);
      AtomicInteger next = new AtomicInteger();
      long start = System.nanoTime();
      for (int i = 0; i < callers; i++) {
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int n = next.getAndIncrement(); n < messages; n = next.getAndIncrement()) {
                    postrider.send(Message.to("bot", "chat-" + n % chats).text(text).build());
                  }
                });
      }
      delivered.await();
      return messages / ((System.nanoTime() - start) / 1e9);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "bench-data");
    Files.createDirectories(folder);
    for (int round = 0; round < 3; round++) {
      for (int chats : new int[] {100, 10_000}) {
        for (int callers : new int[] {256, 1000}) {
          System.out.printf(
              "%d chats, %d callers: %.0f messages/s%n",
              chats, callers, run(folder, 100_000, chats, callers));
        }
      }
    }
  }
}
