package dev.postrider.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code postrider audit}: what operators did. */
@Command(
    name = "audit",
    description = "Lists what operators did in the last 90 days, the newest first.",
    mixinStandardHelpOptions = true)
final class Audit implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private Paging paging;
  @Mixin private Remote remote;

  Audit(Terminal terminal) {
    this.terminal = terminal;
    this.paging = new Paging();
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() {
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    JsonNode page = remote.client().get("/v1/audit" + Client.query(paging.addTo(query)));
    remote.print(page, this::list);
    return 0;
  }

  private void list(JsonNode page) {
    Table table = new Table("AT", "OPERATOR", "ACTION", "TARGET", "OUTCOME");
    for (JsonNode entry : page.path("items")) {
      table.row(
          Table.text(entry, "at"),
          Table.text(entry, "operator"),
          Table.text(entry, "action"),
          Table.text(entry, "target"),
          Table.text(entry, "outcome"));
    }
    table.print(terminal.out(), "No operator has done anything in the last 90 days.");
    InboundText.more(terminal.out(), page);
  }
}
