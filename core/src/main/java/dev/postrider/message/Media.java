package dev.postrider.message;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One file to attach, as the sender gave it.
 *
 * @param url where its bytes are: {@code https://…}, {@code http://…}, {@code data:…}, {@code
 *     media:<id>} for what is in custody, or {@code file:/…} from the library only
 * @param kind what the sender takes it for; the bytes have the last word
 * @param loop play a video again and again without sound, as a GIF, where the platform can
 * @param asDocument send it as a file, whatever it is
 */
public record Media(
    String url,
    @Nullable MediaKind kind,
    @Nullable String filename,
    boolean loop,
    boolean asDocument) {
  private static final String CUSTODY = "media:";

  /** A file by its address. */
  public static Media at(String url) {
    return new Media(url, null, null, false, false);
  }

  /** A local file; its bytes are taken into custody before the message is accepted. */
  public static Media file(Path file) {
    return at(file.toUri().toString()).named(String.valueOf(file.getFileName()));
  }

  /** Bytes in custody. */
  public static Media held(String hash) {
    return at(CUSTODY + hash);
  }

  public Media named(@Nullable String name) {
    return new Media(url, kind, name, loop, asDocument);
  }

  public Media ofKind(@Nullable MediaKind other) {
    return new Media(url, other, filename, loop, asDocument);
  }

  public Media looping() {
    return new Media(url, kind, filename, true, asDocument);
  }

  public Media sentAsDocument() {
    return new Media(url, kind, filename, loop, true);
  }

  /** The same file, found elsewhere. */
  public Media movedTo(String other) {
    return new Media(other, kind, filename, loop, asDocument);
  }

  /** The hash of bytes in custody, or null if they are elsewhere. */
  public @Nullable String hash() {
    return hash(url);
  }

  static @Nullable String hash(String url) {
    return url.startsWith(CUSTODY) ? url.substring(CUSTODY.length()) : null;
  }
}
