package dev.postrider.store;

import java.util.SortedMap;

/**
 * Brings everything that a store holds under the key that encrypts now, or leaves it unencrypted if
 * none does. Goes in small steps, each durable by itself: whoever is stopped begins again, and
 * passes over what is done. Used by one thread.
 */
public interface Reencryption {
  /** What stands for the lack of a key among their names. */
  String NOT_ENCRYPTED = "none";

  /** How many contents and files there are under which key, by its name. Reads everything. */
  SortedMap<String, Long> count();

  /**
   * What a step has come to.
   *
   * @param looked contents that were looked at
   * @param changed those of them that are under another key now
   * @param unreadable those that stay as they are, since they do not decrypt
   * @param done whether all was looked at
   */
  record Step(long looked, long changed, long unreadable, boolean done) {}

  /** Takes the next contents. */
  Step next();

  /**
   * Everything was looked at: the store needs no other key from now on, and what it can overwrite
   * of the old contents is overwritten.
   */
  void finish();
}
