package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.server.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * docs/configuration.md is written from {@code postrider.default.yaml}, which {@link
 * DefaultFileTest} holds to the code, and from what the channels say of their settings. After a
 * change, write it anew, for the diff to be read: {@code ./check test -pl server -am
 * -Dtest=ConfigurationPageTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dpostrider.configuration=write}
 */
class ConfigurationPageTest {
  private static final Path PAGE = Documents.ROOT.resolve("docs/configuration.md");
  private static final String BEGIN = "<!-- written from the code -->\n";
  private static final Pattern KEY = Pattern.compile(" *(\\w+):(?: (.*))?");
  private static final Pattern EXAMPLE = Pattern.compile(" {2,}(\\S.*?)(?: {2,}(.*))?");

  /**
   * Keys that one sentence is about.
   *
   * @param path the first one, from the top
   * @param more those that follow it without a sentence of their own, each by its last name
   * @param values what they are without being set; none of a group of keys
   */
  private record Row(String path, List<String> more, List<String> values, String about) {
    String keys() {
      String separator = values.size() > more.size() ? ", " : ": ";
      return "`" + path + "`" + (more.isEmpty() ? "" : separator) + code(more);
    }

    String defaults() {
      return values.stream().distinct().count() == 1 ? code(values.subList(0, 1)) : code(values);
    }

    private static String code(List<String> words) {
      return words.stream()
          .map(word -> "`" + word.replace("|", "\\|") + "`")
          .collect(Collectors.joining(", "));
    }

    /** Whether a key that nothing is said of belongs here: a neighbour, or part of the group. */
    boolean includes(String key) {
      return values.isEmpty() || more.size() == values.size()
          ? parent(key).equals(path)
          : parent(key).equals(parent(path));
    }

    private static String parent(String key) {
      return key.substring(0, Math.max(0, key.lastIndexOf('.')));
    }
  }

  /** A key and how far it is indented. */
  private record Step(int indent, String key) {}

  @Test
  void the_page_of_all_settings_is_written_from_them() throws IOException {
    String page = Documents.read(PAGE);
    String written = page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + reference();
    if ("write".equals(System.getProperty("postrider.configuration"))) {
      Files.writeString(PAGE, written);
    }

    assertThat(Documents.read(PAGE)).as("see the comment of this test").isEqualTo(written);
  }

  private static String reference() {
    StringBuilder page = new StringBuilder();
    String section = "";
    for (Row row : rows(Documents.read(Documents.ROOT.resolve("postrider.default.yaml")))) {
      String top = row.path().replaceAll("\\..*", "");
      boolean opens = row.path().equals(top) && row.values().isEmpty();
      if (!top.equals(section)) {
        section = top;
        page.append("\n## `").append(top).append("`\n\n");
        page.append(opens && !row.about().isEmpty() ? row.about() + "\n\n" : "");
        page.append("| setting | default | what it does |\n|---|---|---|\n");
      }
      if (!row.values().isEmpty() || (!opens && !row.about().isEmpty())) {
        page.append("| %s | %s | %s |\n".formatted(row.keys(), row.defaults(), row.about()));
      }
    }
    page.append("\n## Settings of the channels\n\n");
    page.append(
        "They stand in an account, beside `id` and `channel`. Its [page](channels.md) says where"
            + " each comes from.\n");
    ServiceLoader.load(Channel.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(Channel::name))
        .filter(channel -> !channel.settings().isEmpty())
        .forEach(channel -> page.append(settings(channel)));
    return page.toString();
  }

  private static String settings(Channel channel) {
    StringBuilder table =
        new StringBuilder(
            "\n### `%s`\n\n| setting | needed | what it is |\n|---|---|---|\n"
                .formatted(channel.name()));
    for (Channel.Setting setting : channel.settings()) {
      table.append(
          "| `%s` | %s | %s |\n"
              .formatted(
                  setting.name(),
                  setting.required() ? "yes" : "",
                  cell(setting.description()) + (setting.secret() ? " (secret)" : "")));
    }
    return table.toString();
  }

  /** The file's keys from top to bottom. */
  private static List<Row> rows(String file) {
    List<Row> rows = new ArrayList<>();
    List<String> comment = new ArrayList<>();
    Deque<Step> steps = new ArrayDeque<>();
    for (String line : file.lines().toList()) {
      Matcher key = KEY.matcher(line);
      if (line.strip().startsWith("#") || line.strip().startsWith("- #")) {
        comment.add(line.replaceFirst("^ *(- )?#", ""));
      } else if (line.isBlank()) {
        comment.clear(); // what stands alone is about no key
      } else {
        assertThat(key.matches()).as(line).isTrue();
        int indent = key.start(1);
        while (!steps.isEmpty() && steps.getLast().indent() >= indent) {
          steps.removeLast();
        }
        steps.addLast(new Step(indent, key.group(1)));
        String path = steps.stream().map(Step::key).collect(Collectors.joining("."));
        add(rows, path, key.group(2), about(comment));
        comment.clear();
      }
    }
    return rows;
  }

  private static void add(List<Row> rows, String path, @Nullable String value, String about) {
    Row before = rows.isEmpty() ? null : rows.getLast();
    if (about.isEmpty() && value != null && before != null && before.includes(path)) {
      before.more().add(path.substring(path.lastIndexOf('.') + 1));
      before.values().add(value);
    } else {
      List<String> values = new ArrayList<>(value == null ? List.of() : List.of(value));
      rows.add(new Row(path, new ArrayList<>(), values, about));
    }
  }

  /** A comment as one cell; what it sets off by blanks are examples. */
  private static String about(List<String> comment) {
    StringBuilder about = new StringBuilder();
    for (String line : comment) {
      Matcher example = EXAMPLE.matcher(line);
      if (example.matches()) {
        about.append("<br>`").append(cell(example.group(1))).append('`');
        about.append(example.group(2) == null ? "" : " " + cell(example.group(2)));
      } else {
        about.append(' ').append(cell(line.strip()));
      }
    }
    return about.toString().strip();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }
}
