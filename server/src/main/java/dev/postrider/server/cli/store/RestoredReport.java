package dev.postrider.server.cli.store;

import dev.postrider.server.cli.terminal.Screen;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells what was held, and what people can do then. */
final class RestoredReport {
  static final String HOLD_SCHEDULED =
      "Hold also what was not due yet: somebody may have cancelled it, or sent it early.";

  private RestoredReport() {}

  static Map<String, Object> members(Restored restored) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("restoredAt", restored.at().toString());
    all.put("held", restored.held());
    all.put("scheduled", restored.scheduled());
    all.put("pausedRuns", restored.runs());
    all.put("inboundHeld", restored.inbound());
    return all;
  }

  static void print(Terminal terminal, Restored restored) {
    Screen out = terminal.out();
    out.println(
        "%,d messages may have been sent since, and are held. %,d are not due yet, and stay."
            .formatted(restored.held(), restored.scheduled()));
    if (restored.runs() > 0) {
      out.println(
          "%,d runs are paused: 'postrider runs list', then resume or cancel them."
              .formatted(restored.runs()));
    }
    if (restored.inbound() > 0) {
      out.println(
          ("%,d inbound messages may have been handled since, and are dead letters: 'postrider"
                  + " inbound list --status failed'.")
              .formatted(restored.inbound()));
    }
    if (restored.held() > 0) {
      out.println(
          "Start the server, look at them, then send them again or not:\n"
              + "  postrider dead-letters list --reason %1$s\n".formatted(Restoration.REASON)
              + "  postrider dead-letters replay --reason %1$s\n".formatted(Restoration.REASON)
              + "  postrider dead-letters discard --reason %1$s".formatted(Restoration.REASON));
    } else {
      out.println("Start the server.");
    }
  }

  /** How old something is, in words: the two largest units. */
  static String words(Duration age) {
    if (age.toDays() > 0) {
      return "%d days %d h".formatted(age.toDays(), age.toHoursPart());
    }
    return age.toHours() > 0
        ? "%d h %d min".formatted(age.toHours(), age.toMinutesPart())
        : "%d min %d s".formatted(age.toMinutes(), age.toSecondsPart());
  }
}
