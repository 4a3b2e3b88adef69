package dev.postrider.server.api;

import dev.postrider.server.log.Line;
import dev.postrider.store.history.AuditEntry;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line for everything an operator did, and keeps it in the audit trail: who, what, to
 * which thing, and how it went. The words are those of the command line: {@code accounts pause
 * tg-main}.
 */
public final class OperatorLog {
  private static final String OF_COMMAND_LINE = "postrider-cli";

  private static final int LONGEST = 500;
  private static final int MOST_NAMED = 10;
  private static final String DONE = "done";

  private final EngineState engineState;

  /** Who was told what last, of what is asked again and again; as many as there are accounts. */
  private final Map<String, String> polls = new ConcurrentHashMap<>();

  public OperatorLog(EngineState engineState) {
    this.engineState = engineState;
  }

  /** Lets the route do it, and tells how that went. */
  public ApiResponse answer(String who, InetAddress from, Route route, ApiRequest call) {
    ApiResponse answer;
    try {
      answer = route.handler().answer(call);
    } catch (RuntimeException e) {
      write(who, from, route, call, "failed: " + e.getMessage());
      throw e;
    }
    String polled = call.polled();
    if (polled == null) {
      write(who, from, route, call, DONE);
    } else if (!(who + polled).equals(polls.put(target(route, call), who + polled))) {
      write(who, from, route, call, polled);
    }
    return answer;
  }

  private static String target(Route route, ApiRequest call) {
    return route.path() + call.pathValues();
  }

  private void write(String who, InetAddress from, Route route, ApiRequest call, String outcome) {
    String action = action(route);
    String id = String.join(" ", call.pathValues());
    Map<String, @Nullable Object> given = new LinkedHashMap<>(call.given());
    given.replaceAll((_, value) -> brief(value));
    String details =
        given.entrySet().stream()
            .map(each -> each.getKey() + ": " + each.getValue())
            .collect(Collectors.joining(", "));
    String target =
        Stream.of(id, details.isEmpty() ? "" : "(" + details + ")")
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(" "));
    String sentence = (action + " " + target).strip() + (outcome.equals(DONE) ? "" : " " + outcome);
    Line line =
        Line.info("operator.action", "Operator " + who + ": " + sentence)
            .with("operator", who)
            .with("address", from.getHostAddress())
            .with("action", action);
    if (!id.isEmpty()) {
      line.with("id", id);
    }
    given.forEach(line::with);
    line.with("outcome", outcome);
    line.write();
    keep(new AuditEntry(now(), UUID.randomUUID(), cut(who), action, cut(target), cut(outcome)));
  }

  /** Of a long list, how long it is. */
  private static @Nullable Object brief(@Nullable Object value) {
    return value instanceof Collection<?> list && list.size() > MOST_NAMED
        ? list.size() + " of them"
        : value;
  }

  /**
   * The action is done, or is not, whether the trail can be kept or not: the log has it in any
   * case.
   */
  private void keep(AuditEntry entry) {
    try {
      engineState.postrider().record(entry);
    } catch (RuntimeException e) {
      Line.warn(
              "audit.missing",
              "The audit trail lacks what operator %s just did (%s): %s"
                  .formatted(entry.operator(), entry.action(), e.getMessage()))
          .write();
    }
  }

  /** As exact as stores keep it. */
  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MICROS);
  }

  /** Not every database keeps the null character. */
  private static String cut(String text) {
    String kept = text.replace('\0', ' ');
    return kept.length() <= LONGEST ? kept : kept.substring(0, LONGEST - 1) + "…";
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
  public static String unnamed(String userAgent) {
    return userAgent.toLowerCase(Locale.ROOT).startsWith(OF_COMMAND_LINE) ? "cli" : "local";
  }
}
