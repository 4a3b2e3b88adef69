package dev.postrider.channels.sandbox;

import dev.postrider.channel.Dialect;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.text.Dialects;
import dev.postrider.message.Format;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The sandbox reads Markdown as people write it: a text that fits is shown as it is. Its setting
 * {@code dialect} makes it write as another platform would.
 */
final class SandboxDialect implements Dialect {
  static final String NAMES =
      Dialects.NAMED.keySet().stream().sorted().collect(Collectors.joining(", "));

  private SandboxDialect() {}

  static Dialect of(Settings settings) {
    String name = settings.text("dialect", "");
    Dialect named = Dialects.NAMED.get(name);
    if (named == null && !name.isEmpty()) {
      throw settings.wrong("dialect", "is not known; known are " + NAMES);
    }
    return named == null ? new SandboxDialect() : named;
  }

  @Override
  public List<Written> write(String text, Format format, TextLimit limit) {
    boolean fits = limit.unit().size(text) <= limit.size();
    return fits && format != Format.NATIVE && !text.isBlank()
        ? List.of(Written.plain(text))
        : Dialects.MATTERMOST.write(text, format, limit);
  }
}
