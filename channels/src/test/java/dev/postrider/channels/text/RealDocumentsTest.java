package dev.postrider.channels.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.reading.Platform;
import dev.postrider.message.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Documents as people and models write them: every word of the source is seen, in every dialect.
 */
class RealDocumentsTest {

  @ParameterizedTest
  @ValueSource(strings = {"documents/incident", "documents/answer", "documents/rtl", "golden/rich"})
  void every_word_is_seen_on_every_platform(String name) throws IOException {
    String source =
        Files.readString(Path.of("src/test/resources/dev/postrider/channels/text/" + name + ".md"));
    List<String> words =
        Arrays.stream(source.replaceAll("\\]\\([^)]*\\)|```\\w+", "]").split("[^\\p{L}\\p{M}]+"))
            .filter(word -> word.length() > 1)
            .toList();
    for (Platform platform : Platform.values()) {
      for (int size : new int[] {200, 2000}) {
        String seen =
            platform
                .dialect()
                .write(source, Format.MARKDOWN, TextLimit.of(size, TextLimit.Unit.UTF16))
                .stream()
                .map(platform::seen)
                .collect(Collectors.joining(" "));
        assertThat(seen).as("%s at %d", platform, size).contains(words);
      }
    }
  }
}
