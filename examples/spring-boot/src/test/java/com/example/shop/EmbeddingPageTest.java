package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files that docs/embedding.md shows are those that are compiled and tested. */
class EmbeddingPageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```(?:java|yaml)\n(.*?)^```$");

  @Test
  void a_file_that_the_page_shows_is_the_one_that_is_tested() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/embedding.md"));
    List<String> files = new ArrayList<>();
    for (MatchResult fence : FENCE.matcher(page).results().toList()) {
      if (fence.group(1).startsWith("package ") || fence.group(1).startsWith("postrider:")) {
        files.add(fence.group(1));
      }
    }
    assertThat(files).hasSize(5);
    assertThat(tested()).containsAll(files);
  }

  private static List<String> tested() throws IOException {
    List<String> texts = new ArrayList<>();
    for (String folder :
        List.of(
            "examples/spring-boot/src/main",
            "spring-boot-starter/src/test/java/com/example",
            "store-sqlite/src/test/java/com/example")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          texts.add(Files.readString(file));
        }
      }
    }
    return texts;
  }
}
