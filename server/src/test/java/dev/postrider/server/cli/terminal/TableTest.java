package dev.postrider.server.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
  private static final String REASON =
      "the platform refuses the token since Monday, because somebody made a new one for it";
  private final Map<String, String> environment = new HashMap<>();
  private Colours colours = Colours.never;

  @Test
  void the_last_column_is_broken_into_lines_and_keeps_every_word() {
    Table table = new Table("ACCOUNT", "HEALTH", "WHY");
    table.row("tg-main", "broken", REASON);

    List<String> lines = printed(60, table);
    assertThat(lines).allSatisfy(line -> assertThat(Cells.count(line)).isLessThanOrEqualTo(60));
    assertThat(lines.get(1)).startsWith("tg-main  broken  the platform");
    assertThat(lines.get(2)).startsWith(" ".repeat("tg-main  broken  ".length()));
    assertThat(String.join(" ", lines).replaceAll(" +", " ")).contains(REASON);
  }

  @Test
  void columns_without_room_follow_on_lines_of_their_own() {
    Table table = new Table("ID", "STATUS", "TEXT", "WHY");
    table.row("0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70", "failed", "hello there", REASON);

    List<String> lines = printed(50, table);
    assertThat(lines).allSatisfy(line -> assertThat(Cells.count(line)).isLessThanOrEqualTo(50));
    assertThat(lines.get(2)).isEqualTo("    text: hello there");
    assertThat(String.join(" ", lines).replaceAll(" +", " ")).contains("why: " + REASON);
  }

  @Test
  void a_pipe_gets_one_line_a_row_with_all_columns() {
    Table table = new Table("ID", "EMPTY", "WHY");
    table.row("1", "", REASON);

    assertThat(printed(Screen.ENDLESS, table))
        .containsExactly("ID  EMPTY  WHY", "1          " + REASON);
  }

  @Test
  void wide_characters_take_two_cells_and_marks_none() {
    assertThat(Cells.count("ab")).isEqualTo(2);
    assertThat(Cells.count("你好")).isEqualTo(4);
    assertThat(Cells.count("한글")).isEqualTo(4);
    assertThat(Cells.count("🎉")).isEqualTo(2);
    assertThat(Cells.count("e\u0301")).isEqualTo(1);
    Table table = new Table("TO", "STATUS");
    table.row("你好", "queued");
    table.row("anna", "queued");

    List<String> lines = printed(Screen.ENDLESS, table);
    assertThat(lines.get(1)).isEqualTo("你好  queued");
    assertThat(lines.get(2)).isEqualTo("anna  queued");
  }

  @Test
  void a_word_wider_than_the_screen_is_broken_between_characters() {
    assertThat(Cells.wrapped("你好你好你好", 5)).containsExactly("你好", "你好", "你好");
    assertThat(Cells.wrapped("", 5)).containsExactly("");
    assertThat(Cells.wrapped("🎉🎉", 1)).containsExactly("🎉", "🎉");
  }

  @Test
  void states_are_coloured_on_terminals_only_and_what_others_wrote_cannot_colour() {
    Table table = new Table("ACCOUNT", "HEALTH");
    table.row("tg\u001b[31m", "broken");

    assertThat(printed(80, table)).noneMatch(line -> line.contains("\u001b"));
    colours = Colours.always;
    assertThat(String.join("\n", printed(80, table)))
        .contains("\u001b[31mbroken\u001b[0m", "tg\\u001b[31m");
  }

  @Test
  void colours_are_a_terminals_unless_somebody_says_otherwise() {
    assertThat(Colours.auto.shown(true, Map.of())).isTrue();
    assertThat(Colours.auto.shown(false, Map.of())).isFalse();
    assertThat(Colours.auto.shown(true, Map.of("NO_COLOR", "1"))).isFalse();
    assertThat(Colours.auto.shown(true, Map.of("TERM", "dumb"))).isFalse();
    assertThat(Colours.always.shown(false, Map.of("NO_COLOR", "1"))).isTrue();
    assertThat(Colours.never.shown(true, Map.of())).isFalse();
  }

  private List<String> printed(int width, Table table) {
    StringWriter out = new StringWriter();
    environment.put("COLUMNS", Integer.toString(width));
    Terminal terminal =
        new Terminal(
            environment,
            InputStream.nullInputStream(),
            new PrintWriter(out),
            new PrintWriter(out),
            width != Screen.ENDLESS);
    terminal.colours(colours);
    table.print(terminal.out(), "");
    return out.toString().lines().toList();
  }
}
