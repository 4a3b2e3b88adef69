package dev.postrider.channels;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The table of channels in docs/channels.md is what the code says. After a change, write it anew,
 * for the diff to be read: {@code ./check test -pl channels -am -Dtest=ChannelTableTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dpostrider.channels=write}
 */
class ChannelTableTest {
  private static final Path PAGE = Path.of("..", "docs", "channels.md");
  private static final Pattern TABLE = Pattern.compile("(?m)^\\| channel \\| text .*\n(\\|.*\n)+");

  @Test
  void the_table_of_channels_is_what_the_code_says() throws Exception {
    String page = Files.readString(PAGE);
    String rendered = ChannelTable.rendered();
    if ("write".equals(System.getProperty("postrider.channels"))) {
      page = TABLE.matcher(page).replaceFirst(Matcher.quoteReplacement(rendered));
      Files.writeString(PAGE, page);
    }

    Matcher stated = TABLE.matcher(page);
    assertThat(stated.find()).isTrue();
    assertThat(stated.group()).as("see the comment of this test").isEqualTo(rendered);
  }
}
