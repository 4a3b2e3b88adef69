package dev.postrider.pace;

import dev.postrider.channel.Scope;
import dev.postrider.config.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who may send when, for one account: its own meter, its channel's (shared with other accounts),
 * and one per chat that has been sent to lately. A chat whose meter is full again is forgotten, so
 * idle chats cost nothing; for the same reason a chat that is not known here has a full meter,
 * provided what the store remembered was restored first.
 *
 * <p>Not thread-safe; the account's lane scheduler guards it. The channel's meter has a lock of its
 * own.
 */
public final class Pacer {
  private static final int SWEEP_FLOOR = 64;
  private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

  private final String account;
  private final ChannelMeter channel;
  private final Meter meter;
  private final Function<String, Pace> chatPace;
  private final Map<String, Meter> chats = new HashMap<>();
  private int sweepAt = SWEEP_FLOOR;
  private Instant sweptAt = Instant.EPOCH;
  private @Nullable Instant slowSince;

  public Pacer(
      String account, ChannelMeter channel, Pace accountPace, Function<String, Pace> chatPace) {
    this.account = account;
    this.channel = channel;
    this.meter = new Meter(accountPace);
    this.chatPace = chatPace;
  }

  /** The meter shared by all accounts of a channel. Thread-safe. */
  public static final class ChannelMeter {
    private final String scope;
    private final Meter meter;

    public ChannelMeter(String channel, Pace pace) {
      this.scope = channelScope(channel);
      this.meter = new Meter(pace);
    }

    synchronized Instant opensAt(Instant now) {
      return meter.opensAt(now);
    }

    synchronized Opening opening(Instant now) {
      return meter.opening(Scope.CHANNEL, now);
    }

    synchronized @Nullable Budget take(Instant now) {
      meter.take(now);
      return meter.isUnlimited() ? null : meter.budget(scope, now);
    }

    synchronized void giveBack(Instant takenAt, Instant now) {
      meter.giveBack(takenAt, now);
    }

    synchronized Budget close(Instant now, Instant until) {
      meter.close(until);
      return meter.budget(scope, now);
    }

    synchronized Instant closedUntil() {
      return meter.closedUntil();
    }

    public synchronized void restore(Budget budget) {
      if (budget.scope().equals(scope)) {
        meter.restore(budget);
      }
    }
  }

  /** Takes over what the store remembered of this account and its chats. */
  public void restore(Budget budget) {
    String chatPrefix = chatScope(account, "");
    if (budget.scope().equals(accountScope(account))) {
      meter.restore(budget);
    } else if (budget.scope().startsWith(chatPrefix)) {
      String chat = budget.scope().substring(chatPrefix.length());
      chats.computeIfAbsent(chat, name -> new Meter(chatPace.apply(name))).restore(budget);
    }
  }

  /** When the account as a whole may send next. */
  public Instant opensAt(Instant now) {
    Instant own = meter.opensAt(now);
    Instant shared = channel.opensAt(now);
    return own.isAfter(shared) ? own : shared;
  }

  /** When this chat may be sent to next, as far as the chat itself is concerned. */
  public Instant chatOpensAt(String chat, Instant now) {
    Meter known = chats.get(chat);
    return known == null ? now : known.opensAt(now);
  }

  /** When the account as a whole may send next, for people to look at. */
  public Opening opening(Instant now) {
    return meter.opening(Scope.ACCOUNT, now).or(channel.opening(now));
  }

  /** When this chat may be sent to next, for people to look at. */
  public Opening opening(String chat, Instant now) {
    Meter known = chats.get(chat);
    return known == null ? opening(now) : known.opening(Scope.CHAT, now).or(opening(now));
  }

  /** Takes one token of each scope; gives what must be stored together with the reservation. */
  public List<Budget> take(String chat, Instant now) {
    List<Budget> spent = new ArrayList<>(3);
    Budget shared = channel.take(now);
    if (shared != null) {
      spent.add(shared);
    }
    if (!meter.isUnlimited()) {
      meter.take(now);
      spent.add(meter.budget(accountScope(account), now));
    }
    Meter chatMeter = chats.get(chat);
    if (chatMeter == null) {
      chatMeter = new Meter(chatPace.apply(chat));
      if (chatMeter.isUnlimited()) {
        return spent;
      }
      forgetFullChats(now); // before this one is added: it is full until the token is taken
      chats.put(chat, chatMeter);
    }
    chatMeter.take(now);
    spent.add(chatMeter.budget(chatScope(account, chat), now));
    return spent;
  }

  /** Gives back a token that was taken and not used. */
  public void giveBack(String chat, Instant takenAt, Instant now) {
    channel.giveBack(takenAt, now);
    meter.giveBack(takenAt, now);
    Meter chatMeter = chats.get(chat);
    if (chatMeter != null) {
      chatMeter.giveBack(takenAt, now);
    }
  }

  /** Closes a scope until the platform allows it again, and slows the account down. */
  public List<Budget> throttle(Scope scope, String chat, Instant now, Instant until) {
    List<Budget> changed = new ArrayList<>(2);
    slowSince(now); // forgets the last time, if that is over
    switch (scope) {
      case CHAT -> {
        Meter chatMeter = chats.computeIfAbsent(chat, name -> new Meter(chatPace.apply(name)));
        chatMeter.close(until);
        forgetFullChats(now);
        changed.add(chatMeter.budget(chatScope(account, chat), now));
      }
      case ACCOUNT -> {
        meter.close(until);
        meter.slowDown(now);
        changed.add(meter.budget(accountScope(account), now));
      }
      case CHANNEL -> changed.add(channel.close(now, until));
    }
    slowSince(now);
    return changed;
  }

  /** A chat has a new name: its meter is as empty, and closed as long, as that of the old one. */
  public List<Budget> move(String from, String to, Instant now) {
    Meter old = chats.remove(from);
    if (old == null) {
      return List.of();
    }
    Meter meter = chats.computeIfAbsent(to, name -> new Meter(chatPace.apply(name)));
    meter.restore(old.budget(chatScope(account, from), now));
    return List.of(meter.budget(chatScope(account, to), now));
  }

  /** The share of the configured rate the account is allowed at the moment. */
  public double share(Instant now) {
    return meter.share(now);
  }

  /** Until when the platform has closed the account or its channel; in the past if it has not. */
  public Instant closedUntil() {
    Instant own = meter.closedUntil();
    Instant shared = channel.closedUntil();
    return own.isAfter(shared) ? own : shared;
  }

  /**
   * Since when the account, or its channel, has been closed or slowed down by the platform without
   * a break, as far as that was seen here; null if it is neither.
   */
  public @Nullable Instant slowSince(Instant now) {
    if (!closedUntil().isAfter(now) && meter.share(now) == 1) {
      slowSince = null;
    } else if (slowSince == null) {
      slowSince = now; // restored, or another account's doing
    }
    return slowSince;
  }

  private void forgetFullChats(Instant now) {
    if (chats.size() >= sweepAt || sweptAt.plus(SWEEP_INTERVAL).isBefore(now)) {
      sweptAt = now;
      chats.values().removeIf(known -> !known.settledAt().isAfter(now));
      sweepAt = Math.max(SWEEP_FLOOR, 2 * chats.size());
    }
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
