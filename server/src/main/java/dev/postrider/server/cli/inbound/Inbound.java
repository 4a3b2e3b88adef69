package dev.postrider.server.cli.inbound;

import dev.postrider.server.cli.message.Bulk;
import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postrider inbound}: what came from platforms. */
@Command(
    name = "inbound",
    description = "Lists and shows inbound messages; replays and discards dead letters.",
    footer = "  postrider inbound list")
public final class Inbound {
  private static final String KIND = "inbound";

  /** The options that choose among inbound messages. */
  static final class Chosen {
    @Option(names = "--account", description = "Only this account.")
    private @Nullable String account;

    @Option(names = "--session", description = "Only this session.")
    private @Nullable String session;

    Values values() {
      return Values.of("account", account).and("sessionId", session);
    }
  }

  @Command(
      description = "Lists inbound messages, newest first.",
      footer = "  postrider inbound list --status failed")
  int list(
      @Mixin Chosen chosen,
      @Option(
              names = "--status",
              completionCandidates = Choices.InboundStatus.class,
              description = "Only pending, leased, handled, failed or discarded ones.")
          @Nullable String status,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    return remote.list(
        Client.path(KIND) + paging.query(chosen.values().and("status", status)),
        InboundText.COLUMNS,
        "No inbound messages match.");
  }

  @Command(
      description = "Shows an inbound message with its history.",
      footer = "  postrider inbound show 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(Client.path(KIND, id), InboundText::show);
  }

  @Command(
      description = "Downloads a file of an inbound message.",
      footer =
          "  postrider inbound download 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70 0 --output cat.jpg")
  int download(
      @Parameters(paramLabel = "ID") String id,
      @Parameters(
              paramLabel = "N",
              arity = "0..1",
              defaultValue = "0",
              description = "Which file, counted from 0; ${DEFAULT-VALUE}.")
          int index,
      @Option(
              names = "--output",
              paramLabel = "FILE",
              description = "A new file; by default one of the file's own name.")
          @Nullable Path output,
      @Mixin Remote remote) {
    return remote.download(Client.path(KIND, id, "media", Integer.toString(index)), output);
  }

  @Command(
      description = "Hands out a dead letter again, or all that match, oldest first.",
      footer = "  postrider inbound replay --account tg-main --dry-run")
  int replay(@Mixin Bulk bulk, @Mixin Chosen chosen, @Mixin Remote remote) {
    return bulk.run(
        remote,
        new Bulk.Action(KIND, "replay", "Handed out again", "dead letters", false),
        chosen.values(),
        (server, id) ->
            server.post(
                Client.path(KIND, id, "replay"),
                null,
                (out, again) -> out.println("Handed out again as " + Table.text(again, "id"))));
  }

  @Command(
      description = "Discards a dead letter: it is never handed out again.",
      footer = "  postrider inbound discard 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int discard(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.delete(Client.path(KIND, id), "Discarded.");
  }
}
