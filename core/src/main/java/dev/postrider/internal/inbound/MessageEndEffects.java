package dev.postrider.internal.inbound;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.message.EndReason;
import dev.postrider.message.MessageId;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to what follows when a message has ended: its session's history, and its turn. The store
 * keeps what is owed until it is done, and does it once; so whatever was missed, by a crash or a
 * store that was away, is made up for. Thread-safe.
 */
public final class MessageEndEffects implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(MessageEndEffects.class);
  private static final int BATCH = 250;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final EngineContext context;
  private boolean sweepComes; // guarded by this
  private boolean sweeping; // guarded by this
  private boolean sweepAgain; // asked for meanwhile; guarded by this
  private @Nullable Long rescuedUpTo; // the safety sweep's own
  private Set<MessageId> seenOwed = Set.of(); // the safety sweep's own

  public MessageEndEffects(EngineContext context) {
    this.context = context;
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.End end when end.ties().any() -> follow(end.id());
      case Event.Ended end when EndReason.UNREADABLE.label().equals(end.reason()) ->
          follow(end.id()); // what it was tied to is known to the store only
      case Event.AccountTaken taken when taken.from() != null -> sweepAfter(Duration.ZERO);
      default -> {} // nothing follows from the others
    }
  }

  private CompletableFuture<Boolean> follow(MessageId id) {
    Instant now = context.time().instant();
    return context
        .call(() -> context.store().inboundStore().follow(id, now))
        .handle(
            (followed, failure) -> {
              if (failure == null) {
                announce(followed, now);
              } else {
                sweepAfter(AGAIN);
              }
              return failure == null;
            });
  }

  private void announce(EndEffects followed, Instant now) {
    SessionReply mirrored = followed.mirrored();
    if (mirrored != null) {
      context
          .events()
          .publish(
              new Event.SessionMirrored(
                  now, mirrored.message().account(), mirrored.sessionId(), mirrored.id()));
    }
    EndEffects.TurnEnd turn = followed.turn();
    if (turn != null) {
      context
          .events()
          .publish(new Event.TurnEnded(now, turn.account(), turn.id(), turn.state().label()));
    }
  }

  /** Looks for what is owed after so long. */
  public synchronized void sweepAfter(Duration wait) {
    if (!sweepComes) {
      sweepComes = true;
      context.time().after(wait, () -> context.time().start("follow-ups", this::sweep));
    }
  }

  private void sweep() {
    synchronized (this) {
      sweepComes = false;
      sweepAgain = sweeping;
      if (sweeping) {
        return;
      }
      sweeping = true;
    }
    try {
      sweepAll();
    } finally {
      boolean again;
      synchronized (this) {
        sweeping = false;
        again = sweepAgain;
      }
      if (again) {
        sweepAfter(Duration.ZERO);
      }
    }
  }

  private void sweepAll() {
    try {
      @Nullable Long after = null;
      do {
        after = followPage(after);
      } while (after != null && context.storeWatch().downBecause() == null);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.debug("What follows from ended messages waits for the next start");
    } catch (RuntimeException | Error e) {
      log.warn("What follows from ended messages is tried again: {}", String.valueOf(e));
      sweepAfter(AGAIN);
    }
  }

  /** Follows what is owed on one page; what fails comes again. Gives where the next page begins. */
  private @Nullable Long followPage(@Nullable Long after) {
    InboundStore.Unfollowed owed = context.store().inboundStore().unfollowed(after, BATCH);
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    owed.messages().forEach(id -> all.add(follow(id)));
    all.forEach(one -> context.time().await(one));
    return owed.next();
  }

  /**
   * Looks at the next few messages that something follows from, and follows those that ended and
   * that nobody was about to follow; gives how many these were.
   */
  public int rescue() {
    synchronized (this) {
      if (sweepComes) {
        return 0; // somebody will look
      }
    }
    InboundStore.Unfollowed owed = context.store().inboundStore().unfollowed(rescuedUpTo, BATCH);
    rescuedUpTo = owed.next();
    Set<MessageId> twice = new HashSet<>(owed.messages());
    twice.retainAll(seenOwed);
    seenOwed = Set.copyOf(owed.messages());
    if (!seenOwed.isEmpty()) {
      rescuedUpTo = null; // look at the same ones once more: they may be about to be followed
    }
    twice.forEach(this::follow);
    return twice.size();
  }

  /** Whether the last look found some that must be looked at once more. */
  public boolean mayOwe() {
    return !seenOwed.isEmpty();
  }
}
