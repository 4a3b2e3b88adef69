package dev.postrider.media;

import dev.postrider.message.MediaKind;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a file is. The bytes tell: a label is only what somebody believes. Where there are no bytes
 * yet, the name has to do.
 */
public final class MediaTypes {
  public static final String UNKNOWN = "application/octet-stream";

  private static final String ZIP = "application/zip";

  /** The container of Office's files before 2007. */
  private static final String OLE = "application/x-ole-storage";

  private static final String TEXT = "text/plain";
  private static final String OFFICE = "application/vnd.openxmlformats-officedocument.";
  private static final String OPEN_DOCUMENT = "application/vnd.oasis.opendocument.";

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
          magic(0, "II*\0", "image/tiff"),
          magic(0, "MM\0*", "image/tiff"),
          magic(0, "%PDF-", "application/pdf"),
          magic(0, "PK\u0005\u0006", ZIP),
          magic(0, "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1", OLE),
          magic(0, "\u001f\u008b", "application/gzip"),
          magic(0, "7z\u00bc\u00af\u0027\u001c", "application/x-7z-compressed"),
          magic(0, "Rar!\u001a\u0007", "application/vnd.rar"),
          magic(0, "\u001a\u0045\u00df\u00a3", "video/webm"),
          magic(0, "fLaC", "audio/flac"),
          magic(0, "#!AMR", "audio/amr"));

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
          Map.entry("zip", ZIP),
          Map.entry("docx", OFFICE + "wordprocessingml.document"),
          Map.entry("xlsx", OFFICE + "spreadsheetml.sheet"),
          Map.entry("pptx", OFFICE + "presentationml.presentation"),
          Map.entry("odt", OPEN_DOCUMENT + "text"),
          Map.entry("ods", OPEN_DOCUMENT + "spreadsheet"),
          Map.entry("odp", OPEN_DOCUMENT + "presentation"),
          Map.entry("epub", "application/epub+zip"),
          Map.entry("apk", "application/vnd.android.package-archive"),
          Map.entry("jar", "application/java-archive"),
          Map.entry("doc", "application/msword"),
          Map.entry("xls", "application/vnd.ms-excel"),
          Map.entry("ppt", "application/vnd.ms-powerpoint"),
          Map.entry("gz", "application/gzip"),
          Map.entry("txt", TEXT),
          Map.entry("csv", "text/csv"),
          Map.entry("html", "text/html"),
          Map.entry("md", "text/markdown"),
          Map.entry("ics", "text/calendar"),
          Map.entry("vcf", "text/vcard"),
          Map.entry("xml", "application/xml"),
          Map.entry("json", "application/json"));

  /** Types whose files are of another one as well: the bytes tell this one, the name the other. */
  private static final Map<String, Set<String>> WITHIN =
      Map.of(
          ZIP, extensions("docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "apk", "jar"),
          OLE, extensions("doc", "xls", "ppt"),
          TEXT, extensions("csv", "html", "md", "ics", "vcf", "xml", "json"));

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
          Map.entry("audio/ogg", "ogg"),
          Map.entry(TEXT, "txt"));

  private MediaTypes() {}

  private static Set<String> extensions(String... names) {
    return Stream.of(names).map(BY_EXTENSION::get).collect(Collectors.toUnmodifiableSet());
  }

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
    if (isBitmap(head)) {
      return "image/bmp";
    }
    if (isId3(head)) {
      return "audio/mpeg";
    }
    if (has(head, 0, "PK\u0003\u0004")) {
      return zipped(head);
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
    return isText(head) ? TEXT : UNKNOWN;
  }

  /**
   * The same, where the name may say more: what holds files for a word processor is a zip archive
   * as well, and a table is text. A name that says anything else is not believed.
   */
  public static String of(String type, @Nullable String name) {
    String named = name == null ? null : byName(name);
    return named != null && WITHIN.getOrDefault(type, Set.of()).contains(named) ? named : type;
  }

  /** Two letters are not enough: the header that follows them has one of a few sizes. */
  private static boolean isBitmap(byte[] head) {
    return has(head, 0, "BM")
        && head.length >= 18
        && has(head, 15, "\0\0\0")
        && Set.of(12, 40, 52, 56, 64, 108, 124).contains((int) head[14]);
  }

  /** A version that exists, and a size of which no byte has its highest bit set. */
  private static boolean isId3(byte[] head) {
    return has(head, 0, "ID3")
        && head.length >= 10
        && head[3] >= 2
        && head[3] <= 4
        && (head[5] & 0x0f) == 0
        && (head[6] | head[7] | head[8] | head[9]) >= 0;
  }

  /** What an archive is by the files in it, as far as their names are in sight. */
  private static String zipped(byte[] head) {
    if (has(head, 30, "mimetype" + OPEN_DOCUMENT)) {
      return BY_EXTENSION.values().stream()
          .filter(type -> has(head, 38, type + "PK"))
          .findAny()
          .orElse(ZIP);
    }
    if (has(head, 30, "mimetypeapplication/epub+zip")) {
      return "application/epub+zip";
    }
    String names = latin(head, 0, HEAD);
    if (!names.contains("[Content_Types].xml") && !names.contains("_rels/.rels")) {
      return ZIP;
    }
    return names.contains("word/")
        ? OFFICE + "wordprocessingml.document"
        : names.contains("xl/")
            ? OFFICE + "spreadsheetml.sheet"
            : names.contains("ppt/") ? OFFICE + "presentationml.presentation" : ZIP;
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
    return kind.label() + "." + extension(type);
  }

  private static String extension(String type) {
    String chosen = EXTENSIONS.get(type);
    return chosen != null
        ? chosen
        : BY_EXTENSION.entrySet().stream()
            .filter(entry -> entry.getValue().equals(type))
            .map(Map.Entry::getKey)
            .min(Comparator.naturalOrder())
            .orElseGet(() -> type.substring(type.indexOf('/') + 1));
  }
}
