package dev.postrider.server.cli.inbound;

import dev.postrider.server.cli.message.MessageText;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Facts;
import dev.postrider.server.cli.terminal.Screen;
import dev.postrider.server.cli.terminal.Table;
import tools.jackson.databind.JsonNode;

/** Inbound messages and their turns in words. */
final class InboundText {
  static final Columns COLUMNS =
      new Columns()
          .with("ID", "id")
          .with("STATUS", "status")
          .age("RECEIVED", "receivedAt")
          .with("SESSION", "sessionId")
          .with("SENDER", event -> Table.text(event.path("sender"), "id"))
          .with("KIND", "kind")
          .with("TRIES", "attempts")
          .brief("TEXT", "text");

  private static final Columns HISTORY =
      new Columns()
          .with("AT", "at")
          .with("ATTEMPT", "attempt")
          .with("NEXT", "nextAt")
          .with("ERROR", "error");

  private InboundText() {}

  static void show(Screen out, JsonNode event) {
    Facts.print(
        out,
        event,
        """
        id status account channel sessionId kind chat chatKind text threadId replyToId platformId \
        receivedAt attempts dueAt endedAt error turn replayOf replayedAs\
        """);
    JsonNode sender = event.path("sender");
    String name = Table.text(sender, "name");
    Facts.print(out, "sender", Table.text(sender, "id") + (name.isEmpty() ? "" : ", " + name));
    for (JsonNode file : event.path("media")) {
      Facts.print(out, "file", Table.text(file, "kind") + " " + Table.text(file, "filename"));
    }
    HISTORY.printBelow(out, event.path("history"));
  }

  /** A turn: what came in, what went wrong, and what was sent because of it. */
  static void turn(Screen out, JsonNode turn) {
    Facts.print(out, turn, "id state attempts handedOutAt endedAt");
    Facts.print(out, turn.path("message"), "status sessionId text error");
    HISTORY.printBelow(out, turn.path("history"));
    out.println();
    MessageText.COLUMNS.print(out, turn.path("messages"), "It caused no messages.");
  }
}
