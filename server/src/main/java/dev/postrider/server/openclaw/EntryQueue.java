package dev.postrider.server.openclaw;

import java.io.IOException;
import java.util.List;

/** Where the entries of a queue lie, whatever keeps them. */
public interface EntryQueue extends AutoCloseable {
  /** Most bytes of an entry. */
  int LARGEST = 16 << 20;

  /** Where the queue itself counts an entry. */
  enum Standing {
    PENDING,
    FAILED,
    DELIVERED
  }

  /**
   * An entry that was not read yet.
   *
   * @param name by which people find it
   * @param id as the place says it; the entry itself has the last word
   */
  record Place(String name, String id, Standing standing) {}

  /** Something that a person should look at, and why. */
  record Noted(String name, String reason) {}

  /** All entries, in the order of their names. */
  List<Place> places();

  /** What was found among them and is none. */
  List<Noted> left();

  /**
   * An entry's bytes.
   *
   * @throws Unusable if they are none that an entry could be
   */
  byte[] read(Place place) throws Unusable;

  /**
   * Puts an entry aside, byte for byte, once it is imported; where the queue must not be changed,
   * does nothing.
   *
   * @throws IOException if that is not possible; then it stays where it is
   */
  void archive(Place place) throws IOException;

  @Override
  void close();
}
