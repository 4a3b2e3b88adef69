package dev.postrider.server.http;

import dev.postrider.server.log.Line;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a line for everything an operator did: who, what, to which thing. The words are those of
 * the command line: {@code accounts pause tg-main}.
 */
final class OperatorLog {
  private static final String OF_COMMAND_LINE = "postrider-cli";

  private OperatorLog() {}

  static void write(String who, Route route, Call call) {
    String action = action(route);
    String id = String.join(" ", call.pathValues());
    Map<String, Object> given = call.given();
    String details =
        given.entrySet().stream()
            .map(each -> each.getKey() + ": " + each.getValue())
            .collect(Collectors.joining(", "));
    String sentence =
        Stream.of(action, id, details.isEmpty() ? "" : "(" + details + ")")
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(" "));
    Line line =
        Line.info("operator.action", "Operator " + who + ": " + sentence)
            .with("operator", who)
            .with("action", action);
    if (!id.isEmpty()) {
      line.with("id", id);
    }
    given.forEach(line::with);
    line.write();
  }

  /** {@code /v1/accounts/{id}/pause} is "accounts pause". */
  private static String action(Route route) {
    String words =
        Stream.of(route.path().split("/"))
            .skip(2) // nothing, and the version
            .filter(word -> !word.startsWith("{"))
            .collect(Collectors.joining(" "));
    String verb =
        switch (route.method()) {
          case "DELETE" -> route.path().startsWith("/v1/reminders") ? "delete" : "discard";
          case "PUT" -> "replace";
          default -> words.contains(" ") ? "" : "create";
        };
    return (words + " " + verb).strip();
  }

  /** Who it is where there are no tokens to tell. */
  static String unnamed(String userAgent) {
    return userAgent.toLowerCase(Locale.ROOT).startsWith(OF_COMMAND_LINE) ? "cli" : "local";
  }
}
