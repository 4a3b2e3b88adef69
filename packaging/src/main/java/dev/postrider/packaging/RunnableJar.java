package dev.postrider.packaging;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * One jar that runs alone, from a jar and those its manifest names: in the order of that class
 * path, with the same bytes for the same jars. A file that two jars have, with different content,
 * stops the making unless a rule here says what becomes of it: the class path would have found the
 * first one, and nobody would miss the other before it is needed.
 */
public final class RunnableJar {
  /** Lists for whoever looks for implementations: they hold for all jars together. */
  private static final Pattern LIST =
      Pattern.compile("META-INF/services/[^/]+|META-INF/helidon/manifest");

  /** Kept once for every jar, below its name. */
  private static final Pattern LICENCE =
      Pattern.compile("META-INF/((?:LICENSE|NOTICE|DEPENDENCIES)[^/]*)");

  /**
   * What holds for one jar only: its manifest, its signatures (its files are in another jar now),
   * its being a module, and Helidon's description of settings for documentation.
   */
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "META-INF/MANIFEST\\.MF|META-INF/INDEX\\.LIST|META-INF/[^/]+\\.(SF|RSA|DSA|EC)"
              + "|META-INF/helidon/config-metadata\\.json"
              + "|(META-INF/versions/\\d+/)?module-info\\.class");

  private static final Pattern FOR_NEWER_JAVA = Pattern.compile("META-INF/versions/\\d+/.*");
  private static final Attributes.Name MULTI_RELEASE = new Attributes.Name("Multi-Release");

  private record Content(String jar, byte[] bytes) {}

  private final Map<String, Content> contents = new TreeMap<>();
  private final Map<String, Set<String>> lists = new TreeMap<>();

  private RunnableJar() {}

  /** {@code RunnableJar THIN OUT}: the jar that names the others, and the one to write. */
  public static void main(String[] args) throws IOException {
    make(Path.of(args[0]), Path.of(args[1]));
  }

  static void make(Path thin, Path out) throws IOException {
    RunnableJar jar = new RunnableJar();
    Manifest manifest;
    LocalDateTime time;
    try (JarFile file = new JarFile(thin.toFile())) {
      manifest = file.getManifest();
      time = file.getEntry(JarFile.MANIFEST_NAME).getTimeLocal();
    }
    jar.add(thin);
    Object others = manifest.getMainAttributes().remove(Attributes.Name.CLASS_PATH);
    for (String other : String.valueOf(others).split(" ")) {
      jar.add(thin.resolveSibling(other));
    }
    manifest.getMainAttributes().put(MULTI_RELEASE, "true");
    jar.write(manifest, time, out);
  }

  private void add(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      String name = path.getFileName().toString();
      for (ZipEntry entry : Collections.list(jar.entries())) {
        if (!entry.isDirectory()
            && !LEFT_OUT.matcher(entry.getName()).matches()
            && (jar.isMultiRelease() || !FOR_NEWER_JAVA.matcher(entry.getName()).matches())) {
          add(name, entry.getName(), jar.getInputStream(entry).readAllBytes());
        }
      }
    }
  }

  private void add(String jar, String file, byte[] bytes) throws IOException {
    if (LIST.matcher(file).matches()) {
      new String(bytes, StandardCharsets.UTF_8)
          .lines()
          .forEach(lists.computeIfAbsent(file, _ -> new LinkedHashSet<>())::add);
      return;
    }
    Matcher licence = LICENCE.matcher(file);
    String place =
        licence.matches()
            ? "META-INF/licenses/%s/%s".formatted(jar.replace(".jar", ""), licence.group(1))
            : file;
    Content first = contents.putIfAbsent(place, new Content(jar, bytes));
    if (first != null && !Arrays.equals(first.bytes(), bytes)) {
      throw new IOException(
          "%s is in %s and, with another content, in %s: RunnableJar must say what becomes of it"
              .formatted(file, first.jar(), jar));
    }
  }

  private void write(Manifest manifest, LocalDateTime time, Path out) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    contents.forEach((name, content) -> files.put(name, content.bytes()));
    lists.forEach(
        (name, lines) ->
            files.put(name, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8)));
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    manifest.write(first);
    List<String> names = new ArrayList<>(files.keySet());
    names.addFirst(JarFile.MANIFEST_NAME); // where those who read a jar as a stream expect it
    files.put(JarFile.MANIFEST_NAME, first.toByteArray());
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(out));
        ZipOutputStream zip = new ZipOutputStream(file)) {
      for (String name : names) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(time);
        zip.putNextEntry(entry);
        zip.write(files.getOrDefault(name, new byte[0]));
        zip.closeEntry();
      }
    }
  }
}
