package dev.postrider.engine;

import dev.postrider.lane.LaneScheduler;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoreUnavailable;
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

  private final House house;
  private final Roster roster;
  private final Lapses lapses;
  private final FollowUps followUps;
  private final Housekeeping housekeeping;
  private Scheduler.@Nullable Timer next; // guarded by this
  private boolean stopped; // guarded by this
  private volatile long endedBefore = -1; // how many messages had, when it last looked
  private long movesBefore = -1; // how often lanes had moved then; one sweep at a time

  SafetySweep(
      House house, Roster roster, Lapses lapses, FollowUps followUps, Housekeeping housekeeping) {
    this.house = house;
    this.roster = roster;
    this.lapses = lapses;
    this.followUps = followUps;
    this.housekeeping = housekeeping;
  }

  synchronized void start() {
    if (!stopped) {
      next = house.time().after(LaneScheduler.SWEEP_EVERY, this::sweepOrWait);
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
    Tally tally = house.tally();
    boolean idle =
        tally.counted()
            && tally.active() == 0
            && tally.waitingEvents() == 0
            && tally.leasedEvents() == 0
            && tally.ended() == endedBefore
            && !tally.isInDoubt()
            && house.storeWatch().downBecause() == null
            && roster.worked().stream().noneMatch(Account::isUnwell);
    try {
      if (!idle) {
        house.supervisor().start("sweep", this::sweep);
        return; // it goes on itself
      }
    } catch (OutOfMemoryError e) {
      log.warn("The safety sweep had no memory to begin; it tries again");
    }
    start();
  }

  private void sweep() {
    try {
      Tally tally = house.tally();
      long ended = tally.ended();
      boolean endedSince = ended != endedBefore;
      endedBefore = ended;
      house.storeWatch().tryUntilUp();
      roster.worked().forEach(Account::setGates);
      for (Account account : roster.worked()) {
        if (tally.active(account.id()) > 0) {
          look("lanes", () -> lanes(account));
        }
        account.probeOutage();
      }
      if (house.storeWatch().downBecause() == null) {
        readWhatMayHaveChanged(tally, endedSince);
        look("counts", this::recount);
        look("broken accounts", this::unprobed);
      }
    } finally {
      start();
    }
  }

  /** Reads nothing that cannot have changed: a server whose messages wait for a day stays quiet. */
  private void readWhatMayHaveChanged(Tally tally, boolean endedSince) {
    if (!tally.counted() || tally.waitingEvents() > 0 || tally.leasedEvents() > 0) {
      look("lapsed leases", lapses::rescue);
    }
    if (endedSince) {
      look("ended messages that something follows from", followUps::rescue);
      if (followUps.mayOwe()) {
        endedBefore = -1;
      }
    }
    long moves = roster.worked().stream().mapToLong(account -> account.lanes().moves()).sum();
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
        house.tally().rescued.add(found);
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
    account.lanes().sweep(house.tally().rescued::add);
    return 0;
  }

  /** Counts anew after an answer may have been lost, as soon as nothing is under way. */
  private int recount() {
    Tally tally = house.tally();
    boolean quiet = roster.worked().stream().allMatch(one -> one.lanes().view().inFlight() == 0);
    long changes = tally.changes();
    if (tally.isInDoubt() && quiet && changes >= 0) {
      tally.recount(house.time().await(house.store().depths()), changes);
    }
    return 0;
  }

  private int unprobed() {
    return (int) roster.worked().stream().filter(Account::rescueProbe).count();
  }
}
