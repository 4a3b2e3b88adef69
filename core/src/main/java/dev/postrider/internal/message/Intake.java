package dev.postrider.internal.message;

import dev.postrider.channel.MediaRules;
import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.internal.account.Account;
import dev.postrider.internal.account.AccountRegistry;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.lane.Permit;
import dev.postrider.internal.media.Custody;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.ContentHash;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Refused;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.Unreadable;
import dev.postrider.view.Preview;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages in: checks, plans and writes each one down. When nothing stands before a message,
 * its first attempt is reserved in that same write, and it goes out as soon as the write is
 * durable. Thread-safe.
 */
public final class Intake {
  private final EngineContext context;
  private final QueueSettings settings;
  private final Ids ids;
  private final Custody custody;
  private final AccountRegistry accountRegistry;
  private final Consumer<Instant> expiryWatch;

  /**
   * @param expiryWatch is told when a message will expire
   */
  public Intake(
      EngineContext context,
      QueueSettings settings,
      Ids ids,
      Custody custody,
      AccountRegistry accountRegistry,
      Consumer<Instant> expiryWatch) {
    this.context = context;
    this.settings = settings;
    this.ids = ids;
    this.custody = custody;
    this.accountRegistry = accountRegistry;
    this.expiryWatch = expiryWatch;
  }

  /** Hands a message in; the future completes when it is durable, or refused. */
  public CompletableFuture<Admission> submit(Message message) {
    try {
      AccountRegistry.Known account = accountRegistry.known(message.account());
      Message held = custody.takeIn(addressed(message));
      MessageId id = ids.nextMessageId();
      Plan plan = plan(id, held, account);
      return store(account, id, held, plan, Progress.none(plan.parts().size()), null, false);
    } catch (InvalidInput e) {
      return refused(invalid(e));
    } catch (StoreUnavailable e) {
      return refused(unavailable(e));
    } catch (Refused e) {
      return refused(e);
    }
  }

  /**
   * What a message would become; nothing is sent, and nothing stored but the files it brings along.
   */
  public Preview preview(Message message) {
    try {
      AccountRegistry.Known account = accountRegistry.known(message.account());
      Plan plan = plan(ids.nextMessageId(), custody.takeIn(addressed(message)), account);
      return new Preview(plan, account.capabilities());
    } catch (InvalidInput e) {
      throw invalid(e);
    } catch (StoreUnavailable e) {
      throw unavailable(e);
    }
  }

  /** The same, to the chat as its channel spells it: one chat is one lane. */
  private Message addressed(Message message) {
    return message.withTo(context.chats().canonical(message.account(), message.to()));
  }

  private Plan plan(MessageId id, Message message, AccountRegistry.Known account) {
    Plan plan = Planner.plan(id, message, account.capabilities(), custody::find);
    account.channel().check(message, plan);
    MediaRules rules = account.capabilities().media();
    String lacking = context.addresses().lacking(rules);
    boolean ours =
        plan.parts().stream()
            .flatMap(part -> part.media().stream())
            .anyMatch(file -> file.hash() != null && rules.needsAddress(file.kind()));
    if (ours && lacking != null) {
      throw new InvalidInput("media", lacking);
    }
    return plan;
  }

  private static Refused invalid(InvalidInput e) {
    return new Refused(Refused.Cause.INVALID, e.field(), e.first().message());
  }

  // ---- answers, which are stored with the end of their event's handling

  /**
   * Makes an answer ready to be stored; {@link #answered} must be told the result.
   *
   * @throws Refused if it cannot be taken
   */
  public NewMessage answer(Message message) {
    try {
      AccountRegistry.Known account = accountRegistry.known(message.account());
      Message held = custody.takeIn(addressed(message));
      MessageId id = ids.nextMessageId();
      Plan plan = plan(id, held, account);
      admit(message.account());
      Progress progress = Progress.none(plan.parts().size());
      return entry(account, id, held, plan, progress, context.time().instant(), null, null, false)
          .withMaxLaneDepth(Long.MAX_VALUE);
    } catch (InvalidInput e) {
      throw invalid(e);
    } catch (StoreUnavailable e) {
      throw unavailable(e);
    }
  }

  /**
   * An answer was stored, or was not.
   *
   * @param acceptance null if nothing was stored
   */
  public Admission answered(NewMessage answer, @Nullable AcceptResult acceptance) {
    return stored(null, answer, null, acceptance, null);
  }

  /** Why an answer was not taken, in words. */
  public Refused refusal(NewMessage answer, AcceptResult why) {
    return switch (admission(answer, why)) {
      case Admission.Denied denied -> denied.refusal();
      case Admission.Admitted admitted -> throw new IllegalArgumentException(admitted.toString());
    };
  }

  /**
   * Hands a dead letter in again as a new message: same content, same plan and keys, and what was
   * delivered stays delivered. Its age counts from now.
   */
  CompletableFuture<Admission> replay(StoredMessage dead) {
    return replay(dead, null, dead.message().maxAttempts());
  }

  /**
   * @param sendAt when it is to be sent; null for now
   * @param maxAttempts how often it may be tried; null for as often as the account says
   */
  CompletableFuture<Admission> replay(
      StoredMessage dead, @Nullable Instant sendAt, @Nullable Integer maxAttempts) {
    Unreadable unreadable = dead.unreadable();
    if (unreadable != null) {
      return refused(
          new Refused(
              Refused.Cause.CONFLICT,
              "message " + dead.id() + " cannot be replayed: " + unreadable.because()));
    }
    try {
      AccountRegistry.Known account = accountRegistry.known(dead.message().account());
      Message again =
          dead.message().toBuilder()
              .idempotencyKey(null)
              .sendAt(sendAt)
              .maxAttempts(maxAttempts)
              .build();
      Message message = again.withTo(context.chats().spelled(again.account(), again.to()));
      MessageId id = ids.nextMessageId();
      // Under its old key a platform would take a part that it accepted before for the same one.
      Plan plan = dead.progress().refusedLater() ? new Plan(id, dead.plan().parts()) : dead.plan();
      return store(
          account,
          id,
          message,
          plan,
          dead.progress().forReplay(),
          dead.id(),
          dead.possibleDuplicate());
    } catch (Refused e) {
      return refused(e);
    }
  }

  /**
   * Hands in what a dead letter was made into: planned anew, and nothing of it is delivered yet.
   *
   * @throws Refused if it cannot be taken as it is now
   */
  CompletableFuture<Admission> replay(StoredMessage dead, Message changed) {
    try {
      AccountRegistry.Known account = accountRegistry.known(changed.account());
      Message held = custody.takeIn(addressed(changed));
      MessageId id = ids.nextMessageId();
      Plan plan = plan(id, held, account);
      return store(
          account,
          id,
          held,
          plan,
          Progress.none(plan.parts().size()),
          dead.id(),
          dead.possibleDuplicate());
    } catch (InvalidInput e) {
      return refused(invalid(e));
    } catch (StoreUnavailable e) {
      return refused(unavailable(e));
    } catch (Refused e) {
      return refused(e);
    }
  }

  /** Hands a message in with the caller's transaction: it is there when that commits. */
  public Admission submit(Connection transaction, Message message) {
    Cluster cluster =
        context
            .store()
            .cluster()
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "only a store on a shared database can join a transaction"));
    try {
      AccountRegistry.Known account = accountRegistry.known(message.account());
      refuseIfFull(message.account());
      Message held = custody.takeIn(addressed(message));
      MessageId id = ids.nextMessageId();
      Plan plan = plan(id, held, account);
      Progress progress = Progress.none(plan.parts().size());
      NewMessage entry =
          entry(account, id, held, plan, progress, context.time().instant(), null, null, false);
      return admission(entry, cluster.accept(transaction, entry));
    } catch (InvalidInput e) {
      return new Admission.Denied(invalid(e));
    } catch (StoreUnavailable e) {
      return new Admission.Denied(unavailable(e));
    } catch (Refused e) {
      return new Admission.Denied(e);
    }
  }

  private CompletableFuture<Admission> store(
      AccountRegistry.Known known,
      MessageId id,
      Message message,
      Plan plan,
      Progress progress,
      @Nullable MessageId replayOf,
      boolean possibleDuplicate) {
    try {
      admit(message.account());
    } catch (Refused e) {
      return refused(e);
    }
    Account account = accountRegistry.worked(known.id());
    Permit permit = null;
    boolean handedIn = false;
    try {
      Instant now = context.time().instant();
      boolean ordered = message.ordering() == Ordering.FIFO;
      if (account != null && !bornAt(message, now).isAfter(now)) {
        permit = account.lanes().tryAcquire(message.to(), message.priority(), ordered);
      }
      Reservation reservation =
          account == null || permit == null
              ? null
              : new Reservation(account.hold().lease(), now, permit.spent());
      NewMessage entry =
          entry(known, id, message, plan, progress, now, reservation, replayOf, possibleDuplicate);
      CompletableFuture<AcceptResult> write = context.call(() -> context.store().accept(entry));
      handedIn = true;
      return admitted(account, entry, permit, write);
    } finally {
      if (!handedIn) {
        release(message.account(), permit);
      }
    }
  }

  /**
   * Attached to the write, not to the caller: whoever waits may give up, the message goes its way.
   */
  private CompletableFuture<Admission> admitted(
      @Nullable Account account,
      NewMessage entry,
      @Nullable Permit permit,
      CompletableFuture<AcceptResult> write) {
    return write
        .handle((acceptance, failure) -> answered(account, entry, permit, acceptance, failure))
        .thenCompose(admission -> admission);
  }

  private CompletableFuture<Admission> answered(
      @Nullable Account account,
      NewMessage entry,
      @Nullable Permit permit,
      @Nullable AcceptResult acceptance,
      @Nullable Throwable failure) {
    if (isInDoubt(failure)) {
      return lookedUp(entry).thenApply(found -> stored(account, entry, permit, found, failure));
    }
    if (failure != null
        && permit != null
        && !(EngineContext.cause(failure) instanceof StoreClosed)) {
      // By the store's word nothing was written. Should it be wrong, nobody else knows of the
      // reservation; whoever hands the message in need not wait for that.
      lookedUp(entry).thenAccept(found -> stored(account, entry, permit, found, null));
      return refused(unavailable(failure));
    }
    return CompletableFuture.completedFuture(stored(account, entry, permit, acceptance, failure));
  }

  /** Whether a write ended in a way that the store does not promise: it may have happened. */
  private static boolean isInDoubt(@Nullable Throwable failure) {
    return switch (EngineContext.cause(failure)) {
      case null -> false;
      case StoreUnavailable _, StoreClosed _, StoreFailure _, LeaseLost _ -> false;
      default -> true;
    };
  }

  private CompletableFuture<@Nullable AcceptResult> lookedUp(NewMessage entry) {
    CompletableFuture<@Nullable AcceptResult> known = new CompletableFuture<>();
    context.insist(
        "look up",
        () -> {
          StoredMessage found = context.store().find(entry.id()).orElse(null);
          boolean reserved = found != null && found.status() == Status.SENDING;
          known.complete(
              found == null ? null : new AcceptResult.Stored(found, null, reserved, true));
        });
    return known;
  }

  private void release(String account, @Nullable Permit permit) {
    try {
      context.counts().arrived();
      context.counts().leave(account);
    } finally {
      if (permit != null) {
        permit.close();
      }
    }
  }

  private void admit(String account) {
    if (!context.counts().admit(account, settings.maxQueueDepth(), settings.maxAccountDepth())) {
      throw queueFull(account);
    }
  }

  /** Takes no room: only the commit tells whether the message is there, and the next count. */
  private void refuseIfFull(String account) {
    if (context.counts().active() >= settings.maxQueueDepth()
        || context.counts().active(account) >= settings.maxAccountDepth()) {
      throw queueFull(account);
    }
  }

  private static Instant bornAt(Message message, Instant now) {
    Instant sendAt = message.sendAt();
    return sendAt != null && sendAt.isAfter(now) ? sendAt : now;
  }

  private NewMessage entry(
      AccountRegistry.Known known,
      MessageId id,
      Message message,
      Plan plan,
      Progress progress,
      Instant now,
      @Nullable Reservation reservation,
      @Nullable MessageId replayOf,
      boolean possibleDuplicate) {
    Instant born = bornAt(message, now);
    Duration age = message.expiresIn();
    return new NewMessage(
        id,
        message,
        plan,
        progress,
        now,
        born,
        born.plus(age == null ? known.config().delivery().expireAfter() : age),
        message.idempotencyKey() == null ? null : ContentHash.of(message),
        settings.maxLaneDepth(),
        reservation,
        replayOf,
        possibleDuplicate);
  }

  private Admission stored(
      @Nullable Account reservedBy,
      NewMessage entry,
      @Nullable Permit permit,
      @Nullable AcceptResult acceptance,
      @Nullable Throwable failure) {
    boolean underWay = false;
    boolean kept = false;
    context.counts().arrived();
    try {
      if (acceptance == null) {
        return new Admission.Denied(unavailable(failure));
      }
      context.storeWatch().up();
      if (acceptance instanceof AcceptResult.Stored stored) {
        kept = true;
        announce(stored.message());
        if (stored.reserved() && permit != null && reservedBy != null) {
          reservedBy.lanes().adopt(permit, stored.message().row());
          reservedBy.sendReserved(permit, stored.message());
          underWay = true;
        } else {
          offer(stored);
        }
      }
      return admission(entry, acceptance);
    } finally {
      try {
        if (!kept) {
          context.counts().leave(entry.message().account());
        }
      } finally {
        if (permit != null && !underWay) {
          permit.close();
        }
      }
    }
  }

  /**
   * Whether they say the same to the same chat, though that was written in another way, or had
   * another name.
   */
  private boolean saysTheSame(NewMessage entry, StoredMessage first) {
    Message message = entry.message();
    String to = first.message().to();
    return context
            .chats()
            .now(message.account(), message.to())
            .equals(context.chats().now(message.account(), to))
        && Arrays.equals(
            ContentHash.of(first.message().withTo(message.to())), ContentHash.of(message));
  }

  private Admission admission(NewMessage entry, AcceptResult acceptance) {
    return switch (acceptance) {
      case AcceptResult.Stored stored -> new Admission.Admitted(stored.message(), false);
      case AcceptResult.Duplicate duplicate ->
          duplicate.sameContent() || saysTheSame(entry, duplicate.first())
              ? new Admission.Admitted(duplicate.first(), true)
              : new Admission.Denied(keyReused(entry, duplicate.first()));
      case AcceptResult.LaneFull full ->
          new Admission.Denied(
              new Refused(
                  Refused.Cause.QUEUE_FULL,
                  "to",
                  "the lane of this chat holds "
                      + full.depth()
                      + " messages already; send again when some have gone out"));
      case AcceptResult.MediaMissing missing ->
          new Admission.Denied(
              new Refused(
                  Refused.Cause.INVALID,
                  "media",
                  "the upload " + missing.hash() + " is not here any more; upload it again"));
      case AcceptResult.TurnLost _ ->
          new Admission.Denied(
              new Refused(
                  Refused.Cause.CONFLICT,
                  "turnId",
                  "turn "
                      + entry.message().turnId()
                      + " is not the sender's: its lease was given back, or ran out and the inbound"
                      + " message is handed out again"));
      case AcceptResult.NotReplayable not ->
          new Admission.Denied(new Refused(Refused.Cause.CONFLICT, not.why()));
    };
  }

  /** To whoever works the account now; whoever will finds it in the store. */
  private void offer(AcceptResult.Stored stored) {
    Account account = accountRegistry.worked(stored.message().message().account());
    if (account != null) {
      account.lanes().offer(stored.head());
      if (stored.raised()) {
        account.lanes().urgent(stored.message().message().to());
      }
    }
  }

  private void announce(StoredMessage message) {
    expiryWatch.accept(message.expiresAt());
    context
        .events()
        .publish(
            new Event.Accepted(
                message.createdAt(),
                message.message().account(),
                message.message().to(),
                message.id(),
                message.replayOf(),
                Event.Ties.of(message.message())));
  }

  private Refused unavailable(@Nullable Throwable failure) {
    Throwable cause = EngineContext.cause(failure);
    if (cause instanceof StoreFailure) {
      context.storeWatch().doubt();
      return new Refused(
          Refused.Cause.UNAVAILABLE, "the message was not stored: " + cause.getMessage());
    }
    if (cause instanceof StoreUnavailable) {
      String reason = String.valueOf(cause.getMessage());
      context.storeWatch().down(reason);
      return new Refused(
          Refused.Cause.UNAVAILABLE, "the message was not stored: " + reason + "; send it again");
    }
    return new Refused(
        Refused.Cause.UNAVAILABLE,
        "the message was not stored: "
            + (cause == null
                ? "unknown"
                : cause.getClass().getSimpleName().toLowerCase(Locale.ROOT)));
  }

  private static Refused keyReused(NewMessage entry, StoredMessage first) {
    return new Refused(
        Refused.Cause.KEY_REUSED,
        "idempotencyKey",
        "'"
            + entry.message().idempotencyKey()
            + "' was used for message "
            + first.id()
            + " with other content; use a new key");
  }

  private Refused queueFull(String account) {
    return context.counts().active(account) >= settings.maxAccountDepth()
        ? new Refused(
            Refused.Cause.QUEUE_FULL,
            "account",
            "account '"
                + account
                + "' has "
                + settings.maxAccountDepth()
                + " messages waiting; send again when some have gone out")
        : new Refused(
            Refused.Cause.QUEUE_FULL,
            "the queue holds "
                + settings.maxQueueDepth()
                + " messages; send again when some have gone out");
  }

  private static CompletableFuture<Admission> refused(Refused refusal) {
    return CompletableFuture.completedFuture(new Admission.Denied(refusal));
  }
}
