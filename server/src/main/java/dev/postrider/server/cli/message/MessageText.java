package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Facts;
import dev.postrider.server.cli.terminal.Screen;
import dev.postrider.server.cli.terminal.Table;
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
          .brief("TEXT", "text")
          .with("WHY", MessageText::why);

  static final Columns DEAD =
      new Columns()
          .with("ID", "id")
          .with("STATUS", "status")
          .with("ACCOUNT", "account")
          .with("TO", "to")
          .with("TRIES", "attempts")
          .age("ENDED", "endedAt")
          .brief("TEXT", "text")
          .with("WHY", MessageText::why);

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

  /** What it waits for, or why it ended as it did. */
  private static String why(JsonNode message) {
    String waits = WaitingText.of(message);
    String error = Table.text(message, "error");
    return !waits.isEmpty() ? waits : error.isEmpty() ? Table.text(message, "reason") : error;
  }

  static void show(Screen out, JsonNode message) {
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
    Facts.print(out, "next", next(message));
    HISTORY.printBelow(out, message.path("history"));
    RECEIPTS.printBelow(out, message.path("receipts"));
  }

  /** What happens next, or what can be done. */
  private static String next(JsonNode message) {
    String id = Table.text(message, "id");
    return switch (Table.text(message, "status")) {
      case "queued" -> "It is sent by itself; 'postrider messages retry " + id + "' tries it now.";
      case "sending" -> "The platform's answer is awaited.";
      case "failed", "expired", "held" ->
          Table.text(message, "replayedAs").isEmpty()
              ? "Nothing by itself; 'postrider dead-letters replay " + id + "' sends it again."
              : "It was sent again as " + Table.text(message, "replayedAs") + ".";
      default -> "";
    };
  }

  static void receipts(Screen out, JsonNode counts) {
    Facts.print(out, counts, "sent delivered read failed");
    if (counts.path("more").asBoolean()) {
      out.println("There may be more: of each account and status 10,000 are counted at most.");
    }
  }
}
