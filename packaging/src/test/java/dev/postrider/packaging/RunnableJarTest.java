package dev.postrider.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnableJarTest {
  private static final String SERVICE = "META-INF/services/java.sql.Driver";
  private static final LocalDateTime LONG_AGO = LocalDateTime.of(2001, 2, 3, 4, 5, 6);

  @TempDir Path dir;

  @BeforeEach
  void start() throws IOException {
    jar(
        "thin.jar",
        "Main-Class: a.Main\nClass-Path: lib/one.jar lib/two.jar\nImplementation-Version: 7",
        Map.of("a/Main.class", "main"));
    jar("lib/one.jar", "", Map.of());
    jar("lib/two.jar", "", Map.of());
  }

  @Test
  void it_runs_what_the_thin_jar_runs_and_names_no_other_jar() throws Exception {
    assertThat(contents().get("META-INF/MANIFEST.MF"))
        .contains("Main-Class: a.Main", "Implementation-Version: 7")
        .doesNotContain("lib/");
  }

  @Test
  void lists_of_implementations_are_joined() throws Exception {
    jar("lib/one.jar", "", Map.of(SERVICE, "b.Driver"));
    jar("lib/two.jar", "", Map.of(SERVICE, "a.Driver\nb.Driver\n"));

    assertThat(contents().get(SERVICE)).isEqualTo("b.Driver\na.Driver\n");
  }

  @Test
  void every_jar_keeps_its_licence() throws Exception {
    jar("lib/one.jar", "", Map.of("META-INF/LICENSE.txt", "mine", "META-INF/NOTICE", "me"));
    jar("lib/two.jar", "", Map.of("META-INF/LICENSE.txt", "its own"));

    assertThat(contents())
        .containsEntry("META-INF/licenses/one/LICENSE.txt", "mine")
        .containsEntry("META-INF/licenses/one/NOTICE", "me")
        .containsEntry("META-INF/licenses/two/LICENSE.txt", "its own");
  }

  @Test
  void a_file_that_two_jars_have_with_different_content_is_refused() throws Exception {
    jar("lib/one.jar", "", Map.of("settings.json", "{}"));
    jar("lib/two.jar", "", Map.of("settings.json", "{}"));
    assertThat(contents()).containsEntry("settings.json", "{}");

    jar("lib/two.jar", "", Map.of("settings.json", "[]"));
    assertThatThrownBy(this::make).hasMessageContainingAll("settings.json", "one.jar", "two.jar");
  }

  @Test
  void signatures_and_modules_stay_behind() throws Exception {
    jar(
        "lib/one.jar",
        "",
        Map.of("META-INF/KEY.SF", "x", "META-INF/KEY.RSA", "x", "module-info.class", "x"));

    assertThat(contents()).containsOnlyKeys("META-INF/MANIFEST.MF", "a/Main.class");
  }

  @Test
  void classes_for_newer_java_count_only_from_jars_that_say_so() throws Exception {
    jar("lib/one.jar", "Multi-Release: true", Map.of("META-INF/versions/21/one.class", "x"));
    jar("lib/two.jar", "", Map.of("META-INF/versions/21/two.class", "x"));

    assertThat(contents())
        .containsKey("META-INF/versions/21/one.class")
        .doesNotContainKey("META-INF/versions/21/two.class");
    assertThat(contents().get("META-INF/MANIFEST.MF")).contains("Multi-Release: true");
  }

  @Test
  void the_same_jars_give_the_same_bytes_whenever_it_is_made() throws Exception {
    byte[] first = Files.readAllBytes(make());

    assertThat(make()).hasBinaryContent(first);
    try (JarFile made = new JarFile(dir.resolve("all.jar").toFile())) {
      assertThat(made.stream()).extracting(JarEntry::getTimeLocal).containsOnly(LONG_AGO);
    }
  }

  private Path make() throws IOException {
    Path out = dir.resolve("all.jar");
    RunnableJar.make(dir.resolve("thin.jar"), out);
    return out;
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (JarFile made = new JarFile(make().toFile())) {
      for (JarEntry entry : made.stream().toList()) {
        try (InputStream bytes = made.getInputStream(entry)) {
          contents.put(entry.getName(), new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return contents;
  }

  private void jar(String name, String attributes, Map<String, String> files) throws IOException {
    Path path = dir.resolve(name);
    Files.createDirectories(path.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    for (String attribute : attributes.lines().toList()) {
      List<String> words = List.of(attribute.split(": ", 2));
      manifest.getMainAttributes().putValue(words.getFirst(), words.getLast());
    }
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(path))) {
      JarEntry first = new JarEntry(JarFile.MANIFEST_NAME);
      first.setTimeLocal(LONG_AGO);
      jar.putNextEntry(first);
      manifest.write(jar);
      jar.closeEntry();
      for (Map.Entry<String, String> file : files.entrySet()) {
        jar.putNextEntry(new JarEntry(file.getKey()));
        jar.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
