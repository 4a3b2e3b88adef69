package dev.postrider.store;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MessageId;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes everything out of a store, or puts it in: for moving from one kind of store to another.
 * Nobody else may work on either store meanwhile. Blocks.
 */
public interface Transfer {

  /**
   * What a store holds besides messages.
   *
   * @param aliases of chats that have moved
   * @param cursors how far each account's stream was read
   */
  record Notes(
      List<AccountState> accounts,
      List<Budget> budgets,
      List<PausedLane> pausedLanes,
      List<ChatAlias> aliases,
      Map<String, String> cursors) {}

  /**
   * What is known of a receipt.
   *
   * @param message that has claimed it, or null
   * @param part of that message; -1 without one
   * @param unclaimedSince null if it is claimed
   */
  record Word(
      String account,
      String receipt,
      @Nullable MessageId message,
      int part,
      @Nullable DeliveryReport furthest,
      @Nullable Instant unclaimedSince) {}

  /**
   * A file in custody.
   *
   * @param keepUntil how long it stays at least, even if no message needs it
   */
  record Held(Blob blob, Instant keepUntil) {}

  /** Why this store cannot be moved now, or an empty text. */
  String inUseBecause();

  /** How many messages there are. */
  long count();

  /** Messages in the order of their rows, after this one. */
  List<Carried> messages(long afterRow, int limit);

  Notes notes();

  /** Files in the order of their hashes, after this one; {@link Store#blobs} has their bytes. */
  List<Held> files(String afterHash, int limit);

  /** What platforms call files, by account, hash and variant, after this one. */
  List<Upload> uploads(@Nullable Upload after, int limit);

  /**
   * An event with what went wrong with it.
   *
   * @param delivered how many messages of its turn were followed and had arrived
   * @param lost how many had ended badly
   */
  record Event(StoredInbound inbound, int delivered, int lost, List<InboundNote> notes) {}

  /** Events in the order of their rows, after this one. */
  List<Event> events(long afterRow, int limit);

  /** Sessions in the order of their ids, after this one. */
  List<SessionView> sessions(String afterId, int limit);

  /** What was said in sessions, by session, time and message, after this one. */
  List<SessionReply> mirrored(@Nullable SessionReply after, int limit);

  /** A reminder with its targets. */
  record Reminder(StoredReminder reminder, List<ReminderTarget> targets) {}

  /** Reminders by id, after this one. */
  List<Reminder> reminders(@Nullable UUID after, int limit);

  /** Runs by id, after this one. */
  List<StoredRun> runs(@Nullable UUID after, int limit);

  /** Targets of a run in their order, from place {@code from}. */
  List<RunTarget> runTargets(UUID run, int from, int limit);

  /** How many messages runs have sent on which day. */
  List<Day> days();

  record Day(String account, LocalDate day, int sent) {}

  /** What is known of receipts, in any order that stays, after this one. */
  List<Word> words(@Nullable Word after, int limit);

  /**
   * Adds messages, whose files are there before them; one that is there already is left as it is.
   * Tells how many were added.
   */
  int add(List<Carried> messages);

  /** Adds what is not there yet. */
  void add(Notes notes);

  /**
   * Adds events, in this order, and whether their sessions wait for them; the sessions are there.
   * One that is there already is left as it is.
   */
  void addEvents(List<Event> events);

  /** Adds sessions that are not there yet, without the events that wait in them. */
  void addSessions(List<SessionView> sessions);

  /** Adds what was said, if it is not there yet. */
  void addMirrored(List<SessionReply> messages);

  /** Adds a reminder, if it is not there yet. */
  void addReminder(Reminder reminder);

  /** Adds a run without its targets, if it is not there yet. */
  void addRun(StoredRun run);

  /** Adds targets of runs, if they are not there yet. */
  void addRunTargets(List<RunTarget> targets);

  /** Adds days that are not there yet. */
  void addDays(List<Day> days);

  /** Of these, the ones that are there, as they are there, but for their rows. */
  List<Event> findEvents(List<Event> events);

  /** Adds those whose receipts are not there yet; the messages that claim them are. */
  void addWords(List<Word> words);

  /** Of these, the ones that are there, as they are there. */
  List<Word> findWords(List<Word> words);

  /** Of these, the ones that are there, as they are there. */
  List<Carried> find(List<Carried> messages);
}
