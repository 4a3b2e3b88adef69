package dev.postrider.internal.pace;

import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.Pace;
import dev.postrider.store.message.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Who may send when, for one account: its own meter, its channel's (shared with other accounts),
 * and one per chat that has been sent to lately. A chat whose meter is full again is forgotten, so
 * idle chats cost nothing; for the same reason a chat that is not known here has a full meter,
 * provided what the store remembered was restored first.
 *
 * <p>Each scope has two meters with the same limits. A token of the first is taken and stored with
 * the reservation of an attempt, so that it survives a restart. Between the reservation and the
 * request anything may happen: a slow store, a large file. So a token of the second, the one at the
 * wire, is taken right before the request; it is the one that holds the pace the platform sees.
 *
 * <p>Not thread-safe; the account's lane scheduler guards it. The channel's meters have a lock of
 * their own.
 */
public final class Pacer {
  private static final int SWEEP_FLOOR = 64;
  private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

  private final String account;
  private final ChannelMeter channel;
  private final Meter meter;
  private final Meter wire;
  private final Function<String, Pace> chatPace;
  private final Chats chats = new Chats();
  private final Chats wireChats = new Chats();
  private @Nullable Instant slowSince;
  private @Nullable String loweredBecause;

  public Pacer(
      String account, ChannelMeter channel, Pace accountPace, Function<String, Pace> chatPace) {
    this(account, channel, accountPace, chatPace, 0, () -> 0);
  }

  /**
   * @param jitter by up to this fraction the account's intervals are longer than they need be
   */
  public Pacer(
      String account,
      ChannelMeter channel,
      Pace accountPace,
      Function<String, Pace> chatPace,
      double jitter,
      RandomGenerator random) {
    this.account = account;
    this.channel = channel;
    this.meter = new Meter(accountPace, jitter, random);
    this.wire = new Meter(accountPace);
    this.chatPace = chatPace;
  }

  /** The meters of the chats that were sent to lately. */
  private final class Chats {
    private final Map<String, Meter> meters = new HashMap<>();
    private int sweepAt = SWEEP_FLOOR;
    private @Nullable Duration sweptAt;

    Duration opensAt(String chat, Moment now) {
      Meter known = meters.get(chat);
      return known == null ? now.elapsed() : known.opensAt(now);
    }

    /** Takes a token; gives the meter, or null if the chat has no limits: then nothing is spent. */
    @Nullable Meter take(String chat, Moment now) {
      Meter known = meters.get(chat);
      if (known == null) {
        known = new Meter(chatPace.apply(chat));
        if (known.isUnlimited()) {
          return null;
        }
        forgetFull(now); // before this one is added: it is full until the token is taken
        meters.put(chat, known);
      }
      known.take(now);
      return known.isUnlimited() ? null : known;
    }

    Meter orElse(String chat, Meter other) {
      return meters.getOrDefault(chat, other);
    }

    Meter of(String chat) {
      return meters.computeIfAbsent(chat, name -> new Meter(chatPace.apply(name)));
    }

    void giveBack(String chat, Duration takenAt, Moment now) {
      Meter known = meters.get(chat);
      if (known != null) {
        known.giveBack(takenAt, now);
      }
    }

    void forgetFull(Moment now) {
      if (meters.size() >= sweepAt
          || sweptAt == null
          || sweptAt.plus(SWEEP_INTERVAL).compareTo(now.elapsed()) < 0) {
        sweptAt = now.elapsed();
        meters.values().removeIf(known -> known.isSettled(now));
        sweepAt = Math.max(SWEEP_FLOOR, 2 * meters.size());
      }
    }
  }

  /** The meters shared by all accounts of a channel. Thread-safe. */
  public static final class ChannelMeter {
    private final String scope;
    private final Meter meter;
    private final Meter wire;

    public ChannelMeter(String channel, Pace pace) {
      this.scope = channelScope(channel);
      this.meter = new Meter(pace);
      this.wire = new Meter(pace);
    }

    synchronized Duration opensAt(Moment now) {
      return meter.opensAt(now);
    }

    synchronized PaceOpening opening(Moment now) {
      return meter.opening(ThrottleScope.CHANNEL, now);
    }

    synchronized @Nullable Budget take(Moment now) {
      meter.take(now);
      return meter.isUnlimited() ? null : meter.budget(scope, now, wire);
    }

    synchronized Duration wireOpensAt(Moment now) {
      return wire.opensAt(now);
    }

    /** Takes a token at the wire, if one is there: another account may have been faster. */
    synchronized boolean takeAtWire(Moment now) {
      if (wire.opensAt(now).compareTo(now.elapsed()) > 0) {
        return false;
      }
      wire.take(now);
      return true;
    }

    synchronized void emptyAtWire(Moment now) {
      wire.empty(now);
    }

    synchronized @Nullable Budget leftLate(Moment now) {
      return meter.isBehind(wire) ? meter.budget(scope, now, wire) : null;
    }

    synchronized void turnedAwayAtWire() {
      meter.catchUpWith(wire);
    }

    synchronized void giveBack(Duration takenAt, Moment now) {
      meter.giveBack(takenAt, now);
    }

    synchronized Budget close(Moment now, Duration until) {
      meter.close(until);
      wire.close(until);
      return meter.budget(scope, now, wire);
    }

    synchronized Duration closedUntil() {
      return meter.closedUntil();
    }

    public synchronized void restore(Budget budget, Moment now) {
      if (budget.scope().equals(scope)) {
        Pacer.restore(meter, wire, budget, now);
      }
    }
  }

  /** Takes over what the store remembered of this account and its chats. */
  public void restore(Budget budget, Moment now) {
    String chatPrefix = chatScope(account, "");
    if (budget.scope().equals(accountScope(account))) {
      restore(meter, wire, budget, now);
    } else if (budget.scope().startsWith(chatPrefix)) {
      String chat = budget.scope().substring(chatPrefix.length());
      restore(chats.of(chat), wireChats.of(chat), budget, now);
    }
  }

  private static void restore(Meter meter, Meter wire, Budget budget, Moment now) {
    meter.restore(budget, now);
    wire.close(meter.closedUntil());
    wire.catchUpWith(meter);
  }

  /** When the account as a whole may send next; not after now means at once. */
  public Duration opensAt(Moment now) {
    return later(meter.opensAt(now), channel.opensAt(now));
  }

  /** When this chat may be sent to next, as far as the chat itself is concerned. */
  public Duration chatOpensAt(String chat, Moment now) {
    return chats.opensAt(chat, now);
  }

  /** When the account as a whole may send next, for people to look at. */
  public PaceOpening opening(Moment now) {
    return meter
        .opening(ThrottleScope.ACCOUNT, now)
        .because(loweredBecause)
        .or(channel.opening(now));
  }

  /**
   * The account uses at most this part of its configured pace from now on.
   *
   * @param because in a few words, for people; null if it is the whole pace again
   */
  public void lower(double share, @Nullable String because) {
    meter.lower(share);
    wire.lower(share);
    loweredBecause = because;
  }

  /** At most this part of the configured pace is used. */
  public double ceiling() {
    return meter.ceiling();
  }

  /** When this chat may be sent to next, for people to look at. */
  public PaceOpening opening(String chat, Moment now) {
    Meter known = chats.meters.get(chat);
    return known == null ? opening(now) : known.opening(ThrottleScope.CHAT, now).or(opening(now));
  }

  /** Takes one token of each scope; gives what must be stored together with the reservation. */
  public List<Budget> take(String chat, Moment now) {
    List<Budget> spent = new ArrayList<>(3);
    Budget shared = channel.take(now);
    if (shared != null) {
      spent.add(shared);
    }
    if (!meter.isUnlimited()) {
      meter.take(now);
      spent.add(meter.budget(accountScope(account), now, wire));
    }
    Meter chatMeter = chats.take(chat, now);
    if (chatMeter != null) {
      spent.add(chatMeter.budget(chatScope(account, chat), now, wireChats.orElse(chat, chatMeter)));
    }
    return spent;
  }

  /** Gives back a token that was taken and not used. */
  public void giveBack(String chat, Duration takenAt, Moment now) {
    channel.giveBack(takenAt, now);
    meter.giveBack(takenAt, now);
    chats.giveBack(chat, takenAt, now);
  }

  /** When a request to this chat may go out; not after now means at once. */
  public Duration wireOpensAt(String chat, Moment now) {
    Duration own = later(wire.opensAt(now), wireChats.opensAt(chat, now));
    return later(own, channel.wireOpensAt(now));
  }

  /** Takes one token of each scope at the wire, if all of them have one. */
  public boolean takeAtWire(String chat, Moment now) {
    if (wireOpensAt(chat, now).compareTo(now.elapsed()) > 0 || !channel.takeAtWire(now)) {
      return false;
    }
    wire.take(now);
    wireChats.take(chat, now);
    return true;
  }

  /** A request was under way when its process stopped: nobody knows when it left. */
  public void emptyAtWire(String chat, Moment now) {
    wire.empty(now);
    wireChats.of(chat).empty(now);
    channel.emptyAtWire(now);
  }

  /** What must be stored after a request that left later than its tokens were taken. */
  public List<Budget> leftLate(String chat, Moment now) {
    List<Budget> late = new ArrayList<>(0);
    Budget shared = channel.leftLate(now);
    if (shared != null) {
      late.add(shared);
    }
    if (meter.isBehind(wire)) {
      late.add(meter.budget(accountScope(account), now, wire));
    }
    Meter wireChat = wireChats.meters.get(chat); // there is none for a chat without limits
    if (wireChat != null && chats.of(chat).isBehind(wireChat)) {
      late.add(chats.of(chat).budget(chatScope(account, chat), now, wireChat));
    }
    return late;
  }

  /**
   * A request was turned away at the wire: no token for a reservation is to be had before there is
   * one for its request.
   */
  public void turnedAwayAtWire(String chat) {
    meter.catchUpWith(wire);
    Meter wireChat = wireChats.meters.get(chat);
    if (wireChat != null) {
      chats.of(chat).catchUpWith(wireChat);
    }
    channel.turnedAwayAtWire();
  }

  /** Closes a scope for as long as the platform asks, and slows the account down. */
  public List<Budget> throttle(ThrottleScope scope, String chat, Moment now, Duration delay) {
    Duration until = now.elapsed().plus(delay);
    List<Budget> changed = new ArrayList<>(2);
    slowSince(now); // forgets the last time, if that is over
    switch (scope) {
      case CHAT -> {
        Meter chatMeter = chats.of(chat);
        chatMeter.close(until);
        wireChats.of(chat).close(until);
        chats.forgetFull(now);
        wireChats.forgetFull(now);
        changed.add(
            chatMeter.budget(chatScope(account, chat), now, wireChats.orElse(chat, chatMeter)));
      }
      case ACCOUNT -> {
        meter.close(until);
        wire.close(until);
        meter.slowDown(now);
        changed.add(meter.budget(accountScope(account), now, wire));
      }
      case CHANNEL -> changed.add(channel.close(now, until));
    }
    slowSince(now);
    return changed;
  }

  /** A chat has a new name: its meter is as empty, and closed as long, as that of the old one. */
  public List<Budget> move(String from, String to, Moment now) {
    Meter old = chats.meters.remove(from);
    if (old == null) {
      return List.of();
    }
    Meter oldWire = wireChats.meters.remove(from);
    Budget spent = old.budget(chatScope(account, from), now, oldWire == null ? old : oldWire);
    restore(chats.of(to), wireChats.of(to), spent, now);
    return List.of(chats.of(to).budget(chatScope(account, to), now, wireChats.of(to)));
  }

  /** The share of the configured rate the account is allowed at the moment. */
  public double share(Moment now) {
    return meter.share(now);
  }

  /** Until when the platform has closed the account or its channel; in the past if it has not. */
  public Duration closedUntil() {
    return later(meter.closedUntil(), channel.closedUntil());
  }

  /**
   * Since when the account, or its channel, has been closed or slowed down by the platform without
   * a break, as far as that was seen here; null if it is neither.
   */
  public @Nullable Instant slowSince(Moment now) {
    if (closedUntil().compareTo(now.elapsed()) <= 0 && meter.share(now) == 1) {
      slowSince = null;
    } else if (slowSince == null) {
      slowSince = now.clock(); // restored, or another account's doing
    }
    return slowSince;
  }

  private static Duration later(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String channelScope(String channel) {
    return "channel:" + channel;
  }

  private static String accountScope(String account) {
    return "account:" + account;
  }

  private static String chatScope(String account, String chat) {
    return "chat:" + account + "/" + chat;
  }
}
