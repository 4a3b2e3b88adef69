package dev.postrider.server.api;

import dev.postrider.media.MediaTypes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files of others, answered so that no browser takes them for pages of ours: they are saved and not
 * shown, and what is shown nevertheless may do nothing.
 */
public final class FileAnswer {
  private static final int LONGEST_NAME = 150;

  private FileAnswer() {}

  /**
   * The whole file.
   *
   * @param size below zero if it is not known
   * @param name what its sender calls it; null for a name after its type
   */
  public static ApiResponse of(InputStream bytes, long size, @Nullable String name)
      throws IOException {
    byte[] head = bytes.readNBytes(MediaTypes.HEAD);
    String type = MediaTypes.of(MediaTypes.of(head), name);
    InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), bytes);
    return new ApiResponse.Bytes(200, type, headers(type, name), size, whole);
  }

  /** What goes with every file. */
  public static Map<String, String> headers(String type, @Nullable String name) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Disposition", disposition(type, name));
    headers.put("Content-Security-Policy", "default-src 'none'; sandbox");
    headers.put("Cache-Control", "private, no-store");
    return headers;
  }

  /** RFC 6266, with a name of letters and digits for those who cannot read the other. */
  private static String disposition(String type, @Nullable String name) {
    String given = name == null ? "" : name.replaceAll("(?s).*[/\\\\]", "");
    String safe = given.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}\"*:<>?|]", "").strip();
    safe = safe.replaceFirst("^\\.+", "");
    if (safe.length() > LONGEST_NAME) {
      safe = safe.substring(safe.offsetByCodePoints(safe.length(), -LONGEST_NAME / 2));
    }
    if (safe.isEmpty()) {
      safe = MediaTypes.name(MediaTypes.kind(type), type);
    }
    return "attachment; filename=\"%s\"; filename*=UTF-8''%s"
        .formatted(
            safe.replaceAll("[^A-Za-z0-9._-]", "_"),
            URLEncoder.encode(safe, StandardCharsets.UTF_8).replace("+", "%20"));
  }
}
