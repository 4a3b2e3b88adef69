package dev.postrider.channels.signal;

import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.KeptFiles;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part's files as signal-cli takes them: small ones inside the request, as data URIs; others in a
 * folder that signal-cli can read, until the request has ended. For one request.
 */
final class SignalFiles implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SignalFiles.class);

  /** signal-cli reads texts of 20,000,000 characters at most; base64 makes four of three bytes. */
  static final long INSIDE = 12 << 20;

  private final List<String> names = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();

  /**
   * @param kept those that many get, encoded
   * @param shared where larger files are put; null for the system's place for such
   */
  static SignalFiles of(List<PartFile> cargo, KeptFiles kept, @Nullable Path shared)
      throws IOException {
    SignalFiles files = new SignalFiles();
    long inside = 0;
    try {
      for (PartFile file : cargo) {
        PartFile.Bytes bytes = file.bytes();
        if (bytes == null) {
          throw new IOException("the file has no bytes");
        }
        inside += bytes.size();
        files.names.add(
            inside <= INSIDE
                ? dataUri(file.attachment(), kept.of(file))
                : files.stored(file.attachment(), bytes, shared));
      }
      return files;
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private static String dataUri(Attachment attachment, PartFile.Bytes encoded) throws IOException {
    String type = attachment.type() == null ? MediaTypes.UNKNOWN : attachment.type();
    try (InputStream in = encoded.open()) {
      return "data:%s;filename=%s;base64,%s"
          .formatted(
              type,
              URLEncoder.encode(name(attachment), StandardCharsets.UTF_8),
              new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    }
  }

  /** People see the file's name, so each has a folder of its own. */
  private String stored(Attachment attachment, PartFile.Bytes bytes, @Nullable Path shared)
      throws IOException {
    Path folder =
        shared == null
            ? Files.createTempDirectory("postrider-signal")
            : Files.createTempDirectory(shared, "postrider-signal");
    folders.add(folder);
    String safe = name(attachment).replaceAll("[/\\\\\\p{Cntrl}]", "_");
    Path file = folder.resolve(safe.startsWith(".") ? "_" + safe : safe);
    try (InputStream in = bytes.open()) {
      Files.copy(in, file);
    }
    return file.toString();
  }

  private static String name(Attachment attachment) {
    String name = attachment.filename();
    return name == null || name.isBlank()
        ? MediaTypes.name(attachment.kind(), attachment.type())
        : name;
  }

  /** How signal-cli finds them, in their order. */
  List<String> names() {
    return names;
  }

  @Override
  public void close() {
    for (Path folder : folders) {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
        Files.delete(folder);
      } catch (IOException e) {
        log.warn("{} cannot be deleted: {}", folder, e.getMessage());
      }
    }
  }
}
