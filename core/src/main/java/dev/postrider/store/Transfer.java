package dev.postrider.store;

import dev.postrider.pace.Budget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes everything out of a store, or puts it in: for moving from one kind of store to another.
 * Nobody else may work on either store meanwhile. Blocks.
 */
public interface Transfer {

  /** What a store holds besides messages. */
  record Notes(List<AccountState> accounts, List<Budget> budgets, List<PausedLane> pausedLanes) {}

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
   * Adds messages, whose files are there before them; one that is there already is left as it is.
   * Tells how many were added.
   */
  int add(List<Carried> messages);

  /** Adds what is not there yet. */
  void add(Notes notes);

  /** Of these, the ones that are there, as they are there. */
  List<Carried> find(List<Carried> messages);
}
