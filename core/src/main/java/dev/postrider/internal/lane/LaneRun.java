package dev.postrider.internal.lane;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Remembered;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channel.UploadResult;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.SessionKey;
import dev.postrider.internal.media.MediaUploads;
import dev.postrider.internal.retry.Verdict;
import dev.postrider.message.EndReason;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Ordering;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.Unreadable;
import dev.postrider.time.Scheduler;
import dev.postrider.view.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The walk of one lane's messages through their attempts, as straight code in one task: reserve,
 * send part by part, store the result of each, end. It holds the lane's {@link Permit} for the
 * whole time; however it ends, the {@code try} frees the lane.
 *
 * <p>Each part's outcome is stored before the next part goes out, so a crash can leave at most one
 * part of a lane in doubt. If the store does not take an outcome, the run waits and offers it
 * again: a delivered part is never forgotten while the process lives.
 */
public final class LaneRun {
  private static final Logger log = LoggerFactory.getLogger(LaneRun.class);

  /** Until it is looked whether a missing key is there: another process may have got it. */
  private static final Duration KEY_PAUSE = Duration.ofMinutes(1);

  private final AccountWork work;
  private final LaneScheduler lanes;
  private final Permit permit;
  private final MessageEvents messageEvents;
  private final StoreRetry store;
  private @Nullable Head next;
  private @Nullable StoredMessage current; // reserved and not settled yet
  private Progress progress = Progress.none(0); // of the current message, as far as it is known
  private @Nullable Outcome known; // the result of the part under way, until it is stored
  private boolean asked; // whether a request went out for the part being tried
  private Instant sentAt = Instant.EPOCH; // when the last request went out
  private @Nullable Verdict instead; // what was decided right before a request, in its place

  public LaneRun(AccountWork work, LaneScheduler lanes, Permit permit) {
    this.work = work;
    this.lanes = lanes;
    this.permit = permit;
    this.messageEvents = new MessageEvents(work.account(), work.events(), work.time());
    this.store = new StoreRetry(work);
  }

  /** Reserves the head the permit was given for, and sends it. */
  public void fromHead() {
    run(this::reserve, null);
  }

  /** Sends a message whose attempt is reserved. */
  public void fromReserved(StoredMessage message) {
    run(() -> message, null);
  }

  /** Ends an attempt that was under way when its worker stopped. */
  public void fromInterrupted(StoredMessage message) {
    run(() -> message, new Outcome.Unknown("the process stopped before the outcome was stored"));
  }

  private void run(Supplier<@Nullable StoredMessage> first, Outcome.@Nullable Unknown interrupted) {
    try (permit) {
      walk(first, interrupted);
    } finally {
      lanes.offer(next); // now that the lane is free
    }
  }

  /** Whatever happens on the way, somebody looks at the lane again. */
  private void walk(
      Supplier<@Nullable StoredMessage> first, Outcome.@Nullable Unknown interrupted) {
    try {
      StoredMessage message = first.get();
      Outcome.Unknown doubt = interrupted;
      while (message != null) {
        message = attemptOrRescue(message, doubt);
        doubt = null;
      }
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.info("Account {}: stopped while sending to a chat", work.account());
    } catch (LeaseLost e) {
      log.warn("Account {}: {}", work.account(), e.getMessage());
      if (current != null) {
        messageEvents.stale(current); // whoever has the lease now decides what becomes of it
      }
    } catch (Throwable e) {
      log.error("Account {}: a lane's work failed; it is looked at again", work.account(), e);
      permit.lookAgainSoon();
    }
  }

  /**
   * A defect of ours must not stall the lane, and what is known of an outcome must not be lost: it
   * is offered to the store until that takes it.
   */
  private @Nullable StoredMessage attemptOrRescue(
      StoredMessage message, Outcome.@Nullable Unknown interrupted) {
    Duration pause = StoreRetry.FIRST_PAUSE;
    boolean again = false;
    while (true) {
      try {
        return again ? rescue() : attempt(message, interrupted);
      } catch (PutBack e) {
        return putBack(message, progress, late(message));
      } catch (Scheduler.Interrupted | StoreClosed | LeaseLost e) {
        throw e;
      } catch (Throwable e) {
        log.error("Account {}: a lane's work failed; it goes on from there", work.account(), e);
      }
      if (again) {
        work.time().pause(pause);
        pause = StoreRetry.slower(pause);
      }
      again = true;
    }
  }

  /** The result of the part is known, or is unknown as if an adapter had thrown. */
  private @Nullable StoredMessage rescue() {
    StoredMessage message = current;
    if (message == null) {
      permit.lookAgainSoon();
      return null;
    }
    Outcome outcome = known;
    if (outcome == null) {
      String cause = "an internal error; see the log";
      outcome = asked ? new Outcome.Unknown(cause) : new Outcome.NotSent(cause);
    }
    Instant now = work.time().instant();
    int part = Math.max(0, progress.nextPending());
    return switch (work.policy().judge(message, progress, part, outcome, sentAt, now)) {
      case Verdict.Later later -> later(message, later, outcome, late(message), List.of());
      case Verdict.End end -> end(message, end, late(message));
      case Verdict.NextPart on -> putBack(message, on.progress(), late(message));
      case Verdict.Again more -> putBack(message, more.progress(), late(message));
    };
  }

  private boolean late(StoredMessage message) {
    return work.time()
        .instant()
        .isAfter(message.bornAt().plus(work.config().delivery().lateAfter()));
  }

  /** Nothing may be sent any more just now. */
  private static final class PutBack extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PutBack() {
      super("put back", null, false, false);
    }
  }

  private @Nullable StoredMessage reserve() {
    Instant at = permit.reserveAt(work.time().instant());
    Reservation reservation = new Reservation(work.lease(), at, permit.spent());
    StoredMessage message;
    try {
      message = work.time().await(work.store().reserve(permit.row, reservation)).orElse(null);
      work.incidents().storeUp();
    } catch (Scheduler.Interrupted | StoreClosed | LeaseLost e) {
      throw e;
    } catch (Throwable e) {
      store.failed(e);
      message = reservedUnheard(one -> one.row() == permit.row);
    }
    if (message == null) {
      permit.lookAgainSoon(); // changed by somebody, or not due by the store's word
    }
    return message;
  }

  /** A reservation that was stored and whose answer was lost: nothing was sent of it. */
  private @Nullable StoredMessage reservedUnheard(Predicate<StoredMessage> which) {
    List<StoredMessage> reserved = store.ask(() -> work.store().interrupted(work.account()));
    return reserved.stream().filter(which).findFirst().orElse(null);
  }

  /**
   * One attempt; gives the lane's next message if that was reserved along with the end of this one.
   */
  private @Nullable StoredMessage attempt(
      StoredMessage message, Outcome.@Nullable Unknown interrupted) {
    current = message;
    progress = message.progress();
    known = interrupted;
    DeliverySettings settings = work.config().delivery();
    boolean late = late(message);
    if (message.unreadable() != null) {
      return unreadable(message, message.unreadable(), interrupted);
    }
    if (late && settings.lateAction() == DeliverySettings.LateAction.FAIL && interrupted == null) {
      return endLate(message);
    }
    Outcome.Unknown given = interrupted;
    while (true) {
      asked = false;
      int part = progress.nextPending();
      Dispatch dispatch =
          new Dispatch(
              message.id(),
              message.message(),
              message.plan(),
              part,
              progress.parts().get(part),
              List.of(),
              work.capabilities().options());
      sentAt = reservedAt(message);
      instead = null;
      Outcome outcome =
          blame(
              message,
              given != null ? reconciled(dispatch, given) : transmit(message, progress, dispatch));
      given = null;
      known = outcome;
      Instant now = work.time().instant();
      Verdict verdict =
          instead != null
              ? instead
              : work.policy().judge(message, progress, part, outcome, sentAt, now);
      List<Budget> closed = concernOthers(message, outcome, now);
      switch (verdict) {
        case Verdict.NextPart on -> {
          Duration patience = patience(dispatch, outcome);
          if (patience.isPositive()) {
            return untilSent(message, on, part, outcome, patience);
          }
          boolean hasToken = lanes.tryNextToken(permit);
          if (!store.write(() -> saveProgress(message, on))) {
            return stale(message);
          }
          stored(on);
          messageEvents.part(message, outcome, part, now);
          if (!hasToken && !nextToken(message)) {
            return putBack(message, on.progress(), late);
          }
        }
        case Verdict.Again again -> {
          boolean hasToken = lanes.tryNextToken(permit);
          if (!store.write(() -> saveProgress(message, again))) {
            return stale(message);
          }
          stored(again);
          if (!hasToken && !nextToken(message)) {
            return putBack(message, again.progress(), late);
          }
        }
        case Verdict.Later later -> {
          later(message, later, outcome, late, closed);
          return instead == null ? null : reserve(); // the doubt is stored: now it may go out
        }
        case Verdict.End end -> {
          return end(message, end, late);
        }
      }
    }
  }

  /** The result of the part is durable. */
  private void stored(Verdict verdict) {
    progress = verdict.progress();
    known = null;
    asked = false;
  }

  /** No request of this attempt went out before. */
  private static Instant reservedAt(StoredMessage message) {
    return message.triedAt() == null ? message.bornAt() : message.triedAt();
  }

  private Outcome transmit(StoredMessage message, Progress progress, Dispatch dispatch) {
    asked = false;
    Outcome outcome =
        work.mediaUploads()
            .send(
                dispatch,
                new MediaUploads.Way() {
                  @Override
                  public Outcome send(Dispatch loaded) {
                    return sendNow(message, progress, loaded);
                  }

                  @Override
                  public UploadResult upload(PartFile cargo) {
                    return transmission(message, List.of(cargo)).upload(cargo);
                  }
                });
    return outcome instanceof Outcome.Unknown unknown ? reconciled(dispatch, unknown) : outcome;
  }

  /** One message cannot stop an account again and again. */
  private Outcome blame(StoredMessage message, Outcome outcome) {
    return outcome instanceof Outcome.AccountBroken(String cause)
            && work.incidents().brokeItBefore(message.id(), cause)
        ? new Outcome.Rejected(
            Outcome.Blame.MESSAGE, cause + " (again, though the account is in order)")
        : outcome;
  }

  private Outcome sendNow(StoredMessage message, Progress progress, Dispatch dispatch) {
    if (!work.time().await(lanes.toWire(permit, message.id()))) {
      throw new PutBack();
    }
    if (!work.heldLease().isCertain() && !work.time().await(work.heldLease().confirm())) {
      throw new LeaseLost(work.account()); // this process slept; somebody else sends this now
    }
    sentAt = work.time().instant();
    instead = work.policy().beforeSending(message, progress, dispatch.index(), sentAt);
    if (instead != null) {
      return new Outcome.NotSent("an earlier try may have arrived");
    }
    permit.useToken();
    asked = true;
    messageEvents.attempt(message, dispatch.index());
    return transmission(message, dispatch.cargo()).send(dispatch);
  }

  private Outcome reconciled(Dispatch dispatch, Outcome.Unknown unknown) {
    return new AdapterCall(
            work.link(), work.time(), work.config().delivery().attemptTimeout(), () -> {})
        .reconcile(dispatch.inDoubt(sentAt), unknown);
  }

  private AdapterCall transmission(StoredMessage message, List<PartFile> files) {
    return new AdapterCall(
        work.link(),
        work.time(),
        work.config().delivery().attemptTimeout().plus(PartFile.allowance(files)),
        () -> messageEvents.stale(message));
  }

  /** What an outcome means beyond this message: throttled scopes, a broken account. */
  private List<Budget> concernOthers(StoredMessage message, Outcome outcome, Instant now) {
    try {
      return tellOthers(message, outcome, now);
    } catch (RuntimeException | Error e) {
      log.error("Account {}: others were not told of a {}", work.account(), outcome.label(), e);
      return List.of();
    }
  }

  private List<Budget> tellOthers(StoredMessage message, Outcome outcome, Instant now) {
    String chat = message.message().to();
    switch (outcome) {
      case Outcome.Throttled throttled -> {
        List<Budget> closed = lanes.throttle(throttled.scope(), chat, throttled.delay());
        Instant until = now.plus(throttled.delay());
        reachable(
            throttled.scope() == ThrottleScope.CHAT
                ? lanes.answered(permit)
                : lanes.throttled(permit));
        messageEvents.throttled(chat, throttled, now, until, lanes.view().share());
        return closed;
      }
      case Outcome.Unreachable gone when !work.config().delivery().outageUsesAttempts() -> {
        Outage begun = lanes.unreachable(permit, gone);
        if (begun != null) {
          work.incidents().unreachable(begun);
        }
      }
      case Outcome.AccountBroken broken -> {
        reachable(lanes.answered(permit));
        work.incidents().accountBroken(broken.cause(), message.id());
      }
      case Outcome.Unknown _ -> lanes.silent(permit);
      case Outcome.Delivered _,
          Outcome.NotSent _,
          Outcome.Hold _,
          Outcome.Repairable _,
          Outcome.Rejected _ -> {
        if (asked) {
          reachable(lanes.answered(permit));
        }
      }
      case Outcome.Unreachable _, Outcome.MediaUnreachable _ -> {}
    }
    return List.of();
  }

  private void reachable(List<Outage> ended) {
    ended.forEach(work.incidents()::reachable);
  }

  /** Waits for the token of the next request; false if the account stops before there is one. */
  private boolean nextToken(StoredMessage message) {
    if (!work.time().await(lanes.nextToken(permit, message.id()))) {
      return false;
    }
    if (!permit.spent().isEmpty()) { // durably, before the request: a crash gives no new burst
      store.write(() -> work.store().save(permit.spent()));
    }
    return true;
  }

  /** Where the message stands and the token for its next request, if it has one, in one write. */
  private CompletableFuture<Boolean> saveProgress(StoredMessage message, Verdict verdict) {
    boolean hasToken = permit.holdsToken() && !permit.spent().isEmpty();
    List<Budget> spent = hasToken ? permit.spent() : lanes.leftLate(permit);
    CompletableFuture<Boolean> progressed =
        work.store()
            .progress(message, work.lease(), verdict.progress(), verdict.history(), learnt());
    return spent.isEmpty()
        ? progressed
        : work.store().save(spent).thenCombine(progressed, (_, stored) -> stored);
  }

  private Duration patience(Dispatch part, Outcome outcome) {
    try {
      return outcome instanceof Outcome.Delivered taken && taken.receipt().accepted()
          ? work.link().sentWithin(part)
          : Duration.ZERO;
    } catch (RuntimeException | Error e) {
      log.warn("Account {}: an adapter failed to say how long to wait", work.account(), e);
      return Duration.ZERO;
    }
  }

  /**
   * Puts the message back, uncharged, until the platform has sent the part that it accepted, or the
   * patience is over. The outcome and the wait are one write, so a crash leaves nothing in doubt;
   * {@link AwaitedReceipts} ends the wait. Word of the platform may have come before the write.
   */
  private @Nullable StoredMessage untilSent(
      StoredMessage message, Verdict on, int part, Outcome outcome, Duration patience) {
    Instant now = work.time().instant();
    Instant until = now.plus(patience);
    Settlement settlement =
        settlement(message, Status.QUEUED, now, until, on.progress())
            .late(late(message))
            .uncharged()
            .because(AwaitedReceipts.AWAITED, null)
            .history(on.history())
            .closed(lanes.leftLate(permit))
            .build();
    SettleResult settled = settle(settlement);
    if (!settled.applied()) {
      return stale(message);
    }
    current = null;
    permit.comeBack(head(message, until));
    messageEvents.part(message, outcome, part, now);
    boolean told = AwaitedReceipts.told(store.ask(() -> work.store().receipts(message.id())));
    if (told && store.write(() -> work.store().retry(message.id(), now)).applied()) {
      permit.comeBack(head(message, now));
    }
    return null;
  }

  /**
   * The account stops between two parts: what is delivered stays delivered, the rest waits,
   * uncharged.
   */
  private @Nullable StoredMessage putBack(StoredMessage message, Progress progress, boolean late) {
    Instant now = work.time().instant();
    Settlement settlement =
        settlement(message, Status.QUEUED, now, now, progress).late(late).uncharged().build();
    SettleResult settled = settle(settlement);
    if (!settled.applied()) {
      return stale(message);
    }
    current = null;
    permit.comeBack(head(message, now));
    return null;
  }

  private @Nullable StoredMessage later(
      StoredMessage message,
      Verdict.Later later,
      Outcome outcome,
      boolean late,
      List<Budget> closed) {
    List<Budget> spentAndClosed = new ArrayList<>(lanes.leftLate(permit));
    spentAndClosed.addAll(closed);
    Instant now = work.time().instant();
    SettlementBuilder draft =
        settlement(message, Status.QUEUED, now, later.dueAt(), later.progress())
            .late(late)
            .possibleDuplicate(later.possibleDuplicate())
            .because(later.error(), null)
            .history(later.history())
            .closed(spentAndClosed);
    Settlement settlement = (later.charged() ? draft : draft.uncharged()).build();
    SettleResult settled = settle(settlement);
    if (!settled.applied()) {
      return stale(message);
    }
    current = null;
    permit.comeBack(head(message, later.dueAt()));
    messageEvents.retrying(message, outcome, later, now);
    return null;
  }

  private Head head(StoredMessage message, Instant dueAt) {
    return new Head(
        message.row(),
        work.account(),
        permit.chat,
        message.message().priority(),
        dueAt,
        permit.ordered,
        false);
  }

  /**
   * What cannot be read cannot be sent. If only a key is missing here, the message waits for
   * somebody who has it; damage ends it, and the lane goes on.
   */
  private @Nullable StoredMessage unreadable(
      StoredMessage message, Unreadable why, Outcome.@Nullable Unknown interrupted) {
    Instant now = work.time().instant();
    String error = why.because();
    boolean doubt = interrupted != null;
    log.error("Account {}: message {} is unreadable: {}", work.account(), message.id(), error);
    if (why.forGood()) {
      HistoryEntry entry = entry(message, now, EndReason.UNREADABLE, error);
      return end(
          message,
          new Verdict.End(progress, entry, Status.FAILED, doubt, error, EndReason.UNREADABLE),
          late(message));
    }
    Outcome outcome = interrupted == null ? new Outcome.NotSent(error) : interrupted;
    Verdict.Later later =
        new Verdict.Later(progress, null, now.plus(KEY_PAUSE), false, doubt, error);
    return later(message, later, outcome, late(message), List.of());
  }

  private @Nullable StoredMessage endLate(StoredMessage message) {
    Instant now = work.time().instant();
    String error = "older than " + work.config().delivery().lateAfter().toSeconds() + " s";
    HistoryEntry entry = entry(message, now, EndReason.LATE, error);
    Verdict.End end =
        new Verdict.End(message.progress(), entry, Status.EXPIRED, false, error, EndReason.LATE);
    return end(message, end, true);
  }

  private static HistoryEntry entry(
      StoredMessage message, Instant now, EndReason reason, String error) {
    return new HistoryEntry(now, message.attempts(), 0, reason.label(), error, null);
  }

  private @Nullable StoredMessage end(StoredMessage message, Verdict.End end, boolean late) {
    Instant now = work.time().instant();
    boolean halt = end.status() == Status.FAILED && work.config().delivery().haltLaneOnFailure();
    if (halt) {
      store.write(
          () -> work.incidents().haltLane(message.message().to(), "halted: " + end.error()));
    }
    String chat = message.message().to();
    String told = end.progress().movedTo();
    String moved = told == null || told.equals(chat) ? work.incidents().newName(chat) : told;
    boolean extended = moved == null && chat.equals(permit.chat) && lanes.tryExtend(permit);
    SettlementBuilder draft =
        settlement(message, end.status(), now, now, end.progress())
            .late(late)
            .possibleDuplicate(end.possibleDuplicate())
            .because(end.error(), end.reason())
            .history(end.history())
            .closed(lanes.leftLate(permit));
    if (extended) {
      draft.thenReserve(new Reservation(work.lease(), lanes.dueNow(), permit.spent()));
    }
    Settlement settlement = draft.build();
    SettleResult settled = settle(settlement);
    if (!settled.applied()) {
      return stale(message);
    }
    current = null;
    next = settled.next();
    StoredMessage reserved = settled.reserved();
    if (reserved != null) {
      next = null;
      lanes.extend(permit, reserved.row());
    }
    messageEvents.end(message, settlement, settled.failed());
    if (moved != null) {
      next = null; // it has its place elsewhere now
      moveLane(chat, moved);
    }
    return reserved;
  }

  /** Gives the lane's chat another name, while nothing of it is being sent. */
  public void rename(String to) {
    try (permit) {
      moveLane(permit.chat, to);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.info("Account {}: stopped while a chat got its new name", work.account());
    }
  }

  /**
   * A chat has moved: what waits for it goes along, with its pace, its pause and its sessions, and
   * whatever is accepted for its old name from now on follows. One write does it all. The lane is
   * still ours: nothing is sent from it meanwhile, and what goes first has ended. If the process
   * stops before the write, the next message of the lane is told by the platform, too.
   */
  private void moveLane(String from, String to) {
    work.incidents().laneMoves(from, to);
    List<Budget> pace = lanes.move(from, to);
    Optional<Integer> moved =
        store.write(
            () -> {
              work.store().save(pace);
              SessionKey sessions = work.config().inbound().session();
              return work.store().moveLane(work.lease(), from, to, sessions, work.time().instant());
            });
    store.write(
        () -> {
          work.incidents().laneMoved();
          return CompletableFuture.completedFuture(null);
        });
    moved.ifPresent(messages -> messageEvents.moved(from, to, messages));
    lanes.lookAgain();
  }

  private SettlementBuilder settlement(
      StoredMessage message, Status status, Instant at, Instant dueAt, Progress progress) {
    return new SettlementBuilder(message, work.lease(), status, at, dueAt, progress)
        .onReceiptFailed(work.config().delivery().onReceiptFailed())
        .memory(learnt());
  }

  /** What the outcome that is being stored leaves behind. */
  private List<Remembered> learnt() {
    return known instanceof Outcome.Delivered delivered ? delivered.memory() : List.of();
  }

  /** Ends the attempt. If an earlier try was stored and its answer lost, what follows is sought. */
  private SettleResult settle(Settlement settlement) {
    SettleResult settled = store.write(() -> work.store().settle(settlement));
    if (settled.applied() || !store.isInDoubt()) {
      return settled;
    }
    permit.lookAgainSoon();
    StoredMessage next =
        settlement.thenReserve() == null ? null : reservedUnheard(this::isNextOfLane);
    return new SettleResult(true, null, next);
  }

  private boolean isNextOfLane(StoredMessage message) {
    return message.row() != permit.row
        && message.message().ordering() == Ordering.FIFO
        && message.message().to().equals(permit.chat);
  }

  private @Nullable StoredMessage stale(StoredMessage message) {
    current = null;
    messageEvents.stale(message);
    return null;
  }
}
