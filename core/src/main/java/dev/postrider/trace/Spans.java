package dev.postrider.trace;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.MessageId;
import dev.postrider.message.Traceparent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans of events and hands each on when it is over:
 *
 * <ul>
 *   <li>{@code postrider.message}, from acceptance to the end, however long that takes; under it
 *       {@code postrider.accept}, a {@code postrider.attempt} for each request to the platform, and
 *       {@code postrider.report} if the platform says later that it failed after all;
 *   <li>{@code postrider.inbound}, from arrival until it is handled or given up; under it a {@code
 *       postrider.handle} for each time that it was handed out, and the messages that answer it.
 * </ul>
 *
 * <p>Of a request, and of a handling, this process must have seen the beginning; the beginning of
 * the others is in their ids. Give it to {@link dev.postrider.Postrider#open} as a listener.
 * Thread-safe.
 */
public final class Spans implements Events.Listener {
  /** So many requests, and so many handlings, are remembered while they are under way. */
  private static final int MOST_UNDER_WAY = 10_000;

  private final Traces traces;
  private final Map<String, String> channels;
  private final InstantSource clock;
  private final Consumer<Span> sink;
  private final Map<MessageId, Event.Attempt> attempts = bounded();
  private final Map<InboundId, Event.InboundLeased> handlings = bounded();

  /**
   * @param sampleRatio of how many of the traces that begin here spans are told, from 0 to 1
   * @param channels of accounts, by their names
   * @param sink takes spans; must be quick and must not block
   */
  public Spans(
      double sampleRatio, Map<String, String> channels, InstantSource clock, Consumer<Span> sink) {
    this.traces = new Traces(sampleRatio);
    this.channels = Map.copyOf(channels);
    this.clock = clock;
    this.sink = sink;
  }

  /** Handlings by others end elsewhere, and what another process finishes is not heard of here. */
  private static <K, V> Map<K, V> bounded() {
    return Collections.synchronizedMap(
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > MOST_UNDER_WAY;
          }
        });
  }

  /**
   * The place in its trace of an inbound message, for whoever handles it: what they do, and what
   * they send with it, belongs there.
   */
  public Traceparent traceparent(InboundId id) {
    return traces.of(id);
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Accepted accepted -> accepted(accepted);
      case Event.Attempt attempt -> begun(attempt);
      case Event.PartDelivered part -> tried(part.id(), part.at(), "delivered", null);
      case Event.Retrying later -> tried(later.id(), later.at(), later.outcome(), later.outcome());
      case Event.Delivered delivered -> delivered(delivered);
      case Event.Ended ended -> ended(ended);
      case Event.InboundLeased leased -> handlings.put(leased.id(), leased);
      case Event.InboundRetrying again -> handled(again.id(), again.at(), "failed");
      case Event.InboundHandled done -> inboundEnded(done, done.id(), null);
      case Event.InboundFailed failed -> inboundEnded(failed, failed.id(), "failed");
      default -> {} // of no message, or nothing that takes time
    }
  }

  // ---- messages

  private void accepted(Event.Accepted accepted) {
    Traceparent message = traces.of(accepted.id(), accepted.ties());
    MessageId replayed = accepted.replayOf();
    tell(
        new Span(
            "postrider.accept",
            Span.Kind.INTERNAL,
            Traces.below(message, accepted.id().value(), 1),
            message.spanId(),
            accepted.at(),
            clock.instant(),
            null,
            about(accepted),
            replayed == null ? null : traces.of(replayed, accepted.ties())));
  }

  /** A request that is followed by another at once had an answer that told how to mend it. */
  private void begun(Event.Attempt attempt) {
    if (traces.of(attempt.id(), attempt.ties()).sampled()) {
      Event.Attempt before = attempts.put(attempt.id(), attempt);
      if (before != null) {
        tried(before, attempt.at(), "repairable", null);
      }
    }
  }

  private void tried(MessageId id, Instant at, String outcome, @Nullable String error) {
    Event.Attempt attempt = attempts.remove(id);
    if (attempt != null) {
      tried(attempt, at, outcome, error);
    }
  }

  private void tried(Event.Attempt attempt, Instant at, String outcome, @Nullable String error) {
    Traceparent message = traces.of(attempt.id(), attempt.ties());
    Map<String, Object> attributes = about(attempt);
    attributes.put("postrider.attempt", (long) attempt.attempt());
    attributes.put("postrider.part", (long) attempt.part());
    attributes.put("postrider.outcome", outcome);
    tell(
        new Span(
            "postrider.attempt",
            Span.Kind.CLIENT,
            Traces.below(message, attempt.id().value(), distinct(attempt.at(), attempt.part())),
            message.spanId(),
            attempt.at(),
            at,
            error,
            attributes,
            null));
  }

  private void delivered(Event.Delivered delivered) {
    tried(delivered.id(), delivered.at(), "delivered", null);
    Map<String, Object> attributes = about(delivered);
    attributes.put("postrider.status", "delivered");
    attributes.put("postrider.attempts", (long) delivered.attempts());
    attributes.put("postrider.late", delivered.late());
    attributes.put("postrider.possible_duplicate", delivered.possibleDuplicate());
    ended(delivered, null, attributes);
  }

  private void ended(Event.Ended ended) {
    String status = ended.status().label();
    String reason = ended.reason() == null ? status : ended.reason();
    Map<String, Object> attributes = about(ended);
    attributes.put("postrider.status", status);
    attributes.put("postrider.reason", reason);
    String error = ended.status().deadLetter() ? reason : null;
    if (ended.afterDelivery()) {
      reported(ended, reason, attributes);
    } else {
      tried(ended.id(), ended.at(), reason, error);
      ended(ended, error, attributes);
    }
  }

  private void ended(Event.End end, @Nullable String error, Map<String, Object> attributes) {
    Traceparent above = traces.above(end.ties());
    tell(
        new Span(
            "postrider.message",
            Span.Kind.PRODUCER,
            traces.of(end.id(), end.ties()),
            above == null ? null : above.spanId(),
            end.id().givenAt(),
            end.at(),
            error,
            attributes,
            null));
  }

  /** The message's own span was told when it was delivered. */
  private void reported(Event.Ended ended, String error, Map<String, Object> attributes) {
    Traceparent message = traces.of(ended.id(), ended.ties());
    tell(
        new Span(
            "postrider.report",
            Span.Kind.CONSUMER,
            Traces.below(message, ended.id().value(), 2),
            message.spanId(),
            ended.at(),
            ended.at(),
            error,
            attributes,
            null));
  }

  private Map<String, Object> about(Event.OfMessage event) {
    return about(event.account(), "postrider.message.id", event.id().value());
  }

  // ---- inbound messages

  private void handled(InboundId id, Instant at, @Nullable String error) {
    Event.InboundLeased leased = handlings.remove(id);
    if (leased == null) {
      return;
    }
    Traceparent inbound = traces.of(id);
    Map<String, Object> attributes = about(leased.account(), "postrider.inbound.id", id.value());
    attributes.put("postrider.attempt", (long) leased.attempt());
    tell(
        new Span(
            "postrider.handle",
            Span.Kind.CONSUMER,
            Traces.below(inbound, id.value(), distinct(leased.at(), leased.attempt())),
            inbound.spanId(),
            leased.at(),
            at,
            error,
            attributes,
            null));
  }

  private void inboundEnded(Event event, InboundId id, @Nullable String error) {
    handled(id, event.at(), error);
    tell(
        new Span(
            "postrider.inbound",
            Span.Kind.CONSUMER,
            traces.of(id),
            null,
            id.givenAt(),
            event.at(),
            error,
            about(event.account(), "postrider.inbound.id", id.value()),
            null));
  }

  // ---- both

  private Map<String, Object> about(String account, String name, UUID id) {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("postrider.account", account);
    String channel = channels.get(account);
    if (channel != null) {
      attributes.put("postrider.channel", channel);
    }
    attributes.put(name, id.toString());
    return attributes;
  }

  /** Tells requests of one message, or handlings of one inbound message, from each other. */
  private static long distinct(Instant at, int number) {
    return (at.getEpochSecond() * 1_000_000_000 + at.getNano()) * 31 + number;
  }

  private void tell(Span span) {
    if (span.self().sampled()) {
      sink.accept(span);
    }
  }
}
