package dev.postrider.internal.inbound;

import dev.postrider.config.InboundQueueSettings;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.internal.account.AccountRegistry;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.message.Admission;
import dev.postrider.internal.message.Intake;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.Unreadable;
import dev.postrider.time.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What whoever handles inbound messages, and people, can do with them. Each throws {@link Refused}
 * if it cannot be done. Thread-safe.
 */
public final class InboundOperations {
  /**
   * How long what a person has taken is theirs: as long as it takes to store that it is handled.
   */
  private static final Duration IN_HAND = Duration.ofSeconds(30);

  private final EngineContext context;
  private final InboundQueueSettings settings;
  private final AccountRegistry accountRegistry;
  private final InboundDispatcher dispatcher;
  private final Intake intake;
  private final Ids ids;
  private final List<Handlers> handlers = new CopyOnWriteArrayList<>();
  private volatile boolean stopping;

  public InboundOperations(
      EngineContext context,
      InboundQueueSettings settings,
      AccountRegistry accountRegistry,
      InboundDispatcher dispatcher,
      Intake intake,
      Ids ids) {
    this.context = context;
    this.settings = settings;
    this.accountRegistry = accountRegistry;
    this.dispatcher = dispatcher;
    this.intake = intake;
    this.ids = ids;
  }

  // ---- handling in this process

  /**
   * Lets this code handle inbound messages from now on.
   *
   * @param accounts whose; empty for all
   * @return lets it handle no more
   */
  public Runnable handle(Set<String> accounts, Handlers.Code code) {
    Handlers added = new Handlers(context, settings, known(accounts), dispatcher, this, code);
    handlers.add(added);
    added.start();
    return () -> {
      handlers.remove(added);
      added.stop();
    };
  }

  /** Hands out nothing more; done when nothing is being handled in this process any more. */
  public CompletableFuture<Void> stop() {
    stopping = true;
    dispatcher.bell().ring(); // whoever waits for a message goes without
    return CompletableFuture.allOf(
        handlers.stream().map(Handlers::stop).toArray(CompletableFuture[]::new));
  }

  private Set<String> known(Set<String> accounts) {
    accounts.forEach(accountRegistry::known);
    return accounts.isEmpty() ? accountRegistry.names() : accounts;
  }

  // ---- handling elsewhere

  /**
   * Hands out what is due; if there is nothing, waits for it, but not longer than this.
   *
   * @param wanted whose; empty for all
   */
  public List<StoredInbound> lease(
      Set<String> wanted, int max, Duration length, Duration patience) {
    Set<String> accounts = known(wanted);
    Duration until = context.time().elapsed().plus(patience);
    while (true) {
      try (Signal.Ear ear = dispatcher.bell().listen()) {
        requireGoingOn();
        Instant looked = context.time().instant();
        List<StoredInbound> events = context.write(dispatcher.lease(accounts, max, length, null));
        Duration left = until.minus(context.time().elapsed());
        if (!events.isEmpty() || !left.isPositive()) {
          return events;
        }
        ear.await(context.write(dispatcher.nextDue(accounts, looked, looked.plus(left))));
      }
    }
  }

  private void requireGoingOn() {
    if (stopping) {
      throw new Refused(
          Refused.Cause.STOPPING, "the engine is stopping; ask again after the restart");
    }
  }

  /**
   * The inbound message is handled. The answers are stored with that, all of them; if one is
   * refused, the inbound message is not handled either.
   */
  public List<Admission> done(UUID lease, List<Message> answers) {
    return done(leased(lease), answers);
  }

  List<Admission> done(StoredInbound inbound, List<Message> answers) {
    List<NewMessage> entries = new ArrayList<>();
    CompletionResult back = CompletionResult.STALE;
    List<Admission> admissions = new ArrayList<>();
    try {
      answers.forEach(answer -> entries.add(intake.answer(answer)));
      requireOwnKeys(entries);
      back = context.write(dispatcher.done(inbound, entries));
    } finally {
      for (int i = 0; i < entries.size(); i++) {
        admissions.add(
            intake.answered(entries.get(i), back.applied() ? back.answers().get(i) : null));
      }
    }
    CompletionResult.Refusal refusal = back.refusal();
    if (refusal != null) {
      throw intake.refusal(entries.get(refusal.answer()), refusal.why());
    }
    requireHeld(back.applied());
    return admissions;
  }

  /**
   * A person has handled an inbound message, and with it those of its session that wait before it.
   * The answers are to the last. Whoever says the same again, since they heard nothing, hears that
   * it was done.
   */
  public List<Admission> doneByHand(InboundId id, List<Message> answers) {
    StoredInbound last = known(id);
    if (last.status().ended()) {
      List<Admission> before = acceptedBefore(answers);
      if (before.isEmpty()) {
        throw new Refused(
            Refused.Cause.CONFLICT, "inbound message " + id + " is " + last.status().label());
      }
      return before;
    }
    answers.forEach(
        intake::preview); // what cannot be planned is refused before anything is handled
    while (true) {
      StoredInbound taken =
          context.write(dispatcher.take(last, IN_HAND)).orElseThrow(() -> inHand(last));
      boolean isLast = taken.id().equals(id);
      List<Admission> done = finished(taken, isLast ? answers : List.of());
      if (isLast) {
        return done;
      }
    }
  }

  /** The answers as they were accepted under the same keys; nothing unless all of them were. */
  private List<Admission> acceptedBefore(List<Message> answers) {
    List<Admission> before = new ArrayList<>();
    for (Message answer : answers) {
      String key = answer.idempotencyKey();
      StoredMessage known =
          key == null ? null : context.store().find(answer.account(), key).orElse(null);
      if (known == null) {
        return List.of();
      }
      before.add(new Admission.Admitted(known, true));
    }
    return before;
  }

  private List<Admission> finished(StoredInbound taken, List<Message> answers) {
    try {
      return done(taken, answers);
    } catch (Refused e) {
      context.write(dispatcher.putBack(taken));
      throw e;
    }
  }

  private static Refused inHand(StoredInbound inbound) {
    return new Refused(
        Refused.Cause.CONFLICT,
        ("a program has a message of session '%s' at this moment; pause the session, or try"
                + " again when it is done")
            .formatted(inbound.sessionId()));
  }

  /** Answers that use one key for different contents would refuse each other. */
  private static void requireOwnKeys(List<NewMessage> answers) {
    Map<String, byte[]> contents = new HashMap<>();
    for (NewMessage answer : answers) {
      String key = answer.message().idempotencyKey();
      byte[] content = answer.contentHash();
      byte[] before = key == null || content == null ? null : contents.putIfAbsent(key, content);
      if (before != null && !Arrays.equals(before, content)) {
        throw new Refused(
            Refused.Cause.KEY_REUSED,
            "idempotencyKey",
            "'" + key + "' is used for two replies with different content; give each its own");
      }
    }
  }

  /**
   * The inbound message could not be handled.
   *
   * @param delay after which it is wanted again; null for the usual one
   */
  public void failed(UUID lease, String error, @Nullable Duration delay) {
    requireHeld(context.write(dispatcher.failed(leased(lease), error, delay)).applied());
  }

  /** Lets a lease last so long from now on; gives until when. */
  public Instant extend(UUID lease, Duration length) {
    return context.write(dispatcher.extend(lease, length)).orElseThrow(InboundOperations::notHeld);
  }

  private StoredInbound leased(UUID lease) {
    return context.store().inboundStore().leased(lease).orElseThrow(InboundOperations::notHeld);
  }

  private static void requireHeld(boolean held) {
    if (!held) {
      throw notHeld();
    }
  }

  private static Refused notHeld() {
    return new Refused(
        Refused.Cause.CONFLICT,
        "no message is handed out under this lease: it was given back, or ran out and somebody"
            + " else has the message now");
  }

  // ---- dead letters

  public StoredInbound replay(InboundId id) {
    StoredInbound dead = deadLetter(id);
    if (dead.replayedAs() != null) {
      throw new Refused(
          Refused.Cause.CONFLICT, "message " + id + " was replayed as " + dead.replayedAs());
    }
    Unreadable unreadable = dead.unreadable();
    if (unreadable != null) {
      throw new Refused(
          Refused.Cause.CONFLICT, "message " + id + " cannot be replayed: " + unreadable.because());
    }
    Instant now = context.time().instant();
    StoredInbound again =
        context
            .write(context.store().inboundStore().replay(id, new InboundId(ids.next()), now))
            .orElseThrow(
                () ->
                    new Refused(
                        Refused.Cause.CONFLICT, "message " + id + " was replayed, or is gone"));
    context
        .events()
        .publish(
            new Event.InboundReceived(now, again.account(), again.arrival().chat(), again.id()));
    return again;
  }

  public void discard(InboundId id) {
    deadLetter(id);
    if (context.write(context.store().inboundStore().discard(id, context.time().instant()))) {
      context.counts().leftEvents(1);
    }
  }

  private StoredInbound known(InboundId id) {
    return context
        .store()
        .inbound(id)
        .orElseThrow(
            () -> new Refused(Refused.Cause.NOT_FOUND, "there is no inbound message " + id));
  }

  private StoredInbound deadLetter(InboundId id) {
    StoredInbound inbound = known(id);
    if (inbound.status() != InboundStatus.FAILED) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "inbound message " + id + " is " + inbound.status().label() + ", no dead letter");
    }
    return inbound;
  }

  // ---- sessions

  public SessionView pause(String session, String reason) {
    Instant now = context.time().instant();
    if (!context.write(context.store().inboundStore().pauseSession(session, reason, now))) {
      throw noSession(session);
    }
    SessionView view = session(session);
    context.events().publish(new Event.SessionPaused(now, view.account(), view.id(), reason));
    return view;
  }

  public SessionView resume(String session) {
    SessionView view = session(session);
    if (context.write(context.store().inboundStore().resumeSession(session))) {
      context
          .events()
          .publish(new Event.SessionResumed(context.time().instant(), view.account(), view.id()));
      dispatcher.bell().ring();
    }
    return session(session);
  }

  private SessionView session(String id) {
    return context.store().inboundStore().session(id).orElseThrow(() -> noSession(id));
  }

  private static Refused noSession(String id) {
    return new Refused(Refused.Cause.NOT_FOUND, "there is no session '" + id + "'");
  }
}
