package dev.postrider.channels.sandbox;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one account has delivered: the last 10,000 parts, or fewer if they are long, newest first.
 * Thread-safe.
 */
final class SandboxInbox {
  private static final int KEPT = 10_000;

  /** It is all in memory. */
  private static final long CHARACTERS_KEPT = 8_000_000;

  /** Keys outlive what they delivered, so that a late repeat is still recognised. */
  private static final int KEYS_KEPT = 100_000;

  private final String account;
  private final Deque<SandboxDelivery> deliveries = new ArrayDeque<>();
  private final Map<String, String> idsByKey = new Recent<>(KEYS_KEPT);
  private long lastId;
  private long characters;
  private @Nullable SandboxRecord record;

  SandboxInbox(String account) {
    this.account = account;
  }

  /** Adds what is delivered to a file from now on, and knows again what it holds. */
  synchronized void keepIn(Path file) {
    if (record == null) {
      record = new SandboxRecord(file);
      record.read(
          (key, id) -> {
            idsByKey.putIfAbsent(key, id);
            lastId++;
          });
    }
  }

  /** Delivers the part and gives its id; a repeat under a known key gives the first one's id. */
  synchronized String deliver(Dispatch part, Instant at, boolean deduplicates) {
    String known = idsByKey.get(part.key());
    if (known != null && deduplicates) {
      return known;
    }
    String id = "sandbox-" + ++lastId;
    idsByKey.putIfAbsent(part.key(), id);
    deliveries.addFirst(
        new SandboxDelivery(
            id,
            account,
            part.to(),
            part.text(),
            part.threadId(),
            part.replyToId(),
            part.silent(),
            part.key(),
            at,
            part.cargo().stream().map(PartFile::attachment).toList(),
            part.channelData()));
    if (record != null) {
      record.add(deliveries.getFirst());
    }
    characters += length(deliveries.getFirst());
    while (deliveries.size() > KEPT || (deliveries.size() > 1 && characters > CHARACTERS_KEPT)) {
      characters -= length(deliveries.removeLast());
    }
    return id;
  }

  private static long length(SandboxDelivery delivered) {
    String text = delivered.text();
    return (text == null ? 0L : text.length()) + delivered.channelData().toString().length();
  }

  /** The id that the part under this key got, or null. */
  synchronized @Nullable String find(String key) {
    return idsByKey.get(key);
  }

  /** The newest deliveries, of one chat or of all. */
  synchronized List<SandboxDelivery> list(@Nullable String chat, int limit) {
    return deliveries.stream()
        .filter(delivered -> chat == null || delivered.chat().equals(chat))
        .limit(limit)
        .toList();
  }

  /** A map that forgets its oldest entries. */
  static final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private final int most;

    Recent(int most) {
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > most;
    }
  }
}
