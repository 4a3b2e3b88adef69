package dev.postrider.server.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a list. */
final class Paging {
  @Option(names = "--limit", defaultValue = "50", description = "Most lines; ${DEFAULT-VALUE}.")
  private int limit;

  @Option(names = "--cursor", description = "Go on where the list before ended.")
  private @Nullable String cursor;

  Map<String, @Nullable Object> addTo(Map<String, @Nullable Object> values) {
    values.put("limit", limit);
    values.put("cursor", cursor);
    return values;
  }
}
