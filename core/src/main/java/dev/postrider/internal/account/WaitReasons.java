package dev.postrider.internal.account;

import dev.postrider.channel.ThrottleScope;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.context.StoreWatch;
import dev.postrider.internal.lane.AwaitedReceipts;
import dev.postrider.internal.pace.PaceOpening;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Status;
import dev.postrider.store.cluster.AccountReport;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneBacklog;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.WaitingHead;
import dev.postrider.store.message.WaitingHeads;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.WaitingFor;
import dev.postrider.view.WaitingSummary;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says what messages, lanes and accounts wait for. Nothing of it is stored: it is seen from the
 * stored row, the head of its lane, what is paused, the account's gates and its pace, whenever
 * somebody looks. However many messages are looked at, the store is asked once.
 *
 * <p>What must go first is said first: the store is down, nobody works the account, the account is
 * paused, broken or unreachable, the lane is paused, another message goes first, its time has not
 * come, its retry is later, its pace. A node that does not work the account says what the store and
 * the owner's last sign of life say, and else which node to ask.
 */
public final class WaitReasons {
  /** How many heads of a kind are counted at most. */
  static final int MOST = 10_000;

  /** How many heads of a kind and priority are asked for what they wait for. */
  static final int LOOKED_AT = 200;

  private final EngineContext context;
  private final AccountRegistry accountRegistry;
  private final AccountOwnership ownership;

  public WaitReasons(
      EngineContext context, AccountRegistry accountRegistry, AccountOwnership ownership) {
    this.context = context;
    this.accountRegistry = accountRegistry;
    this.ownership = ownership;
  }

  /** Of those that have not ended and are not being sent. */
  public Map<MessageId, WaitingFor> ofMessages(Collection<StoredMessage> messages) {
    List<StoredMessage> active =
        messages.stream().filter(message -> !message.status().ended()).toList();
    Look look = new Look(active.stream().map(WaitReasons::lane).toList());
    Map<MessageId, WaitingFor> waits = new HashMap<>();
    for (StoredMessage stored : active) {
      Message message = stored.message();
      Instant now = look.now;
      boolean scheduled = message.sendAt() != null && message.sendAt().isAfter(now);
      LaneBacklog.First seen =
          new LaneBacklog.First(
              stored.id(),
              stored.status(),
              message.ordering() == Ordering.FIFO,
              scheduled && stored.dueAt().isAfter(now),
              stored.bornAt(),
              stored.dueAt(),
              stored.triedAt(),
              stored.error());
      WaitingFor wait = look.of(lane(stored), seen);
      if (wait != null) {
        waits.put(stored.id(), wait);
      }
    }
    return waits;
  }

  private static Lane lane(StoredMessage stored) {
    return new Lane(stored.message().account(), stored.message().to());
  }

  /** Of those whose head is not being sent. */
  public Map<Lane, WaitingFor> ofLanes(Collection<Lane> lanes) {
    Look look = new Look(lanes);
    Map<Lane, WaitingFor> waits = new HashMap<>();
    for (Lane lane : lanes) {
      LaneBacklog top = look.tops.get(lane);
      WaitingFor wait =
          top == null || top.first() == null ? look.paused(lane) : look.of(lane, top.first());
      if (wait != null) {
        waits.put(lane, wait);
      }
    }
    return waits;
  }

  /** Of accounts as a whole; those that may send wait for nothing. */
  public Map<String, WaitingFor> ofAccounts(Collection<String> ids) {
    Look look = new Look(List.of());
    Map<String, WaitingFor> waits = new HashMap<>();
    for (String id : ids) {
      WaitingFor wait = ofAccount(id, look);
      if (wait != null) {
        waits.put(id, wait);
      }
    }
    return waits;
  }

  private @Nullable WaitingFor ofAccount(String id, Look look) {
    WaitingFor closed = look.closed(id);
    if (closed != null) {
      return closed;
    }
    Account account = accountRegistry.worked(id);
    if (account == null) {
      return look.elsewhere(id);
    }
    PaceOpening opening = account.lanes().opening();
    Instant opens = opening.until();
    return opens == null ? null : new WaitingFor.Pace(opens, null, opening.cause());
  }

  /**
   * How many messages of accounts wait, by the kind of what they wait for. What holds an account up
   * holds up all of it. Otherwise those are counted that stand first in their lane, {@value #MOST}
   * of a kind at most; the rest waits behind them, or, if there are more first ones, is {@code
   * other}.
   */
  public Map<String, Map<String, Long>> counts(Collection<AccountView> accounts) {
    Look look = new Look(List.of());
    Map<String, Map<String, Long>> counts = new HashMap<>();
    for (AccountView view : accounts) {
      long waiting = Math.max(0, view.queued() - view.sending());
      if (waiting > 0) {
        counts.put(view.id(), counts(view.id(), waiting, look));
      }
    }
    return counts;
  }

  private Map<String, Long> counts(String id, long waiting, Look look) {
    Account account = accountRegistry.worked(id);
    WaitingFor whole = look.whole(id);
    if (whole != null || account == null) {
      return Map.of(whole == null ? WaitingTally.OTHER : whole.kind(), waiting);
    }
    WaitingHeads heads = heads(id, look);
    Map<String, Long> counts = new LinkedHashMap<>();
    long held = Math.min(heads.due(), account.lanes().heldByOutages());
    counts.put("unreachable", held);
    counts.put("pace", heads.due() - held);
    counts.put("retry", heads.retried());
    counts.put("sendAt", heads.scheduled());
    counts.put("lanePaused", heads.paused());
    counts.put(heads.more() ? WaitingTally.OTHER : "behind", Math.max(0, waiting - heads.all()));
    return counts;
  }

  private WaitingHeads heads(String id, Look look) {
    return context.glance(
        () -> context.store().waitingHeads(id, look.now, MOST), WaitingHeads.NONE);
  }

  /**
   * What waits of accounts, by kind and cause. The numbers are those of {@link #counts}; the causes
   * are looked at for the first {@value #LOOKED_AT} of a kind and priority.
   */
  public WaitingSummary summary(Collection<AccountView> accounts) {
    Look look = new Look(List.of());
    WaitingTally tally = new WaitingTally();
    for (AccountView view : accounts) {
      long waiting = Math.max(0, view.queued() - view.sending());
      if (waiting > 0) {
        tally(tally, view, waiting, look);
      }
    }
    return tally.summary();
  }

  private void tally(WaitingTally tally, AccountView view, long waiting, Look look) {
    String id = view.id();
    WaitingHeads heads = heads(id, look);
    WaitingFor whole = look.whole(id);
    if (whole != null) {
      tally.all(id, whole, waiting, heads, view.oldestWaitingAt());
      return;
    }
    List<WaitingHead> seen =
        context.glance(() -> context.store().waiting(id, look.now, LOOKED_AT), List.of());
    Look near = new Look(seen.stream().map(WaitingHead::lane).toList());
    for (WaitingHead head : seen) {
      WaitingFor wait = near.of(head.lane(), head.message());
      if (wait != null) {
        tally.head(head, wait);
      } // or else it is being sent meanwhile
    }
    tally.unseen(id, heads, seen, look.now);
    tally.rest(id, heads.more(), waiting - heads.all());
  }

  /** Everything at one moment. */
  private final class Look {
    final Instant now = context.time().instant();
    final Map<Lane, LaneBacklog> tops;
    private @Nullable Map<String, AccountState> states;
    private @Nullable ClusterSnapshot snapshot;

    Look(Collection<Lane> lanes) {
      List<Lane> distinct = lanes.stream().distinct().toList();
      tops =
          distinct.isEmpty()
              ? Map.of()
              : context
                  .glance(() -> context.store().tops(distinct), List.<LaneBacklog>of())
                  .stream()
                  .collect(Collectors.toMap(LaneBacklog::lane, top -> top));
    }

    @Nullable WaitingFor of(Lane lane, LaneBacklog.First message) {
      Account account = accountRegistry.worked(lane.account());
      if (message.status() == Status.SENDING) {
        return account == null ? nobody(lane.account()) : betweenParts(account, lane, message.id());
      }
      WaitingFor closed = closed(lane.account());
      if (closed == null && account != null) {
        closed = account.closed(lane.chat(), now);
      }
      if (closed == null) {
        closed = paused(lane);
      }
      if (closed != null) {
        return closed;
      }
      if (message.scheduled()) {
        return new WaitingFor.SendAt(ahead(message.dueAt()), message.createdAt());
      }
      LaneBacklog.First head = tops.containsKey(lane) ? tops.get(lane).first() : null;
      if (message.placed() && head != null && head.placed() && !head.id().equals(message.id())) {
        return new WaitingFor.Behind(head.id(), message.createdAt());
      }
      PaceOpening opening =
          account == null ? PaceOpening.at(now) : account.lanes().opening(lane.chat());
      if (message.dueAt().isAfter(now) && AwaitedReceipts.AWAITED.equals(message.error())) {
        return new WaitingFor.Receipt(message.dueAt(), message.triedAt(), AwaitedReceipts.AWAITED);
      }
      if (message.dueAt().isAfter(now)) {
        // A throttle closes the scope for as long as the message waits: that is no retry.
        boolean throttled = opening.byPlatform() && !opening.at().isBefore(message.dueAt());
        return throttled
            ? new WaitingFor.Pace(opening.at(), message.triedAt(), cause(message, opening))
            : new WaitingFor.Retry(message.dueAt(), message.triedAt(), message.error());
      }
      return account == null
          ? elsewhere(lane.account())
          : new WaitingFor.Pace(opening.until(), message.dueAt(), opening.cause());
    }

    /** What was said when the chat was closed, if the message was there to hear it. */
    private static @Nullable String cause(LaneBacklog.First message, PaceOpening opening) {
      return opening.scope() == ThrottleScope.CHAT && message.error() != null
          ? message.error()
          : opening.cause();
    }

    /** Why the next part of a message under way is not being sent; null if it is. */
    private @Nullable WaitingFor betweenParts(Account account, Lane lane, MessageId message) {
      Instant since = account.lanes().waitsForTokenSince(message);
      if (since == null) {
        return null;
      }
      WaitingFor closed = closed(lane.account());
      PaceOpening opening = account.lanes().opening(lane.chat());
      return closed == null ? new WaitingFor.Pace(opening.until(), since, opening.cause()) : closed;
    }

    @Nullable WaitingFor paused(Lane lane) {
      LaneBacklog top = tops.get(lane);
      return top == null || top.paused() == null
          ? null
          : new WaitingFor.LanePaused(top.paused().since(), top.paused().reason());
    }

    /** Why nothing of the account is sent; null if something may be. */
    @Nullable WaitingFor closed(String id) {
      StoreWatch.Down down = context.storeWatch().down();
      if (down != null) {
        return new WaitingFor.StoreDown(down.since(), down.reason());
      }
      Account account = accountRegistry.worked(id);
      if (account != null) {
        return account.closed(now);
      }
      WaitingFor nobody = nobody(id);
      if (nobody != null) {
        return nobody;
      }
      AccountState state = states().get(id);
      WaitingFor stopped = state == null ? null : WaitReasons.closed(state, null);
      return stopped == null ? unreachable(id) : stopped;
    }

    /** What all of the account waits for; null if each of its messages has its own reason. */
    @Nullable WaitingFor whole(String id) {
      WaitingFor closed = closed(id);
      return closed == null && accountRegistry.worked(id) == null ? elsewhere(id) : closed;
    }

    /** As the node says that works the account. */
    private @Nullable WaitingFor unreachable(String id) {
      ClusterSnapshot cluster = roll();
      AccountReport report = cluster == null ? null : cluster.report(id);
      return report != null
              && (report.health().equals(Health.UNREACHABLE.label())
                  || report.health().equals(Health.STARTING.label()))
          ? new WaitingFor.Unreachable(null, report.since(), String.valueOf(report.reason()))
          : null;
    }

    /** Who is to work the account if nobody does; null if somebody does. */
    private @Nullable WaitingFor nobody(String id) {
      ClusterSnapshot cluster = roll();
      if (ownership.nodeOf(id, cluster) != null && (cluster != null || known(id))) {
        return null;
      }
      Instant since = cluster == null ? null : cluster.since(id);
      return known(id) || (cluster != null && cluster.claims(id))
          ? new WaitingFor.OtherNode(since, "no node works its account yet")
          : new WaitingFor.AccountBroken(null, since, MissingAccounts.REASON);
    }

    private boolean known(String id) {
      return accountRegistry.names().contains(id);
    }

    WaitingFor elsewhere(String id) {
      ClusterSnapshot cluster = roll();
      return new WaitingFor.OtherNode(
          cluster == null ? null : cluster.since(id),
          "node " + ownership.nodeOf(id, cluster) + " works its account");
    }

    private Map<String, AccountState> states() {
      if (states == null) {
        states = context.glance(accountRegistry::readStates, Map.of());
      }
      return states;
    }

    private @Nullable ClusterSnapshot roll() {
      if (snapshot == null) {
        snapshot = ownership.roll();
      }
      return snapshot;
    }

    /** Nothing is promised for a moment that has passed. */
    private @Nullable Instant ahead(Instant when) {
      return when.isAfter(now) ? when : null;
    }
  }

  /**
   * What was done to the account, by an operator or its platform.
   *
   * @param nextProbeAt when the platform is asked again
   */
  static @Nullable WaitingFor closed(AccountState state, @Nullable Instant nextProbeAt) {
    String paused = state.pausedBecause();
    if (paused != null) {
      return new WaitingFor.AccountPaused(state.pausedSince(), paused);
    }
    String broken = state.brokenBecause();
    return broken == null
        ? null
        : new WaitingFor.AccountBroken(nextProbeAt, state.brokenSince(), broken);
  }
}
