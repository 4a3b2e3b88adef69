package dev.postrider.media;

import dev.postrider.message.MediaKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a file is. The bytes tell: a label is only what somebody believes. Where there are no bytes
 * yet, the name has to do.
 */
public final class MediaTypes {
  public static final String UNKNOWN = "application/octet-stream";

  /** How many of the first bytes it takes to tell. */
  public static final int HEAD = 4096;

  private record Magic(int offset, byte[] bytes, String type) {
    boolean marks(byte[] head) {
      if (head.length < offset + bytes.length) {
        return false;
      }
      for (int i = 0; i < bytes.length; i++) {
        if (head[offset + i] != bytes[i]) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Magic> MAGIC =
      List.of(
          magic(0, "\u00ff\u00d8\u00ff", "image/jpeg"),
          magic(0, "\u0089PNG\r\n\u001a\n", "image/png"),
          magic(0, "GIF87a", "image/gif"),
          magic(0, "GIF89a", "image/gif"),
          magic(0, "BM", "image/bmp"),
          magic(0, "II*\0", "image/tiff"),
          magic(0, "MM\0*", "image/tiff"),
          magic(0, "%PDF-", "application/pdf"),
          magic(0, "PK\u0003\u0004", "application/zip"),
          magic(0, "PK\u0005\u0006", "application/zip"),
          magic(0, "\u001f\u008b", "application/gzip"),
          magic(0, "7z\u00bc\u00af\u0027\u001c", "application/x-7z-compressed"),
          magic(0, "Rar!\u001a\u0007", "application/vnd.rar"),
          magic(0, "\u001a\u0045\u00df\u00a3", "video/webm"),
          magic(0, "fLaC", "audio/flac"),
          magic(0, "#!AMR", "audio/amr"),
          magic(0, "ID3", "audio/mpeg"));

  /** By the brand that follows {@code ftyp} in an ISO media file. */
  private static final Map<String, String> BRANDS =
      Map.ofEntries(
          Map.entry("heic", "image/heic"),
          Map.entry("heix", "image/heic"),
          Map.entry("hevc", "image/heic"),
          Map.entry("heim", "image/heic"),
          Map.entry("heis", "image/heic"),
          Map.entry("mif1", "image/heif"),
          Map.entry("msf1", "image/heif"),
          Map.entry("avif", "image/avif"),
          Map.entry("avis", "image/avif"),
          Map.entry("m4a ", "audio/mp4"),
          Map.entry("m4b ", "audio/mp4"),
          Map.entry("qt  ", "video/quicktime"),
          Map.entry("3gp4", "video/3gpp"),
          Map.entry("3gp5", "video/3gpp"),
          Map.entry("3gp6", "video/3gpp"));

  private static final Map<String, String> BY_EXTENSION =
      Map.ofEntries(
          Map.entry("jpg", "image/jpeg"),
          Map.entry("jpeg", "image/jpeg"),
          Map.entry("png", "image/png"),
          Map.entry("gif", "image/gif"),
          Map.entry("webp", "image/webp"),
          Map.entry("bmp", "image/bmp"),
          Map.entry("tiff", "image/tiff"),
          Map.entry("heic", "image/heic"),
          Map.entry("heif", "image/heif"),
          Map.entry("avif", "image/avif"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("mov", "video/quicktime"),
          Map.entry("3gp", "video/3gpp"),
          Map.entry("webm", "video/webm"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("m4a", "audio/mp4"),
          Map.entry("aac", "audio/aac"),
          Map.entry("amr", "audio/amr"),
          Map.entry("flac", "audio/flac"),
          Map.entry("wav", "audio/wav"),
          Map.entry("ogg", "audio/ogg"),
          Map.entry("opus", "audio/ogg"),
          Map.entry("oga", "audio/ogg"),
          Map.entry("pdf", "application/pdf"),
          Map.entry("zip", "application/zip"),
          Map.entry("gz", "application/gzip"),
          Map.entry("txt", "text/plain"),
          Map.entry("csv", "text/csv"),
          Map.entry("html", "text/html"),
          Map.entry("json", "application/json"));

  private static final Map<String, String> EXTENSIONS =
      Map.ofEntries(
          Map.entry("image/jpeg", "jpg"),
          Map.entry("video/quicktime", "mov"),
          Map.entry("video/3gpp", "3gp"),
          Map.entry("audio/mpeg", "mp3"),
          Map.entry("audio/mp4", "m4a"),
          Map.entry("application/gzip", "gz"),
          Map.entry("application/x-7z-compressed", "7z"),
          Map.entry("application/vnd.rar", "rar"),
          Map.entry("text/plain", "txt"));

  private MediaTypes() {}

  private static Magic magic(int offset, String bytes, String type) {
    return new Magic(offset, bytes.getBytes(StandardCharsets.ISO_8859_1), type);
  }

  /** The type of a file that begins like this. */
  public static String of(byte[] head) {
    for (Magic magic : MAGIC) {
      if (magic.marks(head)) {
        return magic.type;
      }
    }
    if (has(head, 4, "ftyp")) {
      return BRANDS.getOrDefault(latin(head, 8, 4).toLowerCase(Locale.ROOT), "video/mp4");
    }
    if (has(head, 0, "RIFF")) {
      return switch (latin(head, 8, 4)) {
        case "WEBP" -> "image/webp";
        case "WAVE" -> "audio/wav";
        case "AVI " -> "video/x-msvideo";
        default -> UNKNOWN;
      };
    }
    if (has(head, 0, "OggS")) {
      return latin(head, 0, 128).contains("theora") ? "video/ogg" : "audio/ogg";
    }
    if (head.length >= 2 && (head[0] & 0xff) == 0xff) {
      int sync = head[1] & 0xff;
      if ((sync & 0xf6) == 0xf0) {
        return "audio/aac";
      }
      if ((sync & 0xe0) == 0xe0 && (sync & 0x06) != 0) {
        return "audio/mpeg";
      }
    }
    return isText(head) ? "text/plain" : UNKNOWN;
  }

  private static boolean has(byte[] head, int offset, String mark) {
    return latin(head, offset, mark.length()).equals(mark);
  }

  private static String latin(byte[] head, int offset, int length) {
    int end = Math.min(head.length, offset + length);
    return end <= offset ? "" : new String(head, offset, end - offset, StandardCharsets.ISO_8859_1);
  }

  private static boolean isText(byte[] head) {
    for (byte one : head) {
      if (one >= 0 && one < ' ' && one != '\n' && one != '\r' && one != '\t' && one != '\f') {
        return false;
      }
    }
    return head.length > 0;
  }

  /** What the name of a file or the path of an address lets expect; null if nothing. */
  public static @Nullable String byName(String name) {
    String path = name.replaceFirst("[?#].*", "");
    int dot = path.lastIndexOf('.');
    return dot < 0 ? null : BY_EXTENSION.get(path.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  /** What a file of this type is to people. */
  public static MediaKind kind(String type) {
    return switch (type.substring(0, Math.max(0, type.indexOf('/')))) {
      case "image" -> MediaKind.IMAGE;
      case "video" -> MediaKind.VIDEO;
      case "audio" -> MediaKind.AUDIO;
      default -> MediaKind.DOCUMENT;
    };
  }

  /** A name for a file that came without one. */
  public static String name(MediaKind kind, @Nullable String type) {
    if (type == null || type.equals(UNKNOWN)) {
      return kind.label();
    }
    String extension = EXTENSIONS.getOrDefault(type, type.substring(type.indexOf('/') + 1));
    return kind.label() + "." + extension;
  }
}
