package dev.postrider.event;

import dev.postrider.inbound.InboundId;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.message.Traceparent;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One thing that happened. Never holds content or secrets: names, states and causes only. */
public sealed interface Event {

  Instant at();

  String account();

  /** Events about one message. */
  sealed interface OfMessage extends Event {
    MessageId id();

    String to();
  }

  /**
   * The message is durable.
   *
   * @param replayOf the dead letter it replays
   */
  record Accepted(
      Instant at, String account, String to, MessageId id, @Nullable MessageId replayOf, Ties ties)
      implements OfMessage {}

  /** A part goes out. */
  record Attempt(
      Instant at, String account, String to, MessageId id, int attempt, int part, Ties ties)
      implements OfMessage {}

  /** A part has arrived, others of its message follow. */
  record PartDelivered(
      Instant at, String account, String to, MessageId id, int part, String receipt)
      implements OfMessage {}

  /** Events that end a message. */
  sealed interface End extends OfMessage {
    /** The session, the turn and the trace the message belongs to, if it does. */
    Ties ties();
  }

  /** What a message belongs to, if anything. */
  record Ties(
      @Nullable String sessionId, @Nullable String turnId, @Nullable Traceparent traceparent) {
    public static Ties of(Message message) {
      return new Ties(message.sessionId(), message.turnId(), message.traceparent());
    }

    public boolean any() {
      return sessionId != null || turnId != null;
    }
  }

  /** Every part has arrived. */
  record Delivered(
      Instant at,
      String account,
      String to,
      MessageId id,
      int attempts,
      Duration took,
      boolean late,
      boolean possibleDuplicate,
      Ties ties)
      implements End {}

  /** An attempt did not succeed; the message will be tried again. */
  record Retrying(
      Instant at,
      String account,
      String to,
      MessageId id,
      String outcome,
      String error,
      Instant nextAt)
      implements OfMessage {}

  /**
   * The message ended undelivered: {@code failed}, {@code expired}, {@code held} or {@code
   * cancelled}.
   *
   * @param afterDelivery whether it had ended as delivered before, and the platform has said since
   *     that it failed
   */
  record Ended(
      Instant at,
      String account,
      String to,
      MessageId id,
      Status status,
      @Nullable String reason,
      @Nullable String error,
      Ties ties,
      boolean afterDelivery)
      implements End {
    public Ended(
        Instant at,
        String account,
        String to,
        MessageId id,
        Status status,
        @Nullable String reason,
        @Nullable String error,
        Ties ties) {
      this(at, account, to, id, status, reason, error, ties, false);
    }
  }

  /** A completion arrived for an attempt that was over; it was rejected. */
  record Stale(Instant at, String account, String to, MessageId id) implements OfMessage {}

  /** The platform asked for patience. */
  record Throttled(Instant at, String account, String to, String scope, Instant until, double share)
      implements Event {}

  record LanePaused(Instant at, String account, String to, String reason) implements Event {}

  record LaneResumed(Instant at, String account, String to) implements Event {}

  record AccountPaused(Instant at, String account, String reason) implements Event {}

  record AccountResumed(Instant at, String account) implements Event {}

  record AccountBroken(Instant at, String account, String cause, Instant nextProbeAt)
      implements Event {}

  record AccountRepaired(Instant at, String account) implements Event {}

  /**
   * The platform, or one of its servers, cannot be reached; what is for it waits.
   *
   * @param server null if it is the account's only one
   */
  record AccountUnreachable(
      Instant at,
      String account,
      @Nullable String server,
      String cause,
      @Nullable Instant nextProbeAt)
      implements Event {}

  /**
   * It can be reached again.
   *
   * @param since when it had become unreachable
   */
  record AccountReachable(Instant at, String account, @Nullable String server, Instant since)
      implements Event {}

  record AccountReady(Instant at, String account) implements Event {}

  record AccountNotReady(Instant at, String account, String reason) implements Event {}

  /**
   * This node works the account from now on.
   *
   * @param from who worked it before, if somebody else did
   */
  record AccountTaken(Instant at, String account, String node, @Nullable String from)
      implements Event {}

  /** This node does not work the account any more: it was handed over, or lost. */
  record AccountLeft(Instant at, String account, String node, String reason) implements Event {}

  /** Something came from a platform, and is durable. */
  record InboundReceived(Instant at, String account, String chat, InboundId id) implements Event {}

  /** Somebody is given the event. */
  record InboundLeased(Instant at, String account, String session, InboundId id, int attempt)
      implements Event {}

  /** An attempt at handling the event failed; it is handed out again. */
  record InboundRetrying(
      Instant at,
      String account,
      String session,
      InboundId id,
      int attempt,
      String error,
      Instant nextAt)
      implements Event {}

  /** The event is handled. */
  record InboundHandled(Instant at, String account, String session, InboundId id)
      implements Event {}

  /** The event is a dead letter: its attempts are used up. */
  record InboundFailed(Instant at, String account, String session, InboundId id, String error)
      implements Event {}

  /**
   * A turn has ended.
   *
   * @param id of the event it is about
   * @param state {@code delivered}, {@code failed} or {@code empty}
   */
  record TurnEnded(Instant at, String account, InboundId id, String state) implements Event {}

  /** A delivered message is in its session's history. */
  record SessionMirrored(Instant at, String account, String session, MessageId id)
      implements Event {}

  record SessionPaused(Instant at, String account, String session, String reason)
      implements Event {}

  record SessionResumed(Instant at, String account, String session) implements Event {}

  /** A reminder has fired: there is a run with a target for each of its chats. */
  record ReminderFired(
      Instant at, String account, UUID reminder, UUID run, String name, int targets)
      implements Event {}

  /** A run waits, goes on or is paused, or has reached more targets; told now and then. */
  record RunProgress(
      Instant at,
      String account,
      UUID run,
      String name,
      String status,
      @Nullable String reason,
      int total,
      int sent,
      int failed,
      int skipped,
      int pending)
      implements Event {}

  /**
   * A run has ended, or has ended in another way by what a platform has said since.
   *
   * @param status {@code success}, {@code partial}, {@code failed} or {@code cancelled}
   * @param before its status until now, if it had ended before; it may be the same, with other
   *     numbers. Null if it ends now
   * @param summary for people: "412 of 1000 delivered"
   */
  record RunEnded(
      Instant at,
      String account,
      UUID run,
      String name,
      String status,
      @Nullable String before,
      String summary,
      int total,
      int sent,
      int failed,
      int skipped)
      implements Event {}

  /** The account does not hear what is written to it. */
  record ListeningFailing(Instant at, String account, String cause) implements Event {}

  /** The account hears what is written to it. */
  record ListeningOk(Instant at, String account) implements Event {}

  /** Something came that was forged, too old or no sense; it was not stored. */
  record InboundRefused(Instant at, String account, String cause) implements Event {}

  /**
   * The platform has told more about a part it had accepted.
   *
   * @param id the message; null if it is not known whose part it is
   * @param state {@code sent}, {@code delivered}, {@code read} or {@code failed}
   */
  record ReceiptUpdated(
      Instant at,
      String account,
      @Nullable MessageId id,
      int part,
      String receipt,
      String state,
      @Nullable String detail)
      implements Event {}

  /** A chat has a new id, and its queue went along. */
  record LaneMoved(Instant at, String account, String from, String to, int messages)
      implements Event {}

  /**
   * What was found at the start and what happened to it. {@code account} is empty: it is about them
   * all.
   */
  record Recovered(
      Instant at,
      String account,
      long found,
      long recovered,
      long deferred,
      long expired,
      long failed,
      long unknown)
      implements Event {}

  /** The store stopped or started taking writes. {@code account} is empty. */
  record StoreDown(Instant at, String account, String reason) implements Event {}

  record StoreUp(Instant at, String account) implements Event {}

  /**
   * Another process acts under this node's name: this one stands down. {@code account} is empty.
   */
  record NodeReplaced(Instant at, String account, String node, String reason) implements Event {}

  /** The event's name on the wire: {@code message.delivered}. */
  default String type() {
    return switch (this) {
      case Accepted _ -> "message.accepted";
      case Attempt _ -> "message.attempt";
      case PartDelivered _ -> "message.part-delivered";
      case Delivered _ -> "message.delivered";
      case Retrying _ -> "message.retrying";
      case Ended ended -> "message." + ended.status().label();
      case Stale _ -> "message.stale-completion";
      case Throttled _ -> "throttled";
      case LanePaused _ -> "lane.paused";
      case LaneResumed _ -> "lane.resumed";
      case AccountPaused _ -> "account.paused";
      case AccountResumed _ -> "account.resumed";
      case AccountBroken _ -> "account.broken";
      case AccountRepaired _ -> "account.repaired";
      case AccountUnreachable _ -> "account.unreachable";
      case AccountReachable _ -> "account.reachable";
      case AccountReady _ -> "account.ready";
      case AccountNotReady _ -> "account.not-ready";
      case AccountTaken _ -> "account.taken";
      case AccountLeft _ -> "account.left";
      case ListeningFailing _ -> "listening.failing";
      case ListeningOk _ -> "listening.ok";
      case InboundReceived _ -> "inbound.received";
      case InboundRefused _ -> "inbound.refused";
      case InboundLeased _ -> "inbound.leased";
      case InboundRetrying _ -> "inbound.retrying";
      case InboundHandled _ -> "inbound.handled";
      case InboundFailed _ -> "inbound.failed";
      case TurnEnded _ -> "turn.ended";
      case ReminderFired _ -> "reminder.fired";
      case RunProgress _ -> "run.progress";
      case RunEnded _ -> "run.ended";
      case SessionMirrored _ -> "session.mirrored";
      case SessionPaused _ -> "session.paused";
      case SessionResumed _ -> "session.resumed";
      case ReceiptUpdated _ -> "receipt.updated";
      case LaneMoved _ -> "lane.moved";
      case Recovered _ -> "recovery.summary";
      case StoreDown _ -> "store.down";
      case StoreUp _ -> "store.up";
      case NodeReplaced _ -> "node.replaced";
    };
  }
}
