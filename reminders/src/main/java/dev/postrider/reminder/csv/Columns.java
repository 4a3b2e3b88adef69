package dev.postrider.reminder.csv;

import dev.postrider.problem.Problems;
import dev.postrider.reminder.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the first row of a table says about its columns. */
final class Columns {
  static final String TO = "to";
  static final String ACCOUNT = "account";
  static final String NAME = "name";
  private static final List<String> OURS = List.of(TO, ACCOUNT, NAME);

  private final List<String> names = new ArrayList<>();

  private Columns() {}

  static Columns read(List<String> row, Problems problems) {
    Columns columns = new Columns();
    for (int i = 0; i < row.size(); i++) {
      columns.add(row.get(i).strip(), "line 1, column " + (i + 1), problems);
    }
    if (!columns.names.contains(TO)) {
      problems.add("line 1", "has no column 'to', which names the chats; add one");
    }
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
}
