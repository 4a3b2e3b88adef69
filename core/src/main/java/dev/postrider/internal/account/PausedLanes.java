package dev.postrider.internal.account;

import dev.postrider.event.Event;
import dev.postrider.internal.context.ChatNames;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.problem.Refused;
import dev.postrider.store.message.PausedLane;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that an operator, or a failure, has stopped. First in the store, then in the engine.
 * Thread-safe.
 */
public final class PausedLanes {
  private final EngineContext context;
  private final Function<String, @Nullable Account> accounts;
  private final ChatNames chats;
  private final Map<String, PausedLane> paused = new ConcurrentHashMap<>();

  PausedLanes(EngineContext context, Function<String, @Nullable Account> accounts) {
    this.context = context;
    this.accounts = accounts;
    this.chats = context.chats();
  }

  /** Takes over what the store says of the account: what was paused before, or elsewhere. */
  void restore(String account) {
    List<PausedLane> known = List.copyOf(paused.values()); // before the look: not what comes now
    Map<String, PausedLane> stored = new HashMap<>();
    for (PausedLane lane : context.store().pausedLanes()) {
      if (lane.account().equals(account)) {
        stored.put(name(account, lane.chat()), lane);
      }
    }
    for (PausedLane lane : known) {
      if (lane.account().equals(account) && !stored.containsKey(name(account, lane.chat()))) {
        goOn(account, lane.chat());
      }
    }
    stop(account, stored.values());
  }

  private void stop(String account, Collection<PausedLane> lanes) {
    lanes.forEach(lane -> paused.put(name(account, lane.chat()), lane));
    Account known = accounts.apply(account);
    if (known != null) {
      known.lanes().pauseLanes(lanes.stream().map(PausedLane::chat).toList());
    }
  }

  private void goOn(String account, String chat) {
    paused.remove(name(account, chat));
    Account known = accounts.apply(account);
    if (known != null) {
      known.lanes().resumeLane(chat);
    }
  }

  /** Stops a lane; the future completes when that will survive a restart. */
  public CompletableFuture<Void> pause(String account, String chat, String reason) {
    String now = chats.now(account, chat);
    PausedLane lane = new PausedLane(account, now, reason, context.time().instant());
    return context
        .store()
        .pauseLane(lane)
        .thenRun(
            () -> {
              stop(account, List.of(lane));
              context.events().publish(new Event.LanePaused(lane.since(), account, now, reason));
            });
  }

  public void resume(String account, String chat) {
    String now = chats.now(account, chat);
    boolean noted = context.write(context.store().resumeLane(account, now));
    if (!noted && !paused.containsKey(name(account, now))) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "to",
          "the lane of '" + chat + "' on " + account + " is not paused");
    }
    context.events().publish(new Event.LaneResumed(context.time().instant(), account, now));
    goOn(account, now);
  }

  /** A chat is about to move: if its lane is stopped, nothing is sent under its new name either. */
  void moves(String account, String from, String to) {
    PausedLane lane = paused.get(name(account, from));
    if (lane != null && !paused.containsKey(name(account, to))) {
      stop(account, List.of(new PausedLane(account, to, lane.reason(), lane.since())));
    }
  }

  /** It has moved, or has not: what is stored counts. */
  void moved(String account) {
    chats.restore();
    restore(account);
  }

  public int count() {
    return paused.size();
  }

  private static String name(String account, String chat) {
    return account + "/" + chat;
  }
}
