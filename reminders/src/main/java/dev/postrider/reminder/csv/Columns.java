package dev.postrider.reminder.csv;

import dev.postrider.problem.Problems;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.Template;
import dev.postrider.reminder.time.OwnHours;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table of targets: what its first row says about them, and how a target is
 * written in them.
 */
final class Columns {
  static final String TO = "to";
  static final String ACCOUNT = "account";
  static final String NAME = "name";
  static final String ZONE = "timezone";
  static final String WINDOW = "window";
  static final String ANY_HOUR = "none";
  static final List<String> OURS = List.of(TO, ACCOUNT, NAME, ZONE, WINDOW);

  /** What a run adds. Together they tell a table of results, and they are no variables. */
  static final List<String> RESULTS = List.of("status", "error", "endedAt", "messageIds");

  /** Before the name of a variable that is called as one of our columns. */
  private static final String VARIABLE = "variables.";

  private final List<String> names = new ArrayList<>();
  private boolean hasResults;

  private Columns() {}

  static Columns read(List<String> row, Problems problems) {
    Columns columns = new Columns();
    for (int i = 0; i < row.size(); i++) {
      columns.add(row.get(i).strip(), "line 1, column " + (i + 1), problems);
    }
    if (!columns.names.contains(TO)) {
      problems.add("line 1", "has no column 'to', which names the chats; add one");
    }
    columns.hasResults = columns.names.containsAll(RESULTS);
    return columns;
  }

  private void add(String written, String place, Problems problems) {
    String small = written.toLowerCase(Locale.ROOT);
    String name = OURS.contains(small) ? small : written;
    if (!name.isEmpty() && names.contains(name)) {
      problems.add(place, "'" + name + "' is there twice; keep one of them");
    } else if (!name.isEmpty() && !Template.isName(name)) {
      problems.add(
          place,
          "'%s' cannot be a variable; call it '%s'"
              .formatted(name, name.replaceAll("[^\\p{L}\\p{M}\\p{N}_.-]+", "_")));
    }
    names.add(name);
  }

  /** The name of a column; empty if it has none. */
  String at(int index) {
    return index < names.size() ? names.get(index) : "";
  }

  /** Whether a column is the result of a run, and not about its targets. */
  boolean isResult(int index) {
    return hasResults && RESULTS.contains(at(index));
  }

  /** The variable that a column is for which is none of ours. */
  static String variable(String column) {
    String name = column.startsWith(VARIABLE) ? column.substring(VARIABLE.length()) : column;
    return isTaken(name) ? name : column;
  }

  /** What the column of a variable is called. */
  static String column(String variable) {
    return isTaken(variable) ? VARIABLE + variable : variable;
  }

  private static boolean isTaken(String name) {
    return RESULTS.contains(name) || OURS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** A target as cells: our columns, then its variables. */
  static Stream<String> cells(Target target, @Nullable String account, List<String> variables) {
    OwnHours hours = target.hours();
    String zone = hours == null || hours.zone() == null ? "" : hours.zone().getId();
    String window = hours == null || hours.window() == null ? "" : hours.window().inCell();
    return Stream.concat(
        Stream.of(
            target.to(),
            account == null ? "" : account,
            target.name() == null ? "" : target.name(),
            zone,
            hours != null && hours.anyHour() ? ANY_HOUR : window),
        variables.stream().map(name -> target.variables().getOrDefault(name, "")));
  }
}
