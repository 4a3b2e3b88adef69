package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Facts;
import dev.postrider.server.cli.terminal.Table;
import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** Messages in words. */
public final class MessageText {
  public static final Columns COLUMNS =
      new Columns()
          .with("ID", "id")
          .with("STATUS", "status")
          .with("ACCOUNT", "account")
          .with("TO", "to")
          .with("TRIES", "attempts")
          .age("ACCEPTED", "createdAt")
          .with("WAITS", WaitingText::of)
          .with("TEXT", "text");

  private static final Columns HISTORY =
      new Columns()
          .with("AT", "at")
          .with("ATTEMPT", "attempt")
          .with("PART", "part")
          .with("OUTCOME", "outcome")
          .with("NEXT", entry -> Table.ahead(entry, "nextAt"))
          .with("ERROR", "error");

  private static final Columns RECEIPTS =
      new Columns()
          .with("PART", "part")
          .with("RECEIPT", "receipt")
          .with("STATE", "state")
          .with("AT", "at")
          .with("DETAIL", "detail");

  private MessageText() {}

  static void show(PrintWriter out, JsonNode message) {
    Facts.print(
        out,
        message,
        """
        id status account to text attempts createdAt endedAt receiptStatus reason error replayOf \
        replayedAs idempotencyKey turnId\
        """);
    Facts.print(out, "waits", WaitingText.of(message));
    if (message.path("late").asBoolean()) {
      out.println("It was late.");
    }
    if (message.path("possibleDuplicate").asBoolean()) {
      out.println("It may have arrived twice.");
    }
    HISTORY.printBelow(out, message.path("history"));
    RECEIPTS.printBelow(out, message.path("receipts"));
  }

  static void receipts(PrintWriter out, JsonNode counts) {
    Facts.print(out, counts, "sent delivered read failed");
    if (counts.path("more").asBoolean()) {
      out.println("There may be more: of each account and status 10,000 are counted at most.");
    }
  }
}
