package dev.postrider.server.api.reminder;

import dev.postrider.reminder.Target;
import dev.postrider.reminder.csv.TargetTable;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.store.message.Page;
import io.helidon.http.HeaderNames;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Tables of targets, written page by page. */
final class TargetTables {
  static final String CSV = "text/csv";
  private static final int PAGE = 500;

  private TargetTables() {}

  /** Reads a page from a cursor on. */
  @FunctionalInterface
  interface Pages<T> {
    Page<T> from(@Nullable String cursor, int limit);
  }

  /** Begins a table that has a column for each of these variables. */
  @FunctionalInterface
  interface Begin {
    TargetTable table(Appendable out, List<String> variables) throws IOException;
  }

  /** Writes one row. */
  @FunctionalInterface
  interface Row<T> {
    void write(TargetTable table, T target) throws IOException;
  }

  static boolean areWanted(ApiRequest call) {
    @Nullable String format = call.query("format");
    if (format == null) {
      return call.header(HeaderNames.ACCEPT).filter(accept -> accept.startsWith(CSV)).isPresent();
    }
    if (!format.equals("csv") && !format.equals("json")) {
      throw HttpProblem.invalid("format", "must be csv or json");
    }
    return format.equals("csv");
  }

  /** A table of all pages. They are read twice: the first row names the variables of all. */
  static <T> ApiResponse answer(
      String file, Pages<T> pages, Function<T, Target> target, Begin begin, Row<T> row) {
    return new ApiResponse.Streamed(
        CSV,
        Map.of("Content-Disposition", "attachment; filename=\"" + file + ".csv\""),
        out -> {
          Set<String> variables = new LinkedHashSet<>();
          each(pages, one -> variables.addAll(target.apply(one).variables().keySet()));
          Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
          TargetTable table = begin.table(writer, List.copyOf(variables));
          each(pages, one -> row.write(table, one));
          writer.flush();
        });
  }

  /** Does something with a target. */
  @FunctionalInterface
  private interface Step<T> {
    void take(T target) throws IOException;
  }

  private static <T> void each(Pages<T> pages, Step<T> step) throws IOException {
    @Nullable String cursor = null;
    do {
      Page<T> page = pages.from(cursor, PAGE);
      for (T target : page.items()) {
        step.take(target);
      }
      cursor = page.next();
    } while (cursor != null);
  }
}
