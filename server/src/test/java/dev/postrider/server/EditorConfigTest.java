package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The formatter leaves long strings and comments alone; .editorconfig does not. */
class EditorConfigTest {
  private static final Pattern LIMIT =
      Pattern.compile("(?s)\\[\\*\\.java]\\s+max_line_length = (\\d+)");

  @Test
  void no_line_of_java_is_longer_than_the_editorconfig_says() {
    Matcher limit = LIMIT.matcher(Documents.read(Documents.ROOT.resolve(".editorconfig")));
    assertThat(limit.find()).isTrue();
    int length = Integer.parseInt(limit.group(1));

    List<String> longer = new ArrayList<>();
    Documents.sources()
        .forEach(
            (file, text) -> {
              String[] lines = text.split("\n");
              for (int i = 0; i < lines.length; i++) {
                if (lines[i].codePointCount(0, lines[i].length()) > length) {
                  longer.add(Documents.ROOT.relativize(file) + ":" + (i + 1));
                }
              }
            });
    assertThat(longer).as("lines of more than %d characters", length).isEmpty();
  }
}
