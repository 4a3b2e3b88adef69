package dev.postrider.reminder.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageId;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problem;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.time.OwnHours;
import dev.postrider.reminder.time.WindowDraft;
import dev.postrider.store.reminder.TargetStatus;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {

  private static List<Target> read(String table) throws IOException {
    return TargetsCsv.read(new StringReader(table));
  }

  private static void assertProblems(String table, String... problems) {
    assertThatThrownBy(() -> read(table))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            e -> assertThat(e.problems()).extracting(Problem::toString).containsExactly(problems));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "to,name,order\n-1001,Team A,77\n@b,,78\n",
        "to,name,order\r\n-1001,Team A,77\r\n@b,,78",
        "to;name;order\n-1001;Team A;77\n@b;;78\n",
        "to\tname\torder\n-1001\tTeam A\t77\n@b\t\t78\n",
        "\uFEFFto,name,order\n-1001,Team A,77\n@b,,78\n",
        "To, NAME ,order\n-1001, Team A ,\"77\"\n@b,\"\" ,78\n",
        "\"to\",\"name\",\"order\"\n\"-1001\",\"Team A\",\"77\"\n\"@b\",\"\",\"78\"\n",
        "to,name,order,\n-1001,Team A,77,\n\n@b,,78\n,,,\n\n"
      })
  void a_table_is_read_however_a_spreadsheet_has_written_it(String table) throws IOException {
    assertThat(read(table))
        .containsExactly(
            new Target("-1001", null, Map.of("order", "77"), "Team A", null),
            new Target("@b", null, Map.of("order", "78"), null, null));
  }

  @Test
  void quoted_cells_hold_separators_quotes_and_lines() throws IOException {
    assertThat(read("to,account,text\n1,a,\"x, \"\"y\"\"\nz\"\n2,b,\" spaced \"\n"))
        .containsExactly(
            new Target("1", "a", Map.of("text", "x, \"y\"\nz"), null, null),
            new Target("2", "b", Map.of("text", " spaced "), null, null));
  }

  @Test
  void a_semicolon_in_a_quoted_header_separates_nothing() throws IOException {
    assertProblems(
        "to,\"a;b;c\"\n1,x\n", "line 1, column 2: 'a;b;c' cannot be a variable; call it 'a_b_c'");
  }

  @Test
  void errors_name_the_line_as_an_editor_counts_them_and_the_column() {
    assertProblems(
        """
        to,text
        1,"two
        lines"

        ,x
        2,y,z
        1,again
        -1.00123E+12,w
        """,
        "line 5, column to: is empty; name the chat",
        "line 6, column 3: 'z' has no header",
        "line 7, column to: '1' is on line 2 too; keep one of them",
        "line 8, column to: '-1.00123E+12' is a number that a spreadsheet has shortened; format the"
            + " column as text");
  }

  @Test
  void the_same_chat_of_two_accounts_is_two_targets() throws IOException {
    assertThat(read("to,account\n1,a\n1,b\n")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "name,order => line 1: has no column 'to', which names the chats; add one",
        "to,To      => line 1, column 2: 'to' is there twice; keep one of them",
        "to,x,x     => line 1, column 3: 'x' is there twice; keep one of them",
        "to,a b!    => line 1, column 2: 'a b!' cannot be a variable; call it 'a_b_'"
      })
  void a_header_that_cannot_be_used_is_refused(String header, String problem) {
    assertProblems(header, problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\uFEFF"})
  void an_empty_table_is_refused(String table) {
    assertProblems(
        table, "line 1: the table is empty; its first row names the columns, such as to,name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"to,x\n1,a\n2,\"open\n3,b\n", "to,x\n1,a\n2,\"b\"c\n3,d\n"})
  void a_table_whose_quotes_do_not_match_is_refused_where_it_goes_wrong(String table) {
    assertProblems(
        table,
        "line 3: a quote is left open, or more follows a closed one; write a quote inside a cell"
            + " twice");
  }

  @Test
  void a_table_that_is_too_long_is_not_read_to_its_end() {
    StringBuilder table = new StringBuilder("to\n");
    for (int i = 0; i < Reminder.MOST_TARGETS + 5; i++) {
      table.append("chat-").append(i).append('\n');
    }
    assertProblems(
        table.toString(), "line 100002: is one target too many; a reminder holds at most 100,000");
  }

  @Test
  void a_table_that_breaks_off_is_no_fault_of_the_reminder() {
    Reader broken =
        new Reader() {
          private boolean begun;

          @Override
          public int read(char[] buffer, int offset, int length) throws IOException {
            if (begun) {
              throw new IOException("connection lost");
            }
            begun = true;
            "to\n1\n".getChars(0, 5, buffer, offset);
            return 5;
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> TargetsCsv.read(broken))
        .isInstanceOf(IOException.class)
        .hasMessage("connection lost");
  }

  private static String written(TargetResult result) throws IOException {
    StringBuilder out = new StringBuilder();
    TargetTable.ofResults(out, List.copyOf(result.target().variables().keySet())).write(result);
    return out.toString();
  }

  private static TargetResult failed(String to, String error) {
    return new TargetResult(Target.to(to), TargetStatus.FAILED, error, null, List.of());
  }

  @Test
  void results_are_written_row_by_row() throws IOException {
    MessageId first = new MessageId(new UUID(1, 2));
    MessageId second = new MessageId(new UUID(3, 4));
    assertThat(
            written(
                new TargetResult(
                    Target.to("-1001")
                        .by("tg-main")
                        .named("Team A, \"B\"")
                        .with(Map.of("room", "4.12")),
                    TargetStatus.SENT,
                    null,
                    Instant.parse("2026-11-20T01:00:00Z"),
                    List.of(first, second))))
        .isEqualTo(
            "to,account,name,timezone,window,room,status,error,endedAt,messageIds\r\n"
                + "-1001,tg-main,\"Team A, \"\"B\"\"\",,,4.12,sent,,2026-11-20T01:00:00Z,"
                + first
                + " "
                + second
                + "\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "=1+2, '=1+2",
        "@name, '@name",
        "+cmd, '+cmd",
        "-1001, -1001",
        "+60123456789, +60123456789",
        "-1.5, -1.5",
        "-1+2, '-1+2",
        "-, '-",
        "a=b, a=b"
      })
  void no_cell_is_taken_for_a_formula_and_numbers_survive(String cell, String guarded)
      throws IOException {
    assertThat(FormulaGuard.with(cell)).isEqualTo(guarded);
    assertThat(FormulaGuard.without(guarded)).isEqualTo(cell);
    assertThat(written(failed("1", cell))).contains("failed," + guarded + ",");
  }

  private static List<Target> thereAndBack(Target target) throws IOException {
    StringBuilder out = new StringBuilder();
    TargetTable.ofTargets(out, List.copyOf(target.variables().keySet())).write(target);
    List<Target> targets = read(out.toString());
    assertThat(
            read(
                written(
                    new TargetResult(
                        target, TargetStatus.FAILED, "gone", Instant.EPOCH, List.of()))))
        .as("from a table of results")
        .isEqualTo(targets);
    return targets;
  }

  @Test
  void targets_come_back_from_a_table_with_all_that_they_have() throws IOException {
    Target target =
        Target.to("-1001").by("tg").named("=A").with(Map.of("room", "4", "status", "x", "To", "y"));
    ZoneId zone = ZoneId.of("Asia/Tokyo");
    WindowDraft hours = new WindowDraft("09:00", "17:00", List.of("MON", "TUE"), "resume");
    for (Target one :
        List.of(
            target,
            target.in(new OwnHours(zone, null, false)),
            target.in(new OwnHours(zone, hours, false)),
            target.in(new OwnHours(null, new WindowDraft("22:00", "06:00", null, null), false)),
            target.in(new OwnHours(null, null, true)))) {
      assertThat(thereAndBack(one)).containsExactly(one);
    }
  }

  @Test
  void hours_that_make_no_sense_are_told_by_line_and_column() {
    assertProblems(
        "to,window,timezone\n1,nine,\n2,09:00-25:00,\n3,,Mars\n",
        "line 2, column window: 'nine' is no window; write one such as 09:00-17:00, or none",
        "line 3, column window: '25:00' is not a time of day; write one from 00:00 to 24:00, such"
            + " as 06:00",
        "line 4, column timezone: 'Mars' is not a time zone; name one such as Asia/Kuala_Lumpur");
  }

  @Test
  void results_can_be_read_as_targets_again() throws IOException {
    for (String to : List.of("-1001", "@name", "=x", "'quoted'", "a,b", "+60 123")) {
      assertThat(read(written(failed(to, "gone")))).extracting(Target::to).containsExactly(to);
    }
  }
}
