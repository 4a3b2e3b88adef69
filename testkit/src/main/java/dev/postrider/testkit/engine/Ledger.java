package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.PartState;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The reference model: what was handed in, what was done to it, and the rules that the platform's
 * own record must obey. It knows nothing of how the engine works.
 */
final class Ledger {
  private final World world;
  private final Pace pace;
  private final Pace chatPace;
  private final int maxAttempts;
  private final boolean checksClock;
  private final boolean checksPace;
  private final List<MessageId> order = new ArrayList<>();
  private final Map<MessageId, StoredMessage> accepted = new HashMap<>();
  private final Map<MessageId, Integer> ranks = new HashMap<>();
  private final Map<MessageId, Integer> cancelledAt = new HashMap<>(); // requests seen by then
  private final Map<String, Integer> pausedAt = new HashMap<>(); // scope, requests seen by then
  private final Set<MessageId> hurried = new HashSet<>();
  private final List<Integer> crashes = new ArrayList<>(); // requests seen by then
  private final Map<String, Integer> lastRank = new HashMap<>();
  private int checked;

  Ledger(
      World world,
      Pace pace,
      Pace chatPace,
      int maxAttempts,
      boolean checksClock,
      boolean checksPace) {
    this.world = world;
    this.pace = pace;
    this.chatPace = chatPace;
    this.maxAttempts = maxAttempts;
    this.checksClock = checksClock;
    this.checksPace = checksPace;
  }

  // ---- what was done

  void accepted(StoredMessage message) {
    ranks.put(message.id(), order.size());
    order.add(message.id());
    accepted.put(message.id(), message);
  }

  void cancelled(MessageId id) {
    cancelledAt.put(id, requests().size());
  }

  void hurried(MessageId id) {
    hurried.add(id);
  }

  void crashed() {
    crashes.add(requests().size());
  }

  void paused(String account, @Nullable String chat) {
    pausedAt.putIfAbsent(scope(account, chat), requests().size());
  }

  void resumed(String account, @Nullable String chat) {
    checkRequests();
    pausedAt.remove(scope(account, chat));
  }

  private static String scope(String account, @Nullable String chat) {
    return chat == null ? account : account + "/" + chat;
  }

  Optional<MessageId> any(RandomGenerator random) {
    return order.isEmpty()
        ? Optional.empty()
        : Optional.of(order.get(random.nextInt(order.size())));
  }

  boolean anyActive() {
    return order.stream().anyMatch(id -> !world.message(id).status().ended());
  }

  private StoredMessage known(MessageId id) {
    StoredMessage message = accepted.get(id);
    if (message == null) {
      throw new AssertionError("nobody handed in " + id);
    }
    return message;
  }

  private List<Request> requests() {
    return world.platform.requests();
  }

  // ---- rules on single requests, checked as they come

  /** Looks at the requests that came since the last look. */
  void checkRequests() {
    for (; checked < requests().size(); checked++) {
      Request request = requests().get(checked);
      checkOrder(request);
      int index = checked;
      assertThat(cancelledAt.getOrDefault(request.id(), Integer.MAX_VALUE))
          .as("request %s of a cancelled message: %s", index, request)
          .isGreaterThan(index);
      for (String scope : List.of(request.account(), scope(request.account(), request.chat()))) {
        assertThat(pausedAt.getOrDefault(scope, Integer.MAX_VALUE))
            .as("request %s while %s is paused: %s", index, scope, request)
            .isGreaterThan(index);
      }
    }
  }

  /** In a lane nothing is tried any more that was handed in before something already tried. */
  private void checkOrder(Request request) {
    StoredMessage message = accepted.get(request.id());
    if (message == null || message.message().ordering() == Ordering.NONE) {
      return;
    }
    if (message.message().sendAt() != null && hurried.contains(request.id())) {
      return;
    }
    if (message.message().sendAt() != null) {
      if (checksClock) { // a time that had come stays so when the clock is set back
        assertThat(request.at()).isAfterOrEqualTo(message.message().sendAt());
      }
      return;
    }
    String lane = scope(request.account(), request.chat());
    Integer rank = ranks.get(request.id());
    assertThat(rank).as("rank of %s", request).isNotNull();
    assertThat(lastRank.getOrDefault(lane, -1))
        .as("order in lane %s at request %s: %s", lane, checked, request)
        .isLessThanOrEqualTo(rank);
    lastRank.put(lane, rank);
  }

  // ---- rules on the whole, checked at the end

  void checkEverything() {
    checkRequests();
    checkRepeats();
    order.forEach(this::checkEnd);
    assertThat(world.postrider().stats().queued()).as("messages counted as active").isZero();
    if (checksPace) {
      for (String account : Set.of("bot", "second")) {
        checkPace(pace, request -> request.account().equals(account), account);
        Set<String> chats = new HashSet<>();
        requests().forEach(request -> chats.add(request.chat()));
        for (String chat : chats) {
          checkPace(
              chatPace,
              request -> request.account().equals(account) && request.chat().equals(chat),
              scope(account, chat));
        }
      }
    }
  }

  /** Nothing is lost: it has ended, and what is called delivered has arrived. */
  private void checkEnd(MessageId id) {
    StoredMessage message = world.message(id);
    assertThat(message.status().ended()).as("%s has ended", message).isTrue();
    List<Request> own = requests().stream().filter(request -> request.id().equals(id)).toList();
    StoredMessage first = known(id);
    long inherited =
        first.replayOf() == null
            ? 0
            : first.progress().parts().stream()
                .filter(part -> part.state() == PartState.State.DELIVERED)
                .count();
    if (message.status() == Status.DELIVERED) {
      long arrived =
          own.stream()
              .filter(request -> request.outcome() instanceof Outcome.Delivered)
              .map(Request::part)
              .distinct()
              .count();
      assertThat(arrived + inherited)
          .as("parts of %s that arrived: %s", message, own)
          .isEqualTo(message.plan().parts().size());
    }
    checkAttempts(message, own);
    for (int part = 0; part < message.plan().parts().size(); part++) {
      int index = part;
      long copies =
          own.stream().filter(request -> request.arrived() && request.part() == index).count();
      assertThat(copies > 1 && !message.possibleDuplicate())
          .as("part %s of %s arrived %s times unannounced: %s", part, message, copies, own)
          .isFalse();
    }
  }

  private void checkAttempts(StoredMessage message, List<Request> own) {
    int allowed = message.message().bestEffort() ? 1 : maxAttempts;
    assertThat(message.attempts()).as("attempts of %s", message).isLessThanOrEqualTo(allowed);
    if (!message.message().bestEffort()) {
      long failed =
          own.stream()
              .filter(
                  request ->
                      request.outcome() instanceof Outcome.NotSent
                          || request.outcome() instanceof Outcome.Unknown)
              .count();
      assertThat(failed).as("failed attempts of %s: %s", message, own).isLessThanOrEqualTo(allowed);
    }
    if ("attempts-exhausted".equals(message.reason())) {
      assertThat(message.attempts()).as("attempts of %s", message).isEqualTo(allowed);
    }
  }

  /**
   * A part that was delivered is asked for again only after a crash, and once per lane and crash.
   */
  private void checkRepeats() {
    Map<String, Integer> delivered = new HashMap<>();
    Map<String, Integer> excuses = new HashMap<>();
    for (int i = 0; i < requests().size(); i++) {
      Request request = requests().get(i);
      String part = request.id() + "#" + request.part();
      Integer before = delivered.remove(part);
      if (before != null) {
        int first = before;
        int index = i;
        Optional<Integer> crash =
            crashes.stream().filter(at -> first < at && at <= index).findFirst();
        assertThat(crash)
            .as("a crash between %s and %s", requests().get(first), request)
            .isPresent();
        Message message = known(request.id()).message();
        if (message.ordering() == Ordering.FIFO) {
          String excuse = scope(request.account(), request.chat()) + "@" + crash.get();
          assertThat(excuses.merge(excuse, 1, Integer::sum))
              .as("repeats in %s", excuse)
              .isEqualTo(1);
        }
      }
      if (request.outcome() instanceof Outcome.Delivered) {
        delivered.put(part, i);
      }
    }
  }

  /**
   * In no window more than rate × window + burst: with f(k) = k − rate × t(k), no f(j) may exceed
   * an earlier f(i) by burst or more.
   */
  private void checkPace(Pace limits, Predicate<Request> scope, String name) {
    List<Request> own = requests().stream().filter(scope).toList();
    for (Map.Entry<Duration, Integer> limit : limits.limits().entrySet()) {
      double rate = limit.getValue() / (limit.getKey().toNanos() / 1e9);
      double lowest = Double.MAX_VALUE;
      for (int k = 0; k < own.size(); k++) {
        double f = k - rate * (own.get(k).elapsed().toNanos() / 1e9);
        lowest = Math.min(lowest, f);
        assertThat(f - lowest + 1)
            .as("burst of %s at request %s (%s)", name, k, own.get(k))
            .isLessThanOrEqualTo(limits.burst() + 1e-3);
      }
    }
  }
}
