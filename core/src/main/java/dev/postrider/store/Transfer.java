package dev.postrider.store;

import dev.postrider.pace.Budget;
import java.util.List;

/**
 * Takes everything out of a store, or puts it in: for moving from one kind of store to another.
 * Nobody else may work on either store meanwhile. Blocks.
 */
public interface Transfer {

  /** What a store holds besides messages. */
  record Notes(List<AccountState> accounts, List<Budget> budgets, List<PausedLane> pausedLanes) {}

  /** Why this store cannot be moved now, or an empty text. */
  String inUseBecause();

  /** How many messages there are. */
  long count();

  /** Messages in the order of their rows, after this one. */
  List<Carried> messages(long afterRow, int limit);

  Notes notes();

  /** Adds messages; one that is there already is left as it is. Tells how many were added. */
  int add(List<Carried> messages);

  /** Adds what is not there yet. */
  void add(Notes notes);

  /** Of these, the ones that are there, as they are there. */
  List<Carried> find(List<Carried> messages);
}
