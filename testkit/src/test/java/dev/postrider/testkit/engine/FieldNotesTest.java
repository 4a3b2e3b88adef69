package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The field notes name tests, of any module; they must be there. */
class FieldNotesTest {
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");
  private static final Path REPOSITORY = Path.of("..");

  @Test
  void every_test_the_field_notes_name_exists() throws IOException {
    List<MatchResult> named =
        NAMED
            .matcher(Files.readString(REPOSITORY.resolve("docs/field-notes.md")))
            .results()
            .toList();
    Map<String, String> sources = sources();

    assertThat(named).hasSizeGreaterThan(40);
    for (MatchResult one : named) {
      assertThat(sources.getOrDefault(one.group(1), ""))
          .as(one.group())
          .contains("void " + one.group(2) + "(");
    }
  }

  /** All Java sources of the repository, by class; of the same name, one after the other. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(REPOSITORY)) {
      for (Path module :
          modules.map(path -> path.resolve("src")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(module)) {
          for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
            String name = file.getFileName().toString().replace(".java", "");
            sources.merge(name, Files.readString(file), String::concat);
          }
        }
      }
    }
    return sources;
  }
}
