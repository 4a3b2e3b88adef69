package dev.postrider.bench;

import dev.postrider.config.ClusterSettings;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** Fills a store with messages that wait, through the store's own front door. */
final class Backlog {
  private Backlog() {}

  /**
   * @param paused whether the account is left paused, so that its messages go on waiting
   */
  static void fill(Path file, String account, int messages, int lanes, boolean paused) {
    SystemScheduler time = new SystemScheduler();
    Ids ids = new Ids(time, new SplittableRandom(7));
    try (Store store =
        new SqliteStoreProvider().open("sqlite:" + file, ClusterSettings.of("test"), time)) {
      List<CompletableFuture<AcceptResult>> batch = new ArrayList<>();
      for (int n = 0; n < messages; n++) {
        batch.add(store.accept(entry(ids, time.instant(), account, "lane-" + n % lanes)));
        if (batch.size() == 2_000) {
          batch.forEach(CompletableFuture::join);
          batch.clear();
        }
      }
      batch.forEach(CompletableFuture::join);
      if (paused) {
        store.pauseAccount(account, "benchmark", Instant.now()).join();
      }
    }
    time.close();
  }

  private static NewMessage entry(Ids ids, Instant now, String account, String chat) {
    String text = "x".repeat(160);
    MessageId id = ids.nextMessageId();
    return new NewMessage(
        id,
        Message.to(account, chat).text(text).build(),
        new Plan(id, List.of(Part.plain(text))),
        Progress.none(1),
        now,
        now,
        now.plus(Duration.ofHours(24)),
        null,
        Long.MAX_VALUE,
        null,
        null,
        false);
  }
}
