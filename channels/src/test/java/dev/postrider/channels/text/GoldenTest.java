package dev.postrider.channels.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.reading.Platform;
import dev.postrider.message.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One rich document in every dialect, to look at. {@code -Dgolden.write=true} writes them anew. */
class GoldenTest {
  private static final Path FOLDER =
      Path.of("src/test/resources/dev/postrider/channels/text/golden");
  private static final String CUT = "\n~~~~~~~~ the next part ~~~~~~~~\n";

  @ParameterizedTest
  @EnumSource
  void a_rich_document_is_written_as_it_was_looked_at(Platform platform) throws IOException {
    String source = Files.readString(FOLDER.resolve("rich.md"));
    TextLimit limit =
        switch (platform) {
          case TELEGRAM, MATRIX -> TextLimit.ofVisible(700, TextLimit.Unit.UTF16);
          case IRC -> TextLimit.of(400, TextLimit.Unit.UTF8_BYTES);
          case SLACK,
              DISCORD,
              WHATSAPP,
              SIGNAL,
              TEAMS,
              GOOGLE_CHAT,
              MATTERMOST,
              FEISHU,
              SYNOLOGY,
              XMPP,
              PLAIN,
              EMAIL ->
              TextLimit.of(700, TextLimit.Unit.UTF16);
        };
    String written =
        platform.dialect().write(source, Format.MARKDOWN, limit).stream()
            .map(GoldenTest::shown)
            .collect(Collectors.joining(CUT));
    Path golden =
        FOLDER.resolve(platform.name().toLowerCase(Locale.ROOT) + "." + platform.suffix());
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(golden, written + "\n");
    }
    assertThat(written + "\n").isEqualTo(Files.readString(golden));
  }

  private static String shown(Written part) {
    return part.styles().isEmpty() ? part.text() : part.text() + "\n" + part.styles();
  }
}
