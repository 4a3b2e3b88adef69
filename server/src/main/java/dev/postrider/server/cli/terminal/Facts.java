package dev.postrider.server.cli.terminal;

import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** One thing's fields below each other; those that are empty are left out. */
public final class Facts {
  private Facts() {}

  /**
   * Prints fields.
   *
   * @param fields their names, separated by spaces
   */
  public static void print(PrintWriter out, JsonNode node, String fields) {
    for (String field : fields.split("\\s+")) {
      print(out, field, Table.text(node, field));
    }
  }

  public static void print(PrintWriter out, String name, String value) {
    if (!value.isEmpty()) {
      out.println("%-16s%s".formatted(name, Table.plain(value)));
    }
  }
}
