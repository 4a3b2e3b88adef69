package dev.postrider.internal.engine;

import dev.postrider.internal.account.Account;
import dev.postrider.internal.account.AccountRegistry;
import dev.postrider.internal.account.Housekeeping;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.context.MessageCounts;
import dev.postrider.internal.inbound.ExpiredLeaseReaper;
import dev.postrider.internal.inbound.MessageEndEffects;
import dev.postrider.internal.lane.LaneScheduler;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds for what should be under way and is not: everything has somebody who will
 * look at it, but should one be forgotten by a defect, it is found here, started, counted and told
 * of in the log. Thread-safe.
 */
final class SafetySweep {
  private static final Logger log = LoggerFactory.getLogger(SafetySweep.class);

  private final EngineContext context;
  private final AccountRegistry accountRegistry;
  private final ExpiredLeaseReaper leaseReaper;
  private final MessageEndEffects endEffects;
  private final Housekeeping housekeeping;
  private Scheduler.@Nullable Timer next; // guarded by this
  private boolean stopped; // guarded by this
  private volatile long endedBefore = -1; // how many messages had, when it last looked
  private long movesBefore = -1; // how often lanes had moved then; one sweep at a time

  SafetySweep(
      EngineContext context,
      AccountRegistry accountRegistry,
      ExpiredLeaseReaper leaseReaper,
      MessageEndEffects endEffects,
      Housekeeping housekeeping) {
    this.context = context;
    this.accountRegistry = accountRegistry;
    this.leaseReaper = leaseReaper;
    this.endEffects = endEffects;
    this.housekeeping = housekeeping;
  }

  synchronized void start() {
    if (!stopped) {
      next = context.time().after(LaneScheduler.SWEEP_EVERY, this::sweepOrWait);
    }
  }

  synchronized void stop() {
    stopped = true;
    if (next != null) {
      next.cancel();
    }
  }

  /** Where nothing waits and nothing has ended since, nothing can have been forgotten. */
  private void sweepOrWait() {
    MessageCounts counts = context.counts();
    boolean idle =
        counts.counted()
            && counts.active() == 0
            && counts.waitingEvents() == 0
            && counts.leasedEvents() == 0
            && counts.ended() == endedBefore
            && !counts.isInDoubt()
            && context.storeWatch().downBecause() == null
            && accountRegistry.worked().stream().noneMatch(Account::isUnwell)
            && accountRegistry.worked().stream().noneMatch(Account::hasLanesToJoin);
    try {
      if (!idle) {
        context.supervisor().start("sweep", this::sweep);
        return; // it goes on itself
      }
    } catch (OutOfMemoryError e) {
      log.warn("The safety sweep had no memory to begin; it tries again");
    }
    start();
  }

  private void sweep() {
    try {
      MessageCounts counts = context.counts();
      long ended = counts.ended();
      boolean endedSince = ended != endedBefore;
      endedBefore = ended;
      context.storeWatch().tryUntilUp();
      accountRegistry.worked().forEach(Account::setGates);
      for (Account account : accountRegistry.worked()) {
        if (counts.active(account.id()) > 0) {
          look("lanes", () -> lanes(account));
        }
        account.probeOutage();
        account.joinTold();
      }
      if (context.storeWatch().downBecause() == null) {
        readWhatMayHaveChanged(counts, endedSince);
        look("counts", this::recount);
        look("broken accounts", this::unprobed);
      }
    } finally {
      start();
    }
  }

  /** Reads nothing that cannot have changed: a server whose messages wait for a day stays quiet. */
  private void readWhatMayHaveChanged(MessageCounts counts, boolean endedSince) {
    if (!counts.counted() || counts.waitingEvents() > 0 || counts.leasedEvents() > 0) {
      look("lapsed leases", leaseReaper::rescue);
    }
    if (endedSince) {
      look("ended messages that something follows from", endEffects::rescue);
      if (endEffects.mayOwe()) {
        endedBefore = -1;
      }
    }
    long moves =
        accountRegistry.worked().stream().mapToLong(account -> account.lanes().moves()).sum();
    if (moves != movesBefore) {
      movesBefore = moves;
      housekeeping.lookForOverdue();
    }
  }

  private void look(String what, IntSupplier check) {
    try {
      int found = check.getAsInt();
      if (found > 0) {
        endedBefore = -1; // look again, whether or not more has ended
        context.counts().rescued.add(found);
        log.warn("Safety sweep: found {} {} that nobody looked after", found, what);
      }
    } catch (StoreUnavailable | StoreClosed e) {
      log.debug("The safety sweep could not look at {}: {}", what, e.getMessage());
    } catch (Scheduler.Interrupted e) {
      throw e;
    } catch (RuntimeException | Error e) {
      log.warn("The safety sweep could not look at {}", what, e);
    }
  }

  /** It counts what it finds itself, when the store has answered. */
  private int lanes(Account account) {
    account.lanes().sweep(context.counts().rescued::add);
    return 0;
  }

  /** Counts anew after an answer may have been lost, as soon as nothing is under way. */
  private int recount() {
    MessageCounts counts = context.counts();
    boolean quiet =
        accountRegistry.worked().stream().allMatch(one -> one.lanes().view().inFlight() == 0);
    long changes = counts.changes();
    if (counts.isInDoubt() && quiet && changes >= 0) {
      counts.recount(context.time().await(context.store().depths()), changes);
    }
    return 0;
  }

  private int unprobed() {
    return (int) accountRegistry.worked().stream().filter(Account::rescueProbe).count();
  }
}
