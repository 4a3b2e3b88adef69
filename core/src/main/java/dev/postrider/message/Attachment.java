package dev.postrider.message;

import org.jspecify.annotations.Nullable;

/**
 * One file of a part, as planned for its channel.
 *
 * @param url where its bytes are: {@code https://…}, {@code http://…} or {@code media:<hash>}
 * @param kind what it is sent as
 * @param type its media type, read from the bytes; null for what is not in custody
 * @param size its bytes; -1 for what is not in custody
 * @param loop play it as a GIF
 * @param asDocument the sender wants it sent as a file, whatever the bytes turn out to be
 */
public record Attachment(
    String url,
    MediaKind kind,
    @Nullable String filename,
    @Nullable String type,
    long size,
    boolean loop,
    boolean asDocument) {

  /** The same file, now in custody. */
  public Attachment held(String hash) {
    return new Attachment(Media.held(hash).url(), kind, filename, type, size, loop, asDocument);
  }

  /** The same file at another address. */
  public Attachment at(String address) {
    return new Attachment(address, kind, filename, type, size, loop, asDocument);
  }

  /** The same file, now that its bytes are known. */
  public Attachment of(String seenType, long seenSize) {
    return new Attachment(url, kind, filename, seenType, seenSize, loop, asDocument);
  }

  public Attachment as(MediaKind other) {
    return new Attachment(url, other, filename, type, size, false, asDocument);
  }

  /** The hash of bytes in custody, or null if they are elsewhere. */
  public @Nullable String hash() {
    return Media.hash(url);
  }
}
