package dev.postrider.turn;

import dev.postrider.config.InboundSettings;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.Ids;
import dev.postrider.store.Desk;
import dev.postrider.store.HandBack;
import dev.postrider.store.HandOut;
import dev.postrider.store.HandedBack;
import dev.postrider.store.NewMessage;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.Unreadable;
import dev.postrider.time.Bell;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands events out and takes them back, whoever handles them: a handler in this process, a web
 * server they are pushed to, or a program that asks. Says what happened. Thread-safe.
 */
public final class Handout implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(Handout.class);

  private final Desk desk;
  private final Scheduler time;
  private final Events events;
  private final Ids ids;
  private final TurnPolicy policy;
  private final Map<String, InboundSettings> settings;
  private final Consumer<Instant> lapseWatch;
  private final Bell bell;
  private final Set<UUID> inHand = ConcurrentHashMap.newKeySet();

  /**
   * @param settings by account
   * @param lapseWatch is told when a lease runs out
   */
  public Handout(
      Desk desk,
      Scheduler time,
      Events events,
      Ids ids,
      RandomGenerator random,
      Map<String, InboundSettings> settings,
      Consumer<Instant> lapseWatch) {
    this.desk = desk;
    this.time = time;
    this.events = events;
    this.ids = ids;
    this.policy = new TurnPolicy(random);
    this.settings = Map.copyOf(settings);
    this.lapseWatch = lapseWatch;
    this.bell = new Bell(time);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.InboundReceived) {
      bell.ring();
    }
  }

  /** Rings when there may be something to hand out. */
  public Bell bell() {
    return bell;
  }

  /**
   * Hands out what is due, as much as is wanted.
   *
   * @param holder this process, if it handles them itself
   */
  public CompletableFuture<List<StoredInbound>> lease(
      Set<String> accounts, int max, Duration length, @Nullable String holder) {
    Instant now = time.instant();
    List<UUID> leases = Stream.generate(ids::next).limit(max).toList();
    return desk.lease(new HandOut(accounts, leases, now, now.plus(length), holder))
        .whenComplete(
            (handedOut, failure) -> {
              if (failure != null) { // some may have been, to nobody
                lapseWatch.accept(now.plus(length));
              } else if (!handedOut.isEmpty()) {
                handedOut.forEach(event -> announce(event, now));
                lapseWatch.accept(now.plus(length));
              }
            })
        .thenApply(this::readable);
  }

  /**
   * What cannot be read goes to nobody. If taking it back fails its lease runs out, and it is
   * handed out again.
   */
  private List<StoredInbound> readable(List<StoredInbound> handedOut) {
    if (handedOut.stream().allMatch(event -> event.unreadable() == null)) {
      return handedOut;
    }
    List<StoredInbound> readable = new ArrayList<>(handedOut.size());
    for (StoredInbound event : handedOut) {
      Unreadable why = event.unreadable();
      if (why == null) {
        readable.add(event);
      } else {
        log.error("Inbound message {} is unreadable: {}", event.id(), why.because());
        var _ = giveBack(policy.unreadable(event, why, time.instant()));
      }
    }
    return readable;
  }

  private void announce(StoredInbound event, Instant now) {
    events.publish(
        new Event.InboundLeased(
            now, event.account(), event.sessionId(), event.id(), event.handling().attempts()));
  }

  /**
   * An event is being handled in this process: while it is, nobody here takes its handler for dead,
   * even if its lease could not be renewed in time.
   */
  public void begun(UUID lease) {
    inHand.add(lease);
  }

  /** It is not being handled here any more. */
  public void over(UUID lease) {
    inHand.remove(lease);
  }

  public boolean isInHand(UUID lease) {
    return inHand.contains(lease);
  }

  /**
   * When the next event of these accounts may be handed out, at the latest then.
   *
   * @param looked before the last look: what has become due since then counts
   */
  public CompletableFuture<Instant> nextDue(Set<String> accounts, Instant looked, Instant latest) {
    return desk.nextDue(accounts, looked)
        .thenApply(due -> due.filter(latest::isAfter).orElse(latest));
  }

  /** Lets a lease last longer; gives until when, or nothing if it is not the event's any more. */
  public CompletableFuture<Optional<Instant>> extend(UUID lease, Duration length) {
    Instant until = time.instant().plus(length);
    return desk.extend(lease, until)
        .thenApply(extended -> extended ? Optional.of(until) : Optional.empty());
  }

  // ---- taking back; each does nothing if the lease is not the event's any more

  public CompletableFuture<HandedBack> done(StoredInbound event, List<NewMessage> answers) {
    return giveBack(policy.done(event, time.instant(), answers));
  }

  /**
   * @param delay after which it is wanted again; null for the usual one
   */
  public CompletableFuture<HandedBack> failed(
      StoredInbound event, String error, @Nullable Duration delay) {
    return giveBack(policy.failed(event, of(event), error, delay, time.instant()));
  }

  /**
   * Whoever had it was not heard of again.
   *
   * @param answered whether they had left an answer
   */
  public CompletableFuture<HandedBack> died(StoredInbound event, boolean answered) {
    return giveBack(policy.died(event, of(event), answered, time.instant()));
  }

  private InboundSettings of(StoredInbound event) {
    return settings.getOrDefault(event.account(), InboundSettings.DEFAULTS);
  }

  private CompletableFuture<HandedBack> giveBack(HandBack back) {
    return desk.giveBack(back)
        .thenApply(
            handedBack -> {
              if (handedBack.applied()) {
                announce(back, handedBack);
                bell.ring();
              }
              return handedBack;
            });
  }

  private void announce(HandBack back, HandedBack handedBack) {
    StoredInbound event = back.event();
    String error = back.note() == null ? "" : back.note().error();
    events.publish(
        switch (back.status()) {
          case HANDLED ->
              new Event.InboundHandled(back.at(), event.account(), event.sessionId(), event.id());
          case PENDING ->
              new Event.InboundRetrying(
                  back.at(),
                  event.account(),
                  event.sessionId(),
                  event.id(),
                  event.handling().attempts(),
                  error,
                  back.dueAt());
          case FAILED ->
              new Event.InboundFailed(
                  back.at(), event.account(), event.sessionId(), event.id(), error);
          case LEASED, DISCARDED -> throw new IllegalArgumentException(back.toString());
        });
    if (handedBack.turn() != null) {
      events.publish(
          new Event.TurnEnded(back.at(), event.account(), event.id(), handedBack.turn().label()));
    }
  }
}
