package dev.postrider.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether two messages under one idempotency key say the same. Every value is written with
 * its type and length, and maps in key order, so that two different contents never look alike.
 */
public final class ContentHash {
  private final MessageDigest digest;

  private ContentHash(MessageDigest digest) {
    this.digest = digest;
  }

  public static byte[] of(Message message) {
    try {
      ContentHash hash = new ContentHash(MessageDigest.getInstance("SHA-256"));
      hash.add(message.to());
      hash.add(message.text());
      hash.add(message.format().name());
      for (Media media : message.media()) {
        hash.add(media.url());
        hash.add(media.kind() == null ? null : media.kind().label());
        hash.add(media.filename());
        if (media.loop()) {
          hash.add("loop");
        }
        if (media.asDocument()) {
          hash.add("asDocument");
        }
      }
      hash.add(message.threadId());
      hash.add(message.replyToId());
      hash.add(message.silent());
      hash.add(message.channelData());
      hash.add(message.metadata());
      return hash.digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void add(@Nullable Object value) {
    switch (value) {
      case null -> tag('n', 0);
      case Map<?, ?> map -> {
        tag('m', map.size());
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((key, item) -> sorted.put(String.valueOf(key), item));
        sorted.forEach(
            (key, item) -> {
              add(key);
              add(item);
            });
      }
      case Collection<?> items -> {
        tag('l', items.size());
        items.forEach(this::add);
      }
      default -> {
        byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
        tag(value instanceof String ? 's' : 'v', bytes.length);
        digest.update(bytes);
      }
    }
  }

  private void tag(char type, int length) {
    digest.update((type + ":" + length + ":").getBytes(StandardCharsets.US_ASCII));
  }
}
