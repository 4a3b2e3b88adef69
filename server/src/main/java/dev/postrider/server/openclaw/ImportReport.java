package dev.postrider.server.openclaw;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an import did, or would do. */
public final class ImportReport {
  private final Map<Fate, Integer> entries = new EnumMap<>(Fate.class);
  private final List<EntryQueue.Noted> unsendable = new ArrayList<>();
  private final List<EntryQueue.Noted> left = new ArrayList<>();
  private final Map<String, Integer> waiting = new TreeMap<>();
  private int messages;

  void add(Fate fate) {
    entries.merge(fate, 1, Integer::sum);
  }

  void unsendable(String name, String reason) {
    unsendable.add(new EntryQueue.Noted(name, reason));
  }

  void left(EntryQueue.Noted one) {
    left.add(one);
  }

  void stored(int count) {
    messages += count;
  }

  void waits(String account, int count) {
    waiting.merge(account, count, Integer::sum);
  }

  /** How many entries there were of each fate. */
  public Map<Fate, Integer> entries() {
    return entries;
  }

  /** What is stored, but not to be sent: a file is not there, the channel cannot carry it. */
  public List<EntryQueue.Noted> unsendable() {
    return unsendable;
  }

  /** What stays where it is. */
  public List<EntryQueue.Noted> left() {
    return left;
  }

  /** How many messages wait for accounts that are not configured. */
  public Map<String, Integer> waiting() {
    return waiting;
  }

  /** How many messages were made of the entries. */
  public int messages() {
    return messages;
  }
}
