package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import tools.jackson.databind.JsonNode;

/** What something waits for, in words. */
final class WaitingText {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");
  private static final Duration SOON = Duration.ofHours(20);

  private WaitingText() {}

  /** The words; empty if it waits for nothing. */
  static String of(JsonNode waiter) {
    JsonNode waits = waiter.path("waitingFor");
    return waits.isObject() ? words(waits) : "";
  }

  /** The words for a kind of waiting with its cause and times. */
  static String words(JsonNode waits) {
    String cause = Table.plain(Table.text(waits, "cause"));
    String until = clock(Table.text(waits, "until"));
    String since = clock(Table.text(waits, "since"));
    return switch (Table.text(waits, "kind")) {
      case "pace" -> until.isEmpty() ? "waits for its turn" : "may go at " + until + because(cause);
      case "retry" -> "retry at " + until + (cause.isEmpty() ? "" : " after: " + cause);
      case "receipt" -> cause + at("goes on at ", until);
      case "behind" -> "waits for its turn behind " + Table.text(waits, "messageId");
      case "lanePaused" -> "the lane is paused" + from(since) + because(cause);
      case "accountPaused" -> "the account is paused" + from(since) + because(cause);
      case "accountBroken" ->
          "the account is broken" + from(since) + because(cause) + at("asked again at ", until);
      case "unreachable" ->
          "unreachable" + from(since) + because(cause) + at("next probe at ", until);
      case "storeDown" -> "the store takes no writes" + from(since) + because(cause);
      case "window" -> until.isEmpty() ? "waits for its window" : "the window opens at " + until;
      case "sendAt" -> "to be sent at " + until;
      case "otherNode" -> cause;
      default -> Table.text(waits, "kind") + because(cause); // a newer server's
    };
  }

  private static String because(String cause) {
    return cause.isEmpty() ? "" : ": " + cause;
  }

  private static String from(String since) {
    return since.isEmpty() ? "" : " since " + since;
  }

  private static String at(String words, String until) {
    return until.isEmpty() ? "" : "; " + words + until;
  }

  /** A time of the day where the reader is, with the date if it is not near. */
  private static String clock(String instant) {
    if (instant.isEmpty()) {
      return "";
    }
    Instant at = Instant.parse(instant);
    boolean near = Duration.between(Instant.now(), at).abs().compareTo(SOON) < 0;
    return (near ? TIME : DAY).format(at.atZone(ZoneId.systemDefault()));
  }
}
