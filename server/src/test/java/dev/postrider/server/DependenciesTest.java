package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What others wrote is what it was when somebody looked at it. After a change of versions, write
 * the new hashes: {@code ./check test -pl server -am -Dtest=DependenciesTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dpostrider.dependencies=write}
 */
class DependenciesTest {
  private static final Path KNOWN = Path.of("..", "dependencies.sha256");

  @Test
  void every_dependency_has_the_hash_that_is_written_down() throws Exception {
    Map<String, String> found = new TreeMap<>();
    for (Path jar : jars()) {
      found.put(jar.getFileName().toString(), sha256(jar));
    }
    if ("write".equals(System.getProperty("postrider.dependencies"))) {
      Files.write(KNOWN, lines(found));
    }

    assertThat(found).as("the jars on the class path").hasSizeGreaterThan(50);
    assertThat(lines(found)).as("see the comment of this test").isSubsetOf(known());
  }

  /** In the format of sha256sum. */
  private static List<String> lines(Map<String, String> hashes) {
    return hashes.entrySet().stream().map(e -> e.getValue() + "  " + e.getKey()).toList();
  }

  private static List<String> known() throws IOException {
    return Files.exists(KNOWN) ? Files.readAllLines(KNOWN) : List.of();
  }

  private static List<Path> jars() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(classPath.split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .map(Path::of)
        .filter(jar -> !jar.getFileName().toString().startsWith("postrider-")) // our own
        .collect(Collectors.toList());
  }

  private static String sha256(Path jar) throws IOException, NoSuchAlgorithmException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
  }
}
