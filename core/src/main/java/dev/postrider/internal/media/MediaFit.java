package dev.postrider.internal.media;

import dev.postrider.channel.MediaRules;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.store.media.Blob;
import org.jspecify.annotations.Nullable;

/** How a file can be sent on a channel: as what it is, else as a document, else not at all. */
public final class MediaFit {
  private static final String GIF = "image/gif";

  private MediaFit() {}

  /** Bytes at hand, as the channel can take them; null if it cannot. */
  public static @Nullable Attachment fit(Media file, Blob blob, MediaRules rules) {
    String type = MediaTypes.of(blob.type(), file.filename());
    MediaKind kind = kind(file, type, blob.size(), rules);
    return kind == null ? null : attachment(file, kind, type, rules).of(type, blob.size());
  }

  /** A file known by its address alone, taken for what it is called. */
  public static @Nullable Attachment unseen(Media file, MediaRules rules) {
    String type = MediaTypes.byName(file.filename() == null ? file.url() : file.filename());
    MediaKind kind = kind(file, type, 0, rules);
    return kind == null ? null : attachment(file, kind, type, rules);
  }

  /** What was taken for what it is called, now that the bytes are here; null if it cannot go. */
  static @Nullable Attachment seen(Attachment guess, Blob blob, MediaRules rules) {
    MediaKind said = guess.kind() == MediaKind.DOCUMENT ? null : guess.kind();
    Media file = new Media(guess.url(), said, guess.filename(), guess.loop(), guess.asDocument());
    return fit(file, blob, rules);
  }

  private static @Nullable MediaKind kind(
      Media file, @Nullable String type, long size, MediaRules rules) {
    MediaKind kind = rules.sendable(wanted(file, type), type, size);
    boolean moving = GIF.equals(type) && rules.loops() && !isDocument(file);
    return moving && kind != MediaKind.IMAGE && rules.takes(MediaKind.VIDEO, type, size)
        ? MediaKind.VIDEO
        : kind;
  }

  private static Attachment attachment(
      Media file, MediaKind kind, @Nullable String type, MediaRules rules) {
    boolean loop = rules.loops() && kind == MediaKind.VIDEO && (file.loop() || GIF.equals(type));
    return new Attachment(file.url(), kind, file.filename(), null, -1, loop, isDocument(file));
  }

  private static boolean isDocument(Media file) {
    return file.asDocument() || file.kind() == MediaKind.DOCUMENT;
  }

  /** Bytes or, failing those, the name have the last word; only what is speech has to be told. */
  private static MediaKind wanted(Media file, @Nullable String type) {
    if (isDocument(file)) {
      return MediaKind.DOCUMENT;
    }
    if (type == null) {
      return file.kind() == null ? MediaKind.DOCUMENT : file.kind();
    }
    MediaKind told = MediaTypes.kind(type);
    return told == MediaKind.AUDIO && file.kind() == MediaKind.VOICE ? MediaKind.VOICE : told;
  }
}
