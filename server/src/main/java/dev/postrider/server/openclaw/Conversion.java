package dev.postrider.server.openclaw;

import dev.postrider.MessagePlanner;
import dev.postrider.config.DeliverySettings;
import dev.postrider.message.Attachment;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Ids;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.ImportedMessage;
import dev.postrider.store.message.NewMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the messages that are stored of an entry: planned, with their attempts and their due time.
 */
final class Conversion {
  private final MessagePlanner planner;
  private final Ids ids;
  private final Judge judge;
  private final Map<String, Map<String, String>> movedChats;

  /**
   * @param movedChats the names that chats have now, by account and former name
   */
  Conversion(
      MessagePlanner planner, Ids ids, Judge judge, Map<String, Map<String, String>> movedChats) {
    this.planner = planner;
    this.ids = ids;
    this.judge = judge;
    this.movedChats = movedChats;
  }

  /**
   * An entry's messages, and what becomes of it.
   *
   * @param fate that of its worst message
   * @param unsendable why messages of it that were to be sent cannot be
   */
  record Converted(Fate fate, List<ImportedMessage> messages, List<String> unsendable) {}

  Converted convert(QueueEntry entry, EntryQueue.Standing standing, AccountMap.Target target)
      throws Unusable {
    Judge.Verdict verdict = judge.of(entry, standing);
    List<ImportedMessage> messages = new ArrayList<>();
    List<String> unsendable = new ArrayList<>();
    for (Message message : new EntryMessages(entry, target).all()) {
      MessageId id = ids.nextMessageId();
      Judge.Verdict own = verdict;
      MessagePlanner.Planned planned;
      try {
        planned = planner.plan(id, message, target.channel(), target.account());
      } catch (InvalidInput e) {
        planned = new MessagePlanner.Planned(message, asGiven(id, message));
        if (verdict.fate().status() == Status.QUEUED && !waits(message, target)) {
          own = new Judge.Verdict(Fate.UNSENDABLE, e.first().toString());
          unsendable.add(e.first().toString());
        }
      }
      messages.add(stored(id, planned, entry, own, target.account().delivery()));
    }
    Fate fate = unsendable.isEmpty() ? verdict.fate() : Fate.UNSENDABLE;
    return new Converted(fate, messages, unsendable);
  }

  /** Only an account that is there can tell what it takes; but a file that is gone is gone. */
  private static boolean waits(Message message, AccountMap.Target target) {
    return !target.isConfigured()
        && message.media().stream().allMatch(file -> file.url().matches("(?i)https?:.*"));
  }

  /** For what cannot be planned: a dead letter to be looked at, or for its account to refuse. */
  private static Plan asGiven(MessageId id, Message message) {
    List<Part> parts = new ArrayList<>();
    for (Media file : message.media()) {
      parts.add(
          Part.carrying(
              List.of(
                  new Attachment(
                      file.url(),
                      file.kind() == null ? MediaKind.DOCUMENT : file.kind(),
                      file.filename(),
                      null,
                      -1,
                      file.loop(),
                      file.asDocument()))));
    }
    String text = message.text();
    if (text != null) {
      parts.add(Part.plain(text));
    }
    return new Plan(id, parts.isEmpty() ? List.of(Part.bare()) : parts);
  }

  private ImportedMessage stored(
      MessageId id,
      MessagePlanner.Planned planned,
      QueueEntry entry,
      Judge.Verdict verdict,
      DeliverySettings delivery) {
    Message message = planned.message();
    Map<String, String> moved = movedChats.getOrDefault(message.account(), Map.of());
    Instant now = judge.now();
    Instant enqueued = judge.enqueued(entry);
    Instant born = enqueued == null ? now : enqueued;
    boolean ended = verdict.fate().status() != Status.QUEUED;
    Instant tried = tried(entry, born);
    Instant due = ended ? now : due(entry, tried, delivery);
    return new ImportedMessage(
        new NewMessage(
            id,
            message.withTo(moved.getOrDefault(message.to(), message.to())),
            planned.plan(),
            Progress.none(planned.plan().parts().size()),
            born,
            due,
            born.plus(judge.maxAge()),
            null,
            Long.MAX_VALUE,
            null,
            null,
            entry.outcomeUnknown()),
        Objects.requireNonNull(verdict.fate().status()),
        entry.attempts(),
        tried,
        ended ? now : null,
        verdict.why(),
        verdict.fate().reason(),
        lastAttempt(entry, tried, ended ? null : due));
  }

  /** When it was tried last, if that was after it was enqueued and not in the future. */
  private @Nullable Instant tried(QueueEntry entry, Instant born) {
    Instant tried = entry.moment("lastAttemptAt");
    return tried == null || tried.isBefore(born) || tried.isAfter(judge.now()) ? null : tried;
  }

  /** The back-off goes on where it was. */
  private Instant due(QueueEntry entry, @Nullable Instant tried, DeliverySettings delivery) {
    int failed = entry.attempts();
    if (failed == 0 || tried == null) {
      return judge.now();
    }
    List<Duration> backoff = delivery.backoff();
    return tried.plus(backoff.get(Math.min(failed, backoff.size()) - 1));
  }

  private static @Nullable HistoryEntry lastAttempt(
      QueueEntry entry, @Nullable Instant tried, @Nullable Instant due) {
    String error = QueueEntry.text(entry.fields(), "lastError");
    return tried == null || entry.attempts() == 0
        ? null
        : new HistoryEntry(tried, entry.attempts(), 0, "before-import", error, due);
  }
}
