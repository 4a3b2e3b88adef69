package dev.postrider.server.api;

import dev.postrider.server.config.HealthSettings;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.Stats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds what is not well with a server that is up. Thread-safe. */
public final class HealthCheck {
  private static final String SQLITE = "sqlite:";
  private static final long MEGABYTE = 1 << 20;

  private final HealthSettings settings;
  private final @Nullable Path folder;
  private final Supplier<List<String>> others;

  public HealthCheck(HealthSettings settings, String store) {
    this(settings, store, List::of);
  }

  /**
   * @param store the store's address; the disk is looked at if that is a file
   * @param others further things that are not well
   */
  public HealthCheck(HealthSettings settings, String store, Supplier<List<String>> others) {
    this.settings = settings;
    this.others = others;
    this.folder =
        store.startsWith(SQLITE)
            ? Path.of(store.substring(SQLITE.length())).toAbsolutePath().getParent()
            : null;
  }

  /** What is not well, in sentences; nothing if all is well. */
  public List<String> reasons(Stats stats) {
    List<String> reasons = new ArrayList<>();
    if (!stats.durable()) {
      reasons.add("The store is in memory; nothing survives a restart.");
    }
    if (stats.storeDownBecause() != null) {
      reasons.add("The store takes no writes: " + stats.storeDownBecause());
    }
    for (AccountView account : stats.accounts()) {
      if (account.health() == Health.BROKEN || account.health() == Health.UNREACHABLE) {
        reasons.add(
            "Account %s is %s%s: %s"
                .formatted(
                    account.id(),
                    account.health().label(),
                    since(account.since()),
                    account.reason()));
      }
      if (account.listening().isDeaf()) {
        reasons.add(
            "Account %s hears nothing%s: %s"
                .formatted(
                    account.id(), since(account.listening().since()), account.listening().cause()));
      }
      waiting(account, stats.at(), reasons);
    }
    if (stats.rescued() > 0) {
      reasons.add(
          ("The safety sweep had to start %d things since the start that nobody looked"
                      + " after; the log")
                  .formatted(stats.rescued())
              + " says which.");
    }
    disk(reasons);
    reasons.addAll(others.get());
    return reasons;
  }

  private static String since(@Nullable Instant when) {
    return when == null ? "" : " since " + when.truncatedTo(ChronoUnit.MILLIS);
  }

  /** An account that was paused on purpose may wait as long as it likes. */
  private void waiting(AccountView account, Instant now, List<String> reasons) {
    @Nullable Instant oldest = account.oldestWaitingAt();
    @Nullable Duration limit = settings.oldestWaiting().orElse(null);
    if (oldest != null
        && limit != null
        && account.health() != Health.PAUSED
        && Duration.between(oldest, now).compareTo(limit) > 0) {
      reasons.add(
          "Account %s has a message that waits since %s."
              .formatted(account.id(), oldest.truncatedTo(ChronoUnit.MILLIS)));
    }
  }

  private void disk(List<String> reasons) {
    if (folder == null || settings.diskFree() == 0) {
      return;
    }
    try {
      long free = Files.getFileStore(folder).getUsableSpace();
      if (free < settings.diskFree()) {
        reasons.add(
            "The disk of %s has %d MB left; below %d MB it counts as nearly full."
                .formatted(folder, free / MEGABYTE, settings.diskFree() / MEGABYTE));
      }
    } catch (IOException e) {
      reasons.add("The disk of " + folder + " cannot be looked at: " + e.getMessage());
    }
  }
}
