package dev.postrider.server.cli;

import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** Messages in words. */
final class MessageText {
  private MessageText() {}

  static void list(PrintWriter out, JsonNode page, String nothing) {
    table(out, page.path("items"), nothing);
    if (page.has("scanned") && page.path("next").isString()) {
      out.println(
          "Looked at %d messages, back to %s."
              .formatted(page.path("scanned").asInt(), page.path("scannedUntil").asString("")));
    }
    if (page.path("next").isString()) {
      out.println("There are more: --cursor " + page.path("next").asString());
    }
  }

  static void table(PrintWriter out, JsonNode messages, String nothing) {
    Table table = new Table("ID", "STATUS", "ACCOUNT", "TO", "TRIES", "ACCEPTED", "WAITS", "TEXT");
    for (JsonNode message : messages) {
      table.row(
          Table.text(message, "id"),
          Table.text(message, "status"),
          Table.text(message, "account"),
          Table.text(message, "to"),
          message.path("attempts").asInt(),
          Table.ago(message, "createdAt"),
          WaitingText.of(message),
          Table.text(message, "text"));
    }
    table.print(out, nothing);
  }

  static void show(PrintWriter out, JsonNode message) {
    for (String field :
        new String[] {
          "id",
          "status",
          "account",
          "to",
          "text",
          "attempts",
          "createdAt",
          "endedAt",
          "reason",
          "error",
          "replayOf",
          "replayedAs",
          "idempotencyKey",
          "turnId"
        }) {
      String value = Table.text(message, field);
      if (!value.isEmpty()) {
        out.println("%-16s%s".formatted(field, Table.plain(value)));
      }
    }
    String waits = WaitingText.of(message);
    if (!waits.isEmpty()) {
      out.println("%-16s%s".formatted("waits", waits));
    }
    if (message.path("late").asBoolean()) {
      out.println("It was late.");
    }
    if (message.path("possibleDuplicate").asBoolean()) {
      out.println("It may have arrived twice.");
    }
    if (!message.path("history").isEmpty()) {
      out.println();
      Table table = new Table("AT", "ATTEMPT", "PART", "OUTCOME", "NEXT", "ERROR");
      for (JsonNode entry : message.path("history")) {
        table.row(
            Table.text(entry, "at"),
            entry.path("attempt").asInt(),
            entry.path("part").asInt(),
            Table.text(entry, "outcome"),
            Table.ahead(entry, "nextAt"),
            Table.text(entry, "error"));
      }
      table.print(out, "");
    }
  }
}
