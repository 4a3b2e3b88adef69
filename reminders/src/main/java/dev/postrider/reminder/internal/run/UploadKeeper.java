package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.message.Media;
import dev.postrider.problem.InvalidInput;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.StoredReminder;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the uploads that reminders will send. Custody lets go of what no message needs; a reminder
 * may need a picture only next month. So each is taken in again now and then, which costs a read
 * and moves the day on which it may be swept. Belongs to the run scheduler's task but for {@link
 * #require}.
 */
public final class UploadKeeper {
  private static final Logger log = LoggerFactory.getLogger(UploadKeeper.class);
  private static final Duration EVERY = Duration.ofHours(12);
  private static final Duration LONG_ENOUGH = Duration.ofHours(48);
  private static final int PAGE = 100;

  private final Postrider postrider;
  private final ReminderStore store;
  private Instant next = Instant.MIN;

  public UploadKeeper(Postrider postrider) {
    this.postrider = postrider;
    this.store = postrider.store(StoreAccess.OWN).reminders();
  }

  /**
   * Keeps the uploads of a script from now on.
   *
   * @throws InvalidInput if one is not here
   */
  public void require(FrozenReminder script) {
    for (int i = 0; i < script.messages().size(); i++) {
      for (Media file : script.messages().get(i).media()) {
        String hash = file.hash();
        if (hash != null && !keep(hash)) {
          throw new InvalidInput(
              "messages[" + i + "].media",
              "the upload " + hash + " is not here, or not any more; upload it again");
        }
      }
    }
  }

  /** Keeps what the reminders of these accounts, and these runs, will send; now and then. */
  void round(Set<String> accounts, Collection<ActiveRun> shows, NextWakeUp agenda) {
    Instant now = postrider.time().instant();
    if (!now.isBefore(next)) {
      next = now.plus(EVERY);
      shows.forEach(activeRun -> keep(activeRun.script));
      accounts.forEach(this::keepOf);
    }
    agenda.at(next);
  }

  private void keepOf(String account) {
    String cursor = null;
    do {
      Page<StoredReminder> page = store.reminders(account, cursor, PAGE);
      page.items().forEach(reminder -> keep(ScriptJson.read(reminder.document())));
      cursor = page.next();
    } while (cursor != null);
  }

  private void keep(FrozenReminder script) {
    for (Content message : script.messages()) {
      for (Media file : message.media()) {
        String hash = file.hash();
        if (hash != null && !keep(hash)) {
          log.warn("Reminder '{}' needs the upload {}, which is gone", script.name(), hash);
        }
      }
    }
  }

  /** False if it is not there. */
  private boolean keep(String hash) {
    Blobs blobs = postrider.store(StoreAccess.OWN).blobs();
    Blob blob = blobs.find(hash).orElse(null);
    if (blob == null) {
      return false;
    }
    try (InputStream bytes = blobs.open(hash)) {
      Instant until = postrider.time().instant().plus(LONG_ENOUGH);
      blobs.take(bytes, blob.type(), blob.size(), until);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
