package dev.postrider.engine;

import dev.postrider.config.DeskSettings;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.store.HandedBack;
import dev.postrider.store.NewMessage;
import dev.postrider.store.SessionView;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.Unreadable;
import dev.postrider.time.Bell;
import dev.postrider.turn.Handout;
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
 * What whoever handles events, and people, can do with them. Each throws {@link Refused} if it
 * cannot be done. Thread-safe.
 */
public final class Reception {
  private final House house;
  private final DeskSettings settings;
  private final Roster roster;
  private final Handout handout;
  private final Intake intake;
  private final Ids ids;
  private final List<Handlers> handlers = new CopyOnWriteArrayList<>();
  private volatile boolean stopping;

  Reception(
      House house, DeskSettings settings, Roster roster, Handout handout, Intake intake, Ids ids) {
    this.house = house;
    this.settings = settings;
    this.roster = roster;
    this.handout = handout;
    this.intake = intake;
    this.ids = ids;
  }

  // ---- handling in this process

  /**
   * Lets this code handle events from now on.
   *
   * @param accounts whose; empty for all
   * @return lets it handle no more
   */
  public Runnable handle(Set<String> accounts, Handlers.Code code) {
    Handlers added = new Handlers(house, settings, known(accounts), handout, this, code);
    handlers.add(added);
    added.start();
    return () -> {
      handlers.remove(added);
      added.stop();
    };
  }

  /** Hands out nothing more; done when nothing is being handled in this process any more. */
  CompletableFuture<Void> stop() {
    stopping = true;
    handout.bell().ring(); // whoever waits for a message goes without
    return CompletableFuture.allOf(
        handlers.stream().map(Handlers::stop).toArray(CompletableFuture[]::new));
  }

  private Set<String> known(Set<String> accounts) {
    accounts.forEach(roster::known);
    return accounts.isEmpty() ? roster.names() : accounts;
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
    Instant until = house.time().instant().plus(patience);
    while (true) {
      try (Bell.Ear ear = handout.bell().listen()) {
        requireGoingOn();
        Instant looked = house.time().instant();
        List<StoredInbound> events = house.write(handout.lease(accounts, max, length, null));
        if (!events.isEmpty() || !house.time().instant().isBefore(until)) {
          return events;
        }
        ear.await(house.write(handout.nextDue(accounts, looked, until)));
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
   * The event is handled. The answers are stored with that, all of them; if one is refused, the
   * event is not handled either.
   */
  public List<Admission> done(UUID lease, List<Message> answers) {
    return done(leased(lease), answers);
  }

  List<Admission> done(StoredInbound event, List<Message> answers) {
    List<NewMessage> entries = new ArrayList<>();
    HandedBack back = HandedBack.STALE;
    List<Admission> admissions = new ArrayList<>();
    try {
      answers.forEach(answer -> entries.add(intake.answer(answer)));
      requireOwnKeys(entries);
      back = house.write(handout.done(event, entries));
    } finally {
      for (int i = 0; i < entries.size(); i++) {
        admissions.add(
            intake.answered(entries.get(i), back.applied() ? back.answers().get(i) : null));
      }
    }
    HandedBack.Refusal refusal = back.refusal();
    if (refusal != null) {
      throw intake.refusal(entries.get(refusal.answer()), refusal.why());
    }
    requireHeld(back.applied());
    return admissions;
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
   * The event could not be handled.
   *
   * @param delay after which it is wanted again; null for the usual one
   */
  public void failed(UUID lease, String error, @Nullable Duration delay) {
    requireHeld(house.write(handout.failed(leased(lease), error, delay)).applied());
  }

  /** Lets a lease last so long from now on; gives until when. */
  public Instant extend(UUID lease, Duration length) {
    return house.write(handout.extend(lease, length)).orElseThrow(Reception::notHeld);
  }

  private StoredInbound leased(UUID lease) {
    return house.store().desk().leased(lease).orElseThrow(Reception::notHeld);
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
    Instant now = house.time().instant();
    StoredInbound again =
        house
            .write(house.store().desk().replay(id, new InboundId(ids.next()), now))
            .orElseThrow(
                () ->
                    new Refused(
                        Refused.Cause.CONFLICT, "message " + id + " was replayed, or is gone"));
    house
        .events()
        .publish(
            new Event.InboundReceived(now, again.account(), again.arrival().chat(), again.id()));
    return again;
  }

  public void discard(InboundId id) {
    deadLetter(id);
    if (house.write(house.store().desk().discard(id, house.time().instant()))) {
      house.tally().leftEvents(1);
    }
  }

  private StoredInbound deadLetter(InboundId id) {
    StoredInbound event =
        house
            .store()
            .inbound(id)
            .orElseThrow(
                () -> new Refused(Refused.Cause.NOT_FOUND, "there is no inbound message " + id));
    if (event.status() != InboundStatus.FAILED) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "inbound message " + id + " is " + event.status().label() + ", no dead letter");
    }
    return event;
  }

  // ---- sessions

  public SessionView pause(String session, String reason) {
    Instant now = house.time().instant();
    if (!house.write(house.store().desk().pauseSession(session, reason, now))) {
      throw noSession(session);
    }
    SessionView view = session(session);
    house.events().publish(new Event.SessionPaused(now, view.account(), session, reason));
    return view;
  }

  public SessionView resume(String session) {
    SessionView view = session(session);
    if (house.write(house.store().desk().resumeSession(session))) {
      house
          .events()
          .publish(new Event.SessionResumed(house.time().instant(), view.account(), session));
      handout.bell().ring();
    }
    return session(session);
  }

  private SessionView session(String id) {
    return house.store().desk().session(id).orElseThrow(() -> noSession(id));
  }

  private static Refused noSession(String id) {
    return new Refused(Refused.Cause.NOT_FOUND, "there is no session '" + id + "'");
  }
}
