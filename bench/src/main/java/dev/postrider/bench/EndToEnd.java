package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.QueueSettings;
import dev.postrider.message.Message;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** In process, on a platform that takes everything at once: throughput, and latency when idle. */
final class EndToEnd {
  static final String TEXT = "x".repeat(160);

  private EndToEnd() {}

  static Postrider open(Path file, NoopChannel channel) {
    return open(file, EncryptionKeys.OFF, channel);
  }

  private static Postrider open(Path file, EncryptionKeys keys, NoopChannel channel) {
    SystemScheduler time = new SystemScheduler();
    PostriderConfig config =
        PostriderConfig.store("sqlite:" + file)
            .queue(
                QueueSettings.DEFAULTS.with(s -> s.maxQueueDepth = s.maxAccountDepth = 10_000_000))
            .account(AccountConfig.of("bot", "noop"))
            .account(AccountConfig.of("backlog", "noop"));
    return Postrider.open(
        config,
        time,
        new SqliteStoreProvider().open("sqlite:" + file, ClusterSettings.of("test"), keys, time),
        () -> ThreadLocalRandom.current().nextLong(),
        List.of(channel));
  }

  /** Messages per second. */
  static double throughput(Path file, int messages, int chats) throws InterruptedException {
    return throughput(file, EncryptionKeys.OFF, messages, chats);
  }

  /** Messages per second, with contents under these keys. */
  static double throughput(Path file, EncryptionKeys keys, int messages, int chats)
      throws InterruptedException {
    try (Postrider postrider = open(file, keys, new NoopChannel())) {
      return Load.run(
          List.of(postrider),
          messages,
          n -> postrider.send(Message.to("bot", "chat-" + n % chats).text(TEXT).build()));
    }
  }

  static double[] idleLatency(Path file, int messages) {
    NoopChannel channel = new NoopChannel();
    try (Postrider postrider = open(file, channel)) {
      return idleLatency(postrider, channel, messages);
    }
  }

  /**
   * Milliseconds from hand-in to platform request, one message at a time: median and 99th
   * percentile.
   */
  static double[] idleLatency(Postrider postrider, NoopChannel channel, int messages) {
    double[] millis = new double[messages];
    for (int n = -200; n < messages; n++) {
      channel.expectFirst();
      long start = System.nanoTime();
      postrider.send(Message.to("bot", "chat-" + n).text(TEXT).build());
      long sent = channel.awaitFirst();
      if (n >= 0) {
        millis[n] = (sent - start) / 1e6;
      }
    }
    Arrays.sort(millis);
    return new double[] {millis[messages / 2], millis[messages * 99 / 100]};
  }
}
