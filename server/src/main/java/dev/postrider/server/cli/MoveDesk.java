package dev.postrider.server.cli;

import dev.postrider.store.Transfer;
import dev.postrider.store.Transfer.Event;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The part of {@link Move} that is about what came from platforms, and what followed from it. */
final class MoveDesk {
  private static final int BATCH = 1_000;
  private static final int LARGE_BATCH = 50; // of what may be a megabyte each

  /** Whose minutes these are: nobody's any more. */
  private static final String MOVED = "moved";

  /** The order in which stores tell what was said. */
  private static final Comparator<SessionReply> PLACE =
      Comparator.<SessionReply, byte[]>comparing(
              said -> said.sessionId().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned)
          .thenComparing(SessionReply::at)
          .thenComparing(said -> said.id().toString());

  private final Transfer source;
  private final Transfer target;
  private final InboundStore from;
  private final InboundStore to;

  MoveDesk(Move.Side from, Move.Side to) {
    this.source = from.everything();
    this.target = to.everything();
    this.from = from.store().inbound();
    this.to = to.store().inbound();
  }

  void copy() {
    copySessions(); // before what is in them
    copyEvents();
    copyMirrored();
    copyMinutes();
  }

  /** The ids of events, sessions and messages in them that are missing in the target, or differ. */
  List<String> compare() {
    List<String> wrong = new ArrayList<>();
    compareSessions(wrong);
    compareEvents(wrong);
    compareMirrored(wrong);
    return wrong;
  }

  // ---- events

  private void copyEvents() {
    List<Event> batch = source.events(0, LARGE_BATCH);
    while (!batch.isEmpty()) {
      batch.forEach(
          one -> Move.requireReadable(one.inbound().id().toString(), one.inbound().unreadable()));
      target.addEvents(batch);
      batch = source.events(batch.getLast().inbound().row(), LARGE_BATCH);
    }
  }

  /** Every event is there, as it is here, and in the same order. */
  private void compareEvents(List<String> wrong) {
    long last = 0;
    List<Event> batch = source.events(0, LARGE_BATCH);
    while (!batch.isEmpty()) {
      Map<String, Event> there = new HashMap<>();
      target.findEvents(batch).forEach(one -> there.put(one.inbound().id().toString(), one));
      for (Event here : batch) {
        String id = here.inbound().id().toString();
        @Nullable Event other = there.get(id);
        if (other == null || !same(here, other) || other.inbound().row() <= last) {
          wrong.add(id);
        } else {
          last = other.inbound().row();
        }
      }
      batch = source.events(batch.getLast().inbound().row(), LARGE_BATCH);
    }
  }

  private static boolean same(Event here, Event there) {
    StoredInbound inbound = here.inbound().at(there.inbound().row());
    return new Event(inbound, here.delivered(), here.lost(), here.notes()).equals(there);
  }

  // ---- sessions

  private void copySessions() {
    List<SessionView> batch = source.sessions("", BATCH);
    while (!batch.isEmpty()) {
      target.addSessions(batch);
      batch = source.sessions(batch.getLast().id(), BATCH);
    }
  }

  private void compareSessions(List<String> wrong) {
    List<SessionView> batch = source.sessions("", BATCH);
    while (!batch.isEmpty()) {
      batch.stream()
          .filter(session -> !to.session(session.id()).equals(Optional.of(session)))
          .forEach(session -> wrong.add(session.id()));
      batch = source.sessions(batch.getLast().id(), BATCH);
    }
  }

  private void copyMirrored() {
    List<SessionReply> batch = source.mirrored(null, LARGE_BATCH);
    while (!batch.isEmpty()) {
      target.addMirrored(batch);
      batch = source.mirrored(batch.getLast(), LARGE_BATCH);
    }
  }

  /** Walks both at once; what is in the target only is passed by. */
  private void compareMirrored(List<String> wrong) {
    Deque<SessionReply> there = new ArrayDeque<>(target.mirrored(null, LARGE_BATCH));
    List<SessionReply> batch = source.mirrored(null, LARGE_BATCH);
    while (!batch.isEmpty()) {
      for (SessionReply here : batch) {
        while (!there.isEmpty() && PLACE.compare(there.getFirst(), here) < 0) {
          advance(there);
        }
        if (!here.equals(there.peekFirst())) {
          wrong.add(here.id().toString());
        }
      }
      batch = source.mirrored(batch.getLast(), LARGE_BATCH);
    }
  }

  private void advance(Deque<SessionReply> there) {
    SessionReply passed = there.removeFirst();
    if (there.isEmpty()) {
      there.addAll(target.mirrored(passed, LARGE_BATCH));
    }
  }

  // ---- minutes

  private void copyMinutes() {
    List<QueueMinute> batch = from.minutes(Instant.EPOCH, BATCH);
    while (!batch.isEmpty()) {
      Map<Instant, QueueMinute> there = there(batch);
      batch.stream()
          .filter(minute -> !there.containsKey(minute.at()))
          .map(minute -> to.save(MOVED, minute, true))
          .toList()
          .forEach(CompletableFuture::join);
      batch = from.minutes(after(batch), BATCH);
    }
  }

  boolean sameMinutes() {
    List<QueueMinute> batch = from.minutes(Instant.EPOCH, BATCH);
    while (!batch.isEmpty()) {
      Map<Instant, QueueMinute> there = there(batch);
      if (!batch.stream().allMatch(minute -> minute.equals(there.get(minute.at())))) {
        return false;
      }
      batch = from.minutes(after(batch), BATCH);
    }
    return true;
  }

  /** What the target knows of the time of these minutes. */
  private Map<Instant, QueueMinute> there(List<QueueMinute> minutes) {
    Instant end = after(minutes);
    Map<Instant, QueueMinute> there = new HashMap<>();
    List<QueueMinute> batch = to.minutes(minutes.getFirst().at(), BATCH);
    while (!batch.isEmpty() && batch.getFirst().at().isBefore(end)) {
      there.putAll(batch.stream().collect(Collectors.toMap(QueueMinute::at, minute -> minute)));
      batch = to.minutes(after(batch), BATCH);
    }
    return there;
  }

  private static Instant after(List<QueueMinute> minutes) {
    return minutes.getLast().at().plusNanos(1_000);
  }
}
