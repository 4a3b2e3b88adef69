package dev.postrider.bench.scale;

import dev.postrider.channel.Capabilities;
import dev.postrider.internal.pace.Pacer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An account that has something to do, or had until lately: its lanes and its buckets. */
final class Account {
  private static final int BULK_EVERY = 10; // as in the product's window of lanes

  final int id;
  final Capabilities channel;
  final Pacer pacer;
  final Map<Integer, Lane> lanes = new LinkedHashMap<>();
  private final Deque<Lane> live = new ArrayDeque<>(4);
  private final Deque<Lane> bulk = new ArrayDeque<>(4);
  private int liveInARow;
  int inFlight;
  long wakeAt = Long.MAX_VALUE;

  /** While it moves. */
  Fault.@Nullable Outage outage;

  /** Why it cannot send though it has something to send, and since when. */
  @Nullable Fault heldBy;

  long heldSince;
  long restsSince;

  static final class Lane {
    final int chat;
    final Deque<Message> waiting = new ArrayDeque<>(2);

    /** Of those that wait. */
    int replies;

    /** Of its head, if that is under way. */
    @Nullable Flight flight;

    Lane(int chat) {
      this.chat = chat;
    }
  }

  static final class Message {
    final long handedIn;
    final int number;
    final boolean fanout;
    boolean possibleDuplicate;

    Message(long handedIn, int number, boolean fanout) {
      this.handedIn = handedIn;
      this.number = number;
      this.fanout = fanout;
    }
  }

  /** One request. */
  static final class Flight {
    final Message message;
    final long leaves;

    /** Its node died before. */
    boolean neverLeft;

    Flight(Message message, long leaves) {
      this.message = message;
      this.leaves = leaves;
    }
  }

  Account(int id, Capabilities channel, Pacer.ChannelMeter shared) {
    this.id = id;
    this.channel = channel;
    this.pacer = new Pacer("a", shared, channel.pace(), channel.chatPace());
  }

  boolean hasReady() {
    return !live.isEmpty() || !bulk.isEmpty();
  }

  /** The lane's head may be tried. */
  void ready(Lane lane) {
    (lane.replies == 0 ? bulk : live).add(lane);
  }

  /** A reply has come behind what else waits in the lane: that is live now, too. */
  void promote(Lane lane) {
    if (bulk.remove(lane)) {
      live.add(lane);
    }
  }

  /** The lane whose turn it is: live before bulk, but not for ever. */
  Lane nextReady() {
    boolean bulkTurn = live.isEmpty() || (liveInARow >= BULK_EVERY - 1 && !bulk.isEmpty());
    liveInARow = bulkTurn || bulk.isEmpty() ? 0 : liveInARow + 1;
    return bulkTurn ? bulk.remove() : live.remove();
  }

  /** The node dies: what is under way is tried again by the next one, and says so. */
  void interrupt(long now) {
    inFlight = 0;
    for (Lane lane : lanes.values()) {
      if (lane.flight != null) {
        lane.flight.neverLeft = lane.flight.leaves > now;
        lane.flight = null;
        lane.waiting.getFirst().possibleDuplicate = true;
        ready(lane);
      }
    }
  }
}
