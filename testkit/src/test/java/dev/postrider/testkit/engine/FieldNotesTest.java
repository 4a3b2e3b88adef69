package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The field notes name tests; they must be there. */
class FieldNotesTest {
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");

  @Test
  void every_test_the_field_notes_name_exists() throws IOException, ClassNotFoundException {
    List<MatchResult> named =
        NAMED.matcher(Files.readString(Path.of("..", "docs", "field-notes.md"))).results().toList();

    assertThat(named).hasSizeGreaterThan(40);
    for (MatchResult one : named) {
      Class<?> suite = Class.forName(getClass().getPackageName() + "." + one.group(1));
      assertThat(Stream.of(suite.getDeclaredMethods()).map(Method::getName))
          .as(one.group())
          .contains(one.group(2));
    }
  }
}
