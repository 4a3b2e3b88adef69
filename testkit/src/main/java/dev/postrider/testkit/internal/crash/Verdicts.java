package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Holds the platform's record against what was acknowledged. */
final class Verdicts {
  /**
   * Something that can leave the outcome of a part in doubt: in each lane of these accounts, the
   * one part that was under way.
   *
   * @param from just before it began
   * @param to when it was over: the process gone, or at work again
   * @param wokenBy of a process that was only stopped, and then went on where it had been: when it
   *     had its part in the work again; long ago of all others
   */
  record Trouble(Instant from, Instant to, Set<String> accounts, Instant wokenBy) {
    static Trouble kill(Instant from, Instant to, Set<String> accounts) {
      return new Trouble(from, to, accounts, Instant.MIN);
    }
  }

  private final Map<String, List<Delivery>> record; // by chat
  private final Map<Load.Lane, List<Load.Sent>> acknowledged;
  private final List<Trouble> troubles;
  private final Weather weather;
  private final List<String> violations = new ArrayList<>();
  private final Set<String> repeatedParts = new HashSet<>();
  private int excusedByTrouble;
  private int excusedByFault;
  private int sentOnWaking;

  Verdicts(
      List<Delivery> record,
      Map<Load.Lane, List<Load.Sent>> acknowledged,
      List<Trouble> troubles,
      Weather weather) {
    this.record = record.stream().collect(Collectors.groupingBy(Delivery::chat));
    this.acknowledged = acknowledged;
    this.troubles = troubles;
    this.weather = weather;
  }

  /** Checks everything; gives what was violated. */
  List<String> check(Api api) {
    acknowledged.forEach(this::checkLane);
    try (ExecutorService lanes = Executors.newVirtualThreadPerTaskExecutor()) {
      acknowledged.values().stream()
          .map(sent -> CompletableFuture.supplyAsync(() -> checkEnds(api, sent), lanes))
          .toList()
          .forEach(ends -> violations.addAll(ends.join()));
    }
    return violations;
  }

  int messages() {
    return acknowledged.values().stream().mapToInt(List::size).sum();
  }

  int excusedByTrouble() {
    return excusedByTrouble;
  }

  int excusedByFault() {
    return excusedByFault;
  }

  /** Requests that a frozen process had begun and that went out when it woke up. */
  int sentOnWaking() {
    return sentOnWaking;
  }

  private void checkLane(Load.Lane lane, List<Load.Sent> sent) {
    List<String> expected = new ArrayList<>();
    sent.forEach(message -> expected.addAll(message.parts()));
    int next = 0;
    Map<String, Instant> lastArrival = new HashMap<>();
    Map<String, Integer> copies = new HashMap<>();
    Map<Trouble, Integer> repeatsByTrouble = new HashMap<>();
    for (Delivery delivery : record.getOrDefault(lane.chat(), List.of())) {
      String text = delivery.text().strip();
      Instant before = lastArrival.put(text, delivery.at());
      int copy = copies.merge(text, 1, Integer::sum);
      if (before != null) {
        repeatedParts.add(text);
        if (!weather.lostAnswer(text, copy - 1)
            && wasSentOnWaking(lane, before, delivery.at(), repeatsByTrouble)) {
          sentOnWaking++;
          continue;
        }
        if (next == 0 || !expected.get(next - 1).equals(text)) {
          violations.add(
              "out of order: %s of %s again at %s after %s"
                  .formatted(mark(text), before, delivery.at(), mark(expected.get(next - 1))));
        }
        excuse(lane, text, copy, before, delivery.at(), repeatsByTrouble);
      } else if (next < expected.size() && expected.get(next).equals(text)) {
        next++;
      } else {
        violations.add(
            "lost or out of order in %s: expected %s, saw %s at %s"
                .formatted(
                    lane,
                    next < expected.size() ? mark(expected.get(next)) : "nothing",
                    mark(text),
                    delivery.at()));
        return;
      }
    }
    if (next < expected.size()) {
      violations.add(
          "lost in %s: %s and %d after it"
              .formatted(lane, mark(expected.get(next)), expected.size() - next - 1));
    }
  }

  /**
   * A process that is stopped between asking whether it may send and sending cannot know, and no
   * platform asks. What it was about to send goes out when it wakes up, though another process has
   * sent that meanwhile, and perhaps more: one part per lane.
   */
  private boolean wasSentOnWaking(
      Load.Lane lane, Instant before, Instant at, Map<Trouble, Integer> repeatsByTrouble) {
    for (Trouble trouble : troubles) {
      boolean waking = !at.isBefore(trouble.to) && at.isBefore(trouble.wokenBy);
      boolean sentByAnother = before.isAfter(trouble.from) && before.isBefore(trouble.to);
      if (waking
          && trouble.accounts.contains(lane.account())
          && sentByAnother
          && repeatsByTrouble.merge(trouble, 1, Integer::sum) == 1) {
        return true;
      }
    }
    return false;
  }

  /**
   * A repeat is right if the platform hid the first verdict, or trouble fell in between: once per
   * lane and trouble.
   */
  private void excuse(
      Load.Lane lane,
      String text,
      int copy,
      Instant before,
      Instant at,
      Map<Trouble, Integer> repeatsByTrouble) {
    if (weather.lostAnswer(text, copy - 1)) {
      excusedByFault++;
      return;
    }
    for (Trouble trouble : troubles) {
      boolean between = !trouble.to.isBefore(before) && !trouble.from.isAfter(at);
      if (between
          && trouble.accounts.contains(lane.account())
          && repeatsByTrouble.merge(trouble, 1, Integer::sum) == 1) {
        excusedByTrouble++;
        return;
      }
    }
    violations.add("needless repeat: %s at %s and %s".formatted(mark(text), before, at));
  }

  /** Every message says how it ended, and whether it may have arrived twice. */
  private List<String> checkEnds(Api api, List<Load.Sent> lane) {
    List<String> wrong = new ArrayList<>();
    for (Load.Sent sent : lane) {
      JsonNode message = look(api, sent);
      if (!message.path("status").asString("").equals("delivered")) {
        wrong.add("not delivered: " + sent.lane() + "/" + sent.number() + ": " + message);
      }
      boolean repeated = sent.parts().stream().anyMatch(repeatedParts::contains);
      if (repeated && !message.path("possibleDuplicate").asBoolean(false)) {
        wrong.add("unannounced repeat: " + message);
      }
    }
    return wrong;
  }

  private static JsonNode look(Api api, Load.Sent sent) {
    try {
      return api.message(sent.id());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String mark(String text) {
    int end = text.indexOf(' ');
    return end < 0 ? text : text.substring(0, end);
  }
}
