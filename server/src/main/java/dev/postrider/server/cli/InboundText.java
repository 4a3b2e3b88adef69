package dev.postrider.server.cli;

import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** Inbound messages, their turns and their sessions in words. */
final class InboundText {
  private InboundText() {}

  static void list(PrintWriter out, JsonNode page) {
    Table table =
        new Table("ID", "STATUS", "RECEIVED", "SESSION", "SENDER", "KIND", "TRIES", "TEXT");
    for (JsonNode event : page.path("items")) {
      table.row(
          Table.text(event, "id"),
          Table.text(event, "status"),
          Table.ago(event, "receivedAt"),
          Table.text(event, "sessionId"),
          Table.text(event.path("sender"), "id"),
          Table.text(event, "kind"),
          event.path("attempts").asInt(),
          Table.text(event, "text"));
    }
    table.print(out, "None that match.");
    more(out, page);
  }

  static void more(PrintWriter out, JsonNode page) {
    if (page.path("next").isString()) {
      out.println("There are more: --cursor " + page.path("next").asString());
    }
  }

  static void show(PrintWriter out, JsonNode event) {
    facts(
        out,
        event,
        "id",
        "status",
        "account",
        "channel",
        "sessionId",
        "kind",
        "chat",
        "chatKind",
        "text",
        "threadId",
        "replyToId",
        "platformId",
        "receivedAt",
        "attempts",
        "dueAt",
        "endedAt",
        "error",
        "turn",
        "replayOf",
        "replayedAs");
    String name = Table.text(event.path("sender"), "name");
    fact(
        out,
        "sender",
        Table.text(event.path("sender"), "id") + (name.isEmpty() ? "" : ", " + name));
    for (JsonNode file : event.path("media")) {
      fact(out, "file", Table.text(file, "kind") + " " + Table.text(file, "filename"));
    }
    history(out, event);
  }

  /** A turn: what came in, what went wrong, and what was sent because of it. */
  static void turn(PrintWriter out, JsonNode turn) {
    facts(out, turn, "id", "state", "attempts", "handedOutAt", "endedAt");
    JsonNode event = turn.path("message");
    facts(out, event, "status", "sessionId", "text", "error");
    history(out, turn);
    out.println();
    MessageText.table(out, turn.path("messages"), "It caused no messages.");
  }

  private static void history(PrintWriter out, JsonNode event) {
    if (event.path("history").isEmpty()) {
      return;
    }
    out.println();
    Table table = new Table("AT", "ATTEMPT", "NEXT", "ERROR");
    for (JsonNode note : event.path("history")) {
      table.row(
          Table.text(note, "at"),
          note.path("attempt").asInt(),
          Table.text(note, "nextAt"),
          Table.text(note, "error"));
    }
    table.print(out, "");
  }

  static void facts(PrintWriter out, JsonNode node, String... fields) {
    for (String field : fields) {
      fact(out, field, Table.text(node, field));
    }
  }

  static void fact(PrintWriter out, String name, String value) {
    if (!value.isEmpty()) {
      out.println("%-16s%s".formatted(name, Table.plain(value)));
    }
  }
}
