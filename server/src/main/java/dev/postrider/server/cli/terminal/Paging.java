package dev.postrider.server.cli.terminal;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a list. */
public final class Paging {
  @Option(names = "--limit", defaultValue = "50", description = "Most lines; ${DEFAULT-VALUE}.")
  private int limit;

  @Option(names = "--cursor", description = "Go on where the list before ended.")
  private @Nullable String cursor;

  /** The query of a page of what the values choose. */
  public String query(Values values) {
    return values.and("limit", limit).and("cursor", cursor).query();
  }

  public String query() {
    return query(new Values());
  }
}
