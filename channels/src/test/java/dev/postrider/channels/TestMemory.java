package dev.postrider.channels;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A memory that ends with its process. */
public final class TestMemory implements Memory {
  private record Name(@Nullable String chat, String key) {}

  private final InstantSource time;
  private final Map<Name, Remembered> all = new HashMap<>();

  public TestMemory(InstantSource time) {
    this.time = time;
  }

  @Override
  public synchronized Optional<String> read(@Nullable String chat, String key) {
    return Optional.ofNullable(all.get(new Name(chat, key)))
        .filter(one -> !isOver(one.expiresAt()))
        .map(Remembered::value);
  }

  private boolean isOver(@Nullable Instant expiresAt) {
    return expiresAt != null && !expiresAt.isAfter(time.instant());
  }

  @Override
  public synchronized void write(List<Remembered> some) {
    some.forEach(one -> all.put(new Name(one.chat(), one.key()), one));
  }

  @Override
  public synchronized boolean replace(@Nullable String expected, Remembered by) {
    boolean same = Objects.equals(read(by.chat(), by.key()).orElse(null), expected);
    if (same) {
      write(by);
    }
    return same;
  }
}
