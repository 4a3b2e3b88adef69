package dev.postrider.channels.sidecar;

import dev.postrider.channel.PartFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a part, in a folder that only we and the sidecar can read, while it is sent. */
final class SidecarFiles implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SidecarFiles.class);

  private final List<Path> paths = new ArrayList<>();
  private final List<Map<String, Object>> fields = new ArrayList<>();

  private SidecarFiles() {}

  static SidecarFiles of(List<PartFile> cargo) throws IOException {
    SidecarFiles files = new SidecarFiles();
    try {
      for (PartFile file : cargo) {
        files.add(file);
      }
      return files;
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  private void add(PartFile file) throws IOException {
    PartFile.Bytes bytes = file.bytes();
    if (bytes == null) {
      throw new IOException("there are no bytes");
    }
    Path path = Files.createTempFile("postrider-", ".part"); // for the owner's eyes only
    paths.add(path);
    try (InputStream in = bytes.open();
        var out = Files.newOutputStream(path)) {
      in.transferTo(out);
    }
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("path", path.toString());
    about.put("kind", file.attachment().kind().label());
    put(about, "filename", file.attachment().filename());
    put(about, "type", file.attachment().type());
    fields.add(about);
  }

  private static void put(Map<String, Object> to, String name, @Nullable String value) {
    if (value != null) {
      to.put(name, value);
    }
  }

  /** As the sidecar is told of them. */
  List<Map<String, Object>> fields() {
    return fields;
  }

  @Override
  public void close() {
    for (Path path : paths) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        log.warn("A file that was handed to a sidecar is left behind: {}", path);
      }
    }
  }
}
