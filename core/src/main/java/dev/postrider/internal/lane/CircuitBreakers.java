package dev.postrider.internal.lane;

import dev.postrider.channel.Outcome;
import dev.postrider.store.message.Head;
import dev.postrider.view.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breakers of one account that have tripped: one for the account as a whole, and one
 * for each server, where its chats have several. Empty while all is well.
 *
 * <p>Not thread-safe; the lane scheduler guards it.
 */
final class CircuitBreakers {
  private static final String ACCOUNT = "";

  private final Function<String, @Nullable String> serverOf;
  private final int slots;
  private final Map<String, CircuitBreaker> tripped = new HashMap<>();
  private @Nullable CircuitBreaker probed; // by a question of ours, for want of messages

  /**
   * @param serverOf names the server of a chat; null where the account has only one
   * @param slots how many requests the account may have under way
   */
  CircuitBreakers(Function<String, @Nullable String> serverOf, int slots) {
    this.serverOf = serverOf;
    this.slots = slots;
  }

  // ---- letting go

  /** Whether nothing has tripped on the way to this chat. */
  boolean areCalm(String chat) {
    return tripped.isEmpty() || onTheWayTo(chat).isEmpty();
  }

  /** Whether a request to this chat may go now. */
  boolean let(String chat, Duration now) {
    return tripped.isEmpty() || onTheWayTo(chat).stream().allMatch(breaker -> breaker.lets(now));
  }

  /** Whether requests may go now as far as the account as a whole is concerned. */
  boolean letAccount(Duration now) {
    CircuitBreaker account = tripped.get(ACCOUNT);
    return account == null || account.lets(now);
  }

  boolean isUnreachable(String chat) {
    return onTheWayTo(chat).stream().anyMatch(CircuitBreaker::isOutage);
  }

  /** A request is let go. */
  void begin(Permit permit) {
    if (!tripped.isEmpty()) {
      leave(permit);
      permit.breakers = onTheWayTo(permit.chat);
      permit.breakers.forEach(CircuitBreaker::begin);
    }
  }

  /** The request was not made, or its outcome has been told. */
  void leave(Permit permit) {
    permit.breakers.forEach(CircuitBreaker::end);
    permit.breakers = List.of();
  }

  private List<CircuitBreaker> onTheWayTo(String chat) {
    if (tripped.isEmpty()) {
      return List.of();
    }
    return Stream.of(tripped.get(ACCOUNT), tripped.get(key(chat)))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private String key(String chat) {
    String server = serverOf.apply(chat);
    return server == null ? ACCOUNT : server;
  }

  // ---- what happened to a request

  /** Could not be reached; gives the outage if it is news. */
  @Nullable Outage unreachable(Permit permit, Outcome.Unreachable gone, Instant at, Duration now) {
    String key = key(permit.chat);
    CircuitBreaker breaker =
        tripped.computeIfAbsent(key, it -> new CircuitBreaker(it.equals(ACCOUNT) ? null : it));
    boolean tried = permit.breakers.contains(breaker);
    leave(permit);
    return breaker.unreachable(gone, at, now, tried) ? breaker.outage(at, now) : null;
  }

  boolean hasOutage() {
    CircuitBreaker account = tripped.get(ACCOUNT);
    return account != null && account.isOutage();
  }

  /** Whether the account's outage is to be probed now; then that is under way. */
  boolean beginProbe(Duration now) {
    CircuitBreaker account = tripped.get(ACCOUNT);
    if (probed != null || account == null || !hasOutage() || !account.lets(now)) {
      return false;
    }
    probed = account;
    account.begin();
    return true;
  }

  /**
   * The probe is over.
   *
   * @param gone why the platform could not be asked; null if it could, or nobody knows
   * @return the outage if it is news
   */
  @Nullable Outage endProbe(Outcome.@Nullable Unreachable gone, Instant at, Duration now) {
    CircuitBreaker account = probed;
    probed = null;
    if (account == null) {
      return null;
    }
    account.end();
    if (!tripped.containsValue(account)) {
      return null; // it is over
    }
    if (gone == null) {
      account.silent(now);
      return null;
    }
    return account.unreachable(gone, at, now, true) ? account.outage(at, now) : null;
  }

  /** Nobody knows. */
  void silent(Permit permit, Duration now) {
    List<CircuitBreaker> tried = permit.breakers;
    leave(permit);
    tried.forEach(breaker -> breaker.silent(now));
  }

  /** The platform asked the account for patience; gives the breakers that are over. */
  List<CircuitBreaker> throttled(Permit permit) {
    List<CircuitBreaker> over = answered(permit, false);
    throttled();
    return over;
  }

  /** The platform had asked the account for patience before the start. */
  void throttled() {
    tripped.computeIfAbsent(ACCOUNT, _ -> new CircuitBreaker(null)).throttled();
  }

  /** The platform answered; gives the breakers that are over. */
  List<CircuitBreaker> answered(Permit permit) {
    return answered(permit, true);
  }

  private List<CircuitBreaker> answered(Permit permit, boolean takesMore) {
    if (tripped.isEmpty()) {
      return List.of();
    }
    List<CircuitBreaker> tried = permit.breakers;
    leave(permit);
    return reset(
        onTheWayTo(permit.chat).stream()
            .filter(
                breaker ->
                    breaker.isOutage()
                        || (takesMore && tried.contains(breaker) && breaker.widen() > slots))
            .toList());
  }

  /** Somebody knows that the platform can be reached; gives the breakers that are over. */
  List<CircuitBreaker> reached() {
    return reset(tripped.values().stream().filter(CircuitBreaker::isOutage).toList());
  }

  private List<CircuitBreaker> reset(List<CircuitBreaker> over) {
    tripped.values().removeAll(over);
    return over;
  }

  // ---- those who wait for a server

  /** Puts a head aside until its server answers; false if it is left to the store. */
  boolean hold(Head head) {
    CircuitBreaker breaker = tripped.get(key(head.chat()));
    return breaker != null && breaker.hold(head);
  }

  /** A head whose server may be tried now; null if there is none. */
  @Nullable Head nextHeld(Duration now) {
    for (CircuitBreaker breaker : tripped.values()) {
      if (!breaker.held().isEmpty() && breaker.lets(now)) {
        return breaker.held().poll();
      }
    }
    return null;
  }

  int held() {
    return tripped.values().stream().mapToInt(breaker -> breaker.held().size()).sum();
  }

  /** Takes out what waits for this chat's server. */
  List<Head> takeOut(String chat) {
    List<Head> out = new ArrayList<>(0);
    for (CircuitBreaker breaker : tripped.values()) {
      breaker.held().removeIf(head -> head.chat().equals(chat) && out.add(head));
    }
    return out;
  }

  /**
   * How long until time alone lets somebody go; null if it does not.
   *
   * @param anybody whether anybody waits who is not held here
   */
  @Nullable Duration waits(Duration now, boolean anybody) {
    Duration shortest = null;
    for (CircuitBreaker breaker : tripped.values()) {
      Duration waits = anybody || !breaker.held().isEmpty() ? breaker.waits(now) : null;
      if (waits != null && (shortest == null || waits.compareTo(shortest) < 0)) {
        shortest = waits;
      }
    }
    return shortest;
  }

  // ---- for people to look at

  List<Outage> outages(Instant at, Duration now) {
    return outages(tripped.values().stream().filter(CircuitBreaker::isKnown).toList(), at, now);
  }

  List<Outage> outages(String chat, Instant at, Duration now) {
    return outages(onTheWayTo(chat), at, now);
  }

  private static List<Outage> outages(
      Collection<CircuitBreaker> breakers, Instant at, Duration now) {
    return breakers.stream()
        .map(breaker -> breaker.outage(at, now))
        .<Outage>mapMulti(
            (outage, into) -> {
              if (outage != null) {
                into.accept(outage);
              }
            })
        .sorted(Comparator.comparing(Outage::since))
        .toList();
  }
}
