package dev.postrider.server.openclaw;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import dev.postrider.MessagePlanner;
import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.message.Ids;
import dev.postrider.store.ImportReceipt;
import dev.postrider.store.ImportedEntry;
import dev.postrider.store.ImportedMessage;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport;
import dev.postrider.store.media.Blobs;
import dev.postrider.store.message.ChatAlias;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Takes over a queue, the oldest entry first.
 *
 * <p>An entry's messages and its receipt are stored in one transaction; only then is the entry put
 * aside. Whoever is interrupted in between finds the receipt the next time, and only puts the entry
 * aside. So nothing is stored twice, and nothing is put aside that is not stored.
 */
public final class OpenclawImport {
  private static final int ENTRIES = 200;
  private static final long BYTES = 8 << 20;
  private static final String SESSIONS = "session-delivery-queue";

  private final EntryQueue queue;
  private final @Nullable StoreExport store;
  private final boolean dryRun;
  private final AccountMap accounts;
  private final Conversion conversion;
  private final Instant now;
  private final ImportReport report = new ImportReport();

  private final Map<String, ImportReceipt> receipts = new HashMap<>(); // of this batch
  private final List<ImportedEntry> batch = new ArrayList<>();
  private final List<EntryQueue.Place> imported = new ArrayList<>();
  private long bytes;

  /**
   * How it is done.
   *
   * @param dryRun nothing is stored and nothing put aside
   * @param maxAge older entries are not sent
   * @param resendUnknown whether those are sent that may have arrived
   * @param accounts ids here by {@code channel:account} or by channel there
   */
  public record Wishes(
      boolean dryRun, Duration maxAge, boolean resendUnknown, Map<String, String> accounts) {}

  /**
   * @param store null if there is none yet, in a dry run
   * @param files where files are taken in
   */
  public OpenclawImport(
      EntryQueue queue,
      @Nullable Store store,
      Blobs files,
      PostriderConfig config,
      Wishes wishes,
      InstantSource clock,
      RandomGenerator random) {
    this.queue = queue;
    this.store = store == null ? null : store.export().orElseThrow();
    this.dryRun = wishes.dryRun;
    this.now = clock.instant();
    this.accounts =
        new AccountMap(
            config.accounts().stream().collect(toMap(AccountConfig::id, one -> one)),
            ServiceLoader.load(Channel.class).stream()
                .map(ServiceLoader.Provider::get)
                .collect(toMap(Channel::name, one -> one)),
            wishes.accounts);
    this.conversion =
        new Conversion(
            new MessagePlanner(files, config.media(), clock),
            new Ids(clock, random),
            new Judge(now, wishes.maxAge, wishes.resendUnknown),
            movedChats(store));
  }

  private static Map<String, Map<String, String>> movedChats(@Nullable Store store) {
    return store == null
        ? Map.of()
        : store.aliases().stream()
            .collect(groupingBy(ChatAlias::account, toMap(ChatAlias::former, ChatAlias::chat)));
  }

  /**
   * The queue at a path: its folder, the folder around it, or the SQLite file of a later version.
   *
   * @throws IOException if there is none, with the reason as a sentence
   */
  public static EntryQueue queueAt(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      return new DatabaseQueue(path);
    }
    if (!Files.isDirectory(path)) {
      throw new IOException("There is no " + path + ".");
    }
    if (String.valueOf(path.toAbsolutePath().normalize().getFileName()).equals(SESSIONS)) {
      throw new IOException(
          path + " is the queue of sessions, which is no queue of messages; give delivery-queue.");
    }
    Path within = path.resolve("delivery-queue");
    return new FolderQueue(Files.isDirectory(within, LinkOption.NOFOLLOW_LINKS) ? within : path);
  }

  /** An entry that can be read, with what puts it in its place. */
  private record Sighted(EntryQueue.Place place, String id, long enqueued) {}

  public ImportReport run() {
    queue.left().forEach(report::left);
    Set<String> delivered = new HashSet<>();
    List<Sighted> sighted = new ArrayList<>();
    for (EntryQueue.Place place : queue.places()) {
      sight(place, sighted, delivered);
    }
    sighted.sort(
        Comparator.comparingLong(Sighted::enqueued).thenComparing(one -> one.place.name()));
    for (Sighted one : sighted) {
      if (delivered.contains(one.id) || delivered.contains(one.place.id())) {
        report.add(Fate.DELIVERED);
        archive(one.place);
      } else {
        take(one.place);
      }
    }
    commit();
    return report;
  }

  private void sight(EntryQueue.Place place, List<Sighted> sighted, Set<String> delivered) {
    boolean arrived = place.standing() == EntryQueue.Standing.DELIVERED;
    if (arrived) {
      delivered.add(place.id());
    }
    try {
      QueueEntry entry = QueueEntry.read(place, queue.read(place));
      Instant enqueued = entry.moment("enqueuedAt");
      if (arrived) {
        delivered.add(entry.id());
      }
      sighted.add(
          new Sighted(
              place, entry.id(), enqueued == null ? Long.MAX_VALUE : enqueued.toEpochMilli()));
    } catch (Unusable e) {
      report.left(new EntryQueue.Noted(place.name(), e.reason()));
    }
  }

  private void take(EntryQueue.Place place) {
    try {
      QueueEntry entry = QueueEntry.read(place, queue.read(place));
      ImportReceipt receipt =
          new ImportReceipt("openclaw/" + entry.id(), entry.size(), entry.sha256(), now);
      ImportReceipt known = known(receipt.name());
      if (known == null) {
        store(place, entry, receipt);
      } else if (known.covers(receipt.size(), receipt.sha256())) {
        report.add(Fate.KNOWN);
        imported.add(place);
      } else {
        throw new Unusable("an entry of its id was imported before, with other content");
      }
    } catch (Unusable e) {
      report.left(new EntryQueue.Noted(place.name(), e.reason()));
    }
    if (batch.size() >= ENTRIES || bytes > BYTES) {
      commit();
    }
  }

  private @Nullable ImportReceipt known(String name) {
    ImportReceipt here = receipts.get(name);
    return here != null || store == null ? here : store.importReceipt(name).orElse(null);
  }

  private void store(EntryQueue.Place place, QueueEntry entry, ImportReceipt receipt)
      throws Unusable {
    AccountMap.Target target =
        accounts.find(entry.required("channel"), QueueEntry.text(entry.fields(), "accountId"));
    Conversion.Converted converted = conversion.convert(entry, place.standing(), target);
    List<ImportedMessage> messages = converted.messages();
    batch.add(new ImportedEntry(receipt, messages));
    receipts.put(receipt.name(), receipt);
    imported.add(place);
    bytes += entry.size();
    report.add(converted.fate());
    report.stored(messages.size());
    converted.unsendable().forEach(why -> report.unsendable(place.name(), why));
    int queued = (int) messages.stream().filter(one -> !one.status().ended()).count();
    if (!target.isConfigured() && queued > 0) {
      report.waits(target.account().id(), queued);
    }
  }

  private void commit() {
    if (!dryRun && store != null) {
      store.addImported(batch);
      receipts.clear(); // a dry run stores none, and remembers them all
    }
    batch.clear();
    bytes = 0;
    imported.forEach(this::archive);
    imported.clear();
  }

  private void archive(EntryQueue.Place place) {
    if (dryRun) {
      return;
    }
    try {
      queue.archive(place);
    } catch (IOException e) {
      report.left(
          new EntryQueue.Noted(
              place.name(),
              "it is dealt with, but could not be renamed (%s: %s)"
                  .formatted(e.getClass().getSimpleName(), e.getMessage())));
    }
  }
}
