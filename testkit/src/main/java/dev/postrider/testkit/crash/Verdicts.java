package dev.postrider.testkit.crash;

import dev.postrider.testkit.platform.FakeTelegram.Delivery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds the platform's record against what was acknowledged. */
final class Verdicts {
  /** From just before the signal until the process was gone. */
  record Kill(Instant from, Instant to) {}

  private final List<Delivery> record;
  private final Map<String, List<Load.Sent>> acknowledged;
  private final List<Kill> kills;
  private final Weather weather;
  private final List<String> violations = new ArrayList<>();
  private final Set<String> repeatedParts = new HashSet<>();
  private int excusedByKill;
  private int excusedByFault;

  Verdicts(
      List<Delivery> record,
      Map<String, List<Load.Sent>> acknowledged,
      List<Kill> kills,
      Weather weather) {
    this.record = record;
    this.acknowledged = acknowledged;
    this.kills = kills;
    this.weather = weather;
  }

  /** Checks everything; gives what was violated. */
  List<String> check() {
    acknowledged.forEach(this::checkChat);
    return violations;
  }

  Set<String> repeatedParts() {
    return repeatedParts;
  }

  int excusedByKill() {
    return excusedByKill;
  }

  int excusedByFault() {
    return excusedByFault;
  }

  private void checkChat(String chat, List<Load.Sent> sent) {
    List<String> expected = new ArrayList<>();
    sent.forEach(message -> expected.addAll(message.parts()));
    List<Delivery> arrived =
        record.stream().filter(delivery -> delivery.chat().equals(chat)).toList();
    int next = 0;
    Map<String, Instant> lastArrival = new HashMap<>();
    Map<String, Integer> copies = new HashMap<>();
    Map<Kill, Integer> repeatsByKill = new HashMap<>();
    for (Delivery delivery : arrived) {
      String text = delivery.text().strip();
      Instant before = lastArrival.put(text, delivery.at());
      int copy = copies.merge(text, 1, Integer::sum);
      if (before != null) {
        repeatedParts.add(text);
        if (next == 0 || !expected.get(next - 1).equals(text)) {
          violations.add(
              "out of order: " + mark(text) + " again after " + mark(expected.get(next - 1)));
        }
        excuse(text, copy, before, delivery.at(), repeatsByKill);
      } else if (next < expected.size() && expected.get(next).equals(text)) {
        next++;
      } else {
        violations.add(
            "lost or out of order in chat "
                + chat
                + ": expected "
                + (next < expected.size() ? mark(expected.get(next)) : "nothing")
                + ", saw "
                + mark(text));
        return;
      }
    }
    if (next < expected.size()) {
      violations.add(
          "lost in chat "
              + chat
              + ": "
              + mark(expected.get(next))
              + " and "
              + (expected.size() - next - 1)
              + " after it");
    }
  }

  /**
   * A repeat is right if the platform hid the first verdict, or a kill fell in between: once per
   * lane and kill.
   */
  private void excuse(
      String text, int copy, Instant before, Instant at, Map<Kill, Integer> repeatsByKill) {
    if (weather.lostAnswer(text, copy - 1)) {
      excusedByFault++;
      return;
    }
    for (Kill kill : kills) {
      boolean between = !kill.to.isBefore(before) && !kill.from.isAfter(at);
      if (between && repeatsByKill.merge(kill, 1, Integer::sum) == 1) {
        excusedByKill++;
        return;
      }
    }
    violations.add("needless repeat: " + mark(text) + " at " + before + " and " + at);
  }

  private static String mark(String text) {
    int end = text.indexOf(' ');
    return end < 0 ? text : text.substring(0, end);
  }
}
