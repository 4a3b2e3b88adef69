package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Values;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Parameters;

/** Does something to what is named, or to all that match a filter. */
public final class Bulk extends Many {
  @Parameters(paramLabel = "ID", arity = "0..*", description = "Which; else a filter, or --all.")
  private List<String> ids = List.of();

  /**
   * Does it.
   *
   * @param one how it is done to one: asks the server by its id and tells what came of it
   */
  public int run(Remote remote, Action action, Values filter, BiConsumer<Remote, String> one) {
    if (!ids.isEmpty()) {
      if (isAbout(filter)) {
        refuse("Name some by their IDs, or choose by a filter, but not both.");
      }
      ids.forEach(id -> one.accept(remote, id));
      return 0;
    }
    requireFilter(filter, "Say which: an ID, a filter such as --account, or --all.");
    return many(remote, action, filter);
  }
}
