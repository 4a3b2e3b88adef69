package dev.postrider.channel;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an account remembers of its chats and of itself, over restarts and on every node. A chat
 * that has moved is known by all its names. What a hook, a listening link or an outcome tells is
 * better handed in with it: it is stored in the same write.
 *
 * <p>Calls block. While the store is away they throw {@link NotSentException}: a link asks before
 * its request, and then that is the truth. Thread-safe.
 */
public interface Memory {

  /**
   * The value, unless there is none or it has expired.
   *
   * @param chat null for what belongs to the account as a whole
   */
  Optional<String> read(@Nullable String chat, String key);

  /** Stores it in place of an older one; returns once it is durable. */
  default void write(Remembered remembered) {
    write(List.of(remembered));
  }

  /** Stores all of them in one write, or none; returns once they are durable. */
  void write(List<Remembered> all);

  /**
   * Stores it if the value is still the expected one: of several processes that try, one succeeds.
   * For what may be used once, such as a refresh token.
   *
   * @param expected null: there is none, or it has expired
   * @return whether it was stored
   */
  boolean replace(@Nullable String expected, Remembered by);

  /** Forgets it, if it is there. */
  default void remove(@Nullable String chat, String key) {
    write(Remembered.forget(chat, key));
  }
}
