package dev.postrider.internal.inbound;

import dev.postrider.config.InboundSettings;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.Ids;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Unreadable;
import dev.postrider.time.LatestInstant;
import dev.postrider.time.Scheduler;
import dev.postrider.time.Signal;
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
 * Hands inbound messages out and takes them back, whoever handles them: a handler in this process,
 * a web server they are pushed to, or a program that asks. Says what happened. Thread-safe.
 */
public final class InboundDispatcher implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(InboundDispatcher.class);

  private final InboundStore inboundStore;
  private final Scheduler time;
  private final Events events;
  private final Ids ids;
  private final TurnPolicy policy;
  private final Map<String, InboundSettings> settings;
  private final Consumer<Instant> lapseWatch;
  private final Signal signal;
  private final LatestInstant clock = new LatestInstant();
  private final Set<UUID> inHand = ConcurrentHashMap.newKeySet();

  /**
   * @param settings by account
   * @param lapseWatch is told when a lease runs out
   */
  public InboundDispatcher(
      InboundStore inboundStore,
      Scheduler time,
      Events events,
      Ids ids,
      RandomGenerator random,
      Map<String, InboundSettings> settings,
      Consumer<Instant> lapseWatch) {
    this.inboundStore = inboundStore;
    this.time = time;
    this.events = events;
    this.ids = ids;
    this.policy = new TurnPolicy(random);
    this.settings = Map.copyOf(settings);
    this.lapseWatch = lapseWatch;
    this.signal = new Signal(time);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.InboundReceived) {
      clock.seen(event.at());
      signal.ring();
    }
  }

  /** Rings when there may be something to hand out. */
  public Signal bell() {
    return signal;
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
    return inboundStore
        .lease(new LeaseRequest(accounts, leases, now, clock.seen(now), now.plus(length), holder))
        .whenComplete(
            (handedOut, failure) -> {
              if (failure != null) { // some may have been, to nobody
                lapseWatch.accept(now.plus(length));
              } else if (!handedOut.isEmpty()) {
                handedOut.forEach(inbound -> announce(inbound, now));
                lapseWatch.accept(now.plus(length));
              }
            })
        .thenApply(this::readable);
  }

  /**
   * Hands out the head of an inbound message's session to a person, unless it has come later or
   * somebody has it.
   */
  public CompletableFuture<Optional<StoredInbound>> take(StoredInbound upTo, Duration length) {
    Instant now = time.instant();
    return inboundStore
        .take(upTo, ids.next(), now, now.plus(length))
        .whenComplete((_, _) -> lapseWatch.accept(now.plus(length)))
        .thenApply(
            taken -> {
              taken.ifPresent(inbound -> announce(inbound, now));
              return readable(taken.stream().toList()).stream().findFirst();
            });
  }

  /**
   * What cannot be read goes to nobody. If taking it back fails its lease runs out, and it is
   * handed out again.
   */
  private List<StoredInbound> readable(List<StoredInbound> handedOut) {
    if (handedOut.stream().allMatch(inbound -> inbound.unreadable() == null)) {
      return handedOut;
    }
    List<StoredInbound> readable = new ArrayList<>(handedOut.size());
    for (StoredInbound inbound : handedOut) {
      Unreadable why = inbound.unreadable();
      if (why == null) {
        readable.add(inbound);
      } else {
        log.error("Inbound message {} is unreadable: {}", inbound.id(), why.because());
        var _ = giveBack(policy.unreadable(inbound, why, time.instant()));
      }
    }
    return readable;
  }

  private void announce(StoredInbound inbound, Instant now) {
    events.publish(
        new Event.InboundLeased(
            now,
            inbound.account(),
            inbound.sessionId(),
            inbound.id(),
            inbound.handling().attempts()));
  }

  /**
   * An inbound message is being handled in this process: while it is, nobody here takes its handler
   * for dead, even if its lease could not be renewed in time.
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
   * When the next inbound message of these accounts may be handed out, at the latest then.
   *
   * @param looked before the last look: what has become due since then counts
   */
  public CompletableFuture<Instant> nextDue(Set<String> accounts, Instant looked, Instant latest) {
    return inboundStore
        .nextDue(accounts, looked)
        .thenApply(due -> due.filter(latest::isAfter).orElse(latest));
  }

  /**
   * Lets a lease last longer; gives until when, or nothing if it is not the inbound message's any
   * more.
   */
  public CompletableFuture<Optional<Instant>> extend(UUID lease, Duration length) {
    Instant until = time.instant().plus(length);
    return inboundStore
        .extend(lease, until)
        .thenApply(extended -> extended ? Optional.of(until) : Optional.empty());
  }

  // ---- taking back; each does nothing if the lease is not the inbound message's any more

  public CompletableFuture<CompletionResult> done(StoredInbound inbound, List<NewMessage> answers) {
    return giveBack(policy.done(inbound, time.instant(), answers));
  }

  /** It waits again as it did before; whoever had it says nothing about it. */
  public CompletableFuture<CompletionResult> putBack(StoredInbound inbound) {
    return giveBack(policy.putBack(inbound, time.instant()));
  }

  /**
   * @param delay after which it is wanted again; null for the usual one
   */
  public CompletableFuture<CompletionResult> failed(
      StoredInbound inbound, String error, @Nullable Duration delay) {
    return giveBack(policy.failed(inbound, of(inbound), error, delay, time.instant()));
  }

  /**
   * The lease expired without an answer.
   *
   * @param answered whether they had left an answer
   */
  public CompletableFuture<CompletionResult> leaseExpired(StoredInbound inbound, boolean answered) {
    return giveBack(policy.leaseExpired(inbound, of(inbound), answered, time.instant()));
  }

  private InboundSettings of(StoredInbound inbound) {
    return settings.getOrDefault(inbound.account(), InboundSettings.DEFAULTS);
  }

  private CompletableFuture<CompletionResult> giveBack(Completion completion) {
    return inboundStore
        .complete(completion)
        .thenApply(
            handedBack -> {
              if (handedBack.applied()) {
                announce(completion, handedBack);
                signal.ring();
              }
              return handedBack;
            });
  }

  private void announce(Completion completion, CompletionResult handedBack) {
    StoredInbound inbound = completion.inbound();
    String error = completion.note() == null ? "" : completion.note().error();
    events.publish(
        switch (completion.status()) {
          case HANDLED ->
              new Event.InboundHandled(
                  completion.at(), inbound.account(), inbound.sessionId(), inbound.id());
          case PENDING ->
              new Event.InboundRetrying(
                  completion.at(),
                  inbound.account(),
                  inbound.sessionId(),
                  inbound.id(),
                  inbound.handling().attempts(),
                  error,
                  completion.dueAt());
          case FAILED ->
              new Event.InboundFailed(
                  completion.at(), inbound.account(), inbound.sessionId(), inbound.id(), error);
          case LEASED, DISCARDED -> throw new IllegalArgumentException(completion.toString());
        });
    if (handedBack.turn() != null) {
      events.publish(
          new Event.TurnEnded(
              completion.at(), inbound.account(), inbound.id(), handedBack.turn().label()));
    }
  }
}
