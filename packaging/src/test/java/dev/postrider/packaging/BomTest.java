package dev.postrider.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BomTest {
  private static final Path ROOT = Path.of("..");

  @Test
  void it_names_every_module_that_is_published_and_has_the_version_of_all() {
    String bom = pom("bom");
    List<String> published =
        all("<module>(.*?)</module>", pom(".")).stream()
            .filter(module -> !module.equals("bom"))
            .filter(module -> !pom(module).contains("<maven.deploy.skip>true<"))
            .toList();

    assertThat(all("<artifactId>postrider-(?!bom)(.*?)</artifactId>", bom))
        .containsExactlyInAnyOrderElementsOf(published);
    assertThat(all("<version>(.*?)</version>", bom.split("<packaging>", 2)[0]))
        .isEqualTo(all("<version>(.*?)</version>", pom(".").split("<packaging>", 2)[0]));
  }

  private static String pom(String module) {
    try {
      return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1)).toList();
  }
}
