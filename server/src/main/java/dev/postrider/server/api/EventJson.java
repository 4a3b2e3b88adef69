package dev.postrider.server.api;

import dev.postrider.config.Durations;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Events on the wire: {@code at, type, account}, and what the type adds. */
public final class EventJson {
  /** Every type there is. */
  public static final List<String> TYPES =
      List.of(
          "message.accepted",
          "message.attempt",
          "message.part-delivered",
          "message.delivered",
          "message.retrying",
          "message.failed",
          "message.expired",
          "message.held",
          "message.cancelled",
          "message.stale-completion",
          "throttled",
          "lane.paused",
          "lane.resumed",
          "account.paused",
          "account.resumed",
          "account.broken",
          "account.repaired",
          "account.ready",
          "account.not-ready",
          "account.unreachable",
          "account.reachable",
          "listening.failing",
          "listening.ok",
          "account.taken",
          "account.left",
          "lane.moved",
          "receipt.updated",
          "inbound.received",
          "inbound.refused",
          "inbound.leased",
          "inbound.retrying",
          "inbound.handled",
          "inbound.failed",
          "turn.ended",
          "session.mirrored",
          "session.paused",
          "session.resumed",
          "reminder.fired",
          "run.progress",
          "run.ended",
          "recovery.summary",
          "store.down",
          "store.up",
          "node.replaced");

  private EventJson() {}

  static byte[] write(Event event) {
    return Json.object(json -> members(json, event));
  }

  private static void members(JsonGenerator json, Event event) {
    Json.instant(json, "at", event.at());
    json.writeStringProperty("type", event.type());
    Json.text(json, "account", event.account().isEmpty() ? null : event.account());
    if (event instanceof Event.OfMessage message) {
      json.writeStringProperty("to", message.to());
      json.writeStringProperty("id", message.id().toString());
    }
    if (event instanceof Event.End end) {
      Json.text(json, "sessionId", end.ties().sessionId());
      Json.text(json, "turnId", end.ties().turnId());
    }
    switch (event) {
      case Event.Accepted _, Event.Stale _ -> {}
      case Event.Attempt attempt -> {
        json.writeNumberProperty("attempt", attempt.attempt());
        json.writeNumberProperty("part", attempt.part());
      }
      case Event.PartDelivered part -> {
        json.writeNumberProperty("part", part.part());
        json.writeStringProperty("receipt", part.receipt());
      }
      case Event.Delivered delivered -> {
        json.writeNumberProperty("attempts", delivered.attempts());
        json.writeStringProperty("took", Durations.format(delivered.took()));
        json.writeBooleanProperty("late", delivered.late());
        json.writeBooleanProperty("possibleDuplicate", delivered.possibleDuplicate());
      }
      case Event.Retrying retrying -> {
        json.writeStringProperty("outcome", retrying.outcome());
        json.writeStringProperty("error", retrying.error());
        Json.instant(json, "nextAt", retrying.nextAt());
      }
      case Event.Ended ended -> {
        Json.word(json, "status", ended.status());
        Json.text(json, "reason", ended.reason());
        Json.text(json, "error", ended.error());
        json.writeBooleanProperty("afterDelivery", ended.afterDelivery());
      }
      case Event.Throttled throttled -> {
        Json.text(json, "to", throttled.to().isEmpty() ? null : throttled.to());
        json.writeStringProperty("scope", throttled.scope());
        Json.instant(json, "until", throttled.until());
        json.writeNumberProperty("share", throttled.share());
      }
      case Event.LanePaused lane -> place(json, lane.to(), lane.reason());
      case Event.LaneResumed lane -> place(json, lane.to(), null);
      case Event.AccountPaused paused -> json.writeStringProperty("reason", paused.reason());
      case Event.AccountBroken broken -> {
        json.writeStringProperty("cause", broken.cause());
        Json.instant(json, "nextProbeAt", broken.nextProbeAt());
      }
      case Event.AccountUnreachable gone -> {
        Json.text(json, "server", gone.server());
        json.writeStringProperty("cause", gone.cause());
        Json.instant(json, "nextProbeAt", gone.nextProbeAt());
      }
      case Event.AccountReachable back -> {
        Json.text(json, "server", back.server());
        Json.instant(json, "since", back.since());
      }
      case Event.ListeningFailing deaf -> json.writeStringProperty("cause", deaf.cause());
      case Event.AccountNotReady notReady -> json.writeStringProperty("reason", notReady.reason());
      case Event.AccountResumed _,
          Event.AccountRepaired _,
          Event.AccountReady _,
          Event.ListeningOk _,
          Event.StoreUp _ -> {}
      case Event.AccountTaken taken -> {
        json.writeStringProperty("node", taken.node());
        Json.text(json, "from", taken.from());
      }
      case Event.AccountLeft left -> {
        json.writeStringProperty("node", left.node());
        json.writeStringProperty("reason", left.reason());
      }
      case Event.Recovered recovered -> {
        json.writeNumberProperty("found", recovered.found());
        json.writeNumberProperty("recovered", recovered.recovered());
        json.writeNumberProperty("deferred", recovered.deferred());
        json.writeNumberProperty("expired", recovered.expired());
        json.writeNumberProperty("failed", recovered.failed());
        json.writeNumberProperty("unknown", recovered.unknown());
      }
      case Event.InboundReceived received -> {
        json.writeStringProperty("chat", received.chat());
        json.writeStringProperty("id", received.id().toString());
      }
      case Event.InboundLeased leased -> {
        inbound(json, leased.session(), leased.id());
        json.writeNumberProperty("attempt", leased.attempt());
      }
      case Event.InboundRetrying retrying -> {
        inbound(json, retrying.session(), retrying.id());
        json.writeNumberProperty("attempt", retrying.attempt());
        json.writeStringProperty("error", retrying.error());
        Json.instant(json, "nextAt", retrying.nextAt());
      }
      case Event.InboundHandled handled -> inbound(json, handled.session(), handled.id());
      case Event.InboundFailed failed -> {
        inbound(json, failed.session(), failed.id());
        json.writeStringProperty("error", failed.error());
      }
      case Event.TurnEnded turn -> {
        json.writeStringProperty("id", turn.id().toString());
        json.writeStringProperty("state", turn.state());
      }
      case Event.SessionMirrored mirrored -> {
        json.writeStringProperty("sessionId", mirrored.session());
        json.writeStringProperty("messageId", mirrored.id().toString());
      }
      case Event.SessionPaused paused -> {
        json.writeStringProperty("sessionId", paused.session());
        json.writeStringProperty("reason", paused.reason());
      }
      case Event.SessionResumed resumed -> json.writeStringProperty("sessionId", resumed.session());
      case Event.InboundRefused refused -> json.writeStringProperty("cause", refused.cause());
      case Event.ReceiptUpdated receipt -> {
        Json.text(json, "id", receipt.id() == null ? null : receipt.id().toString());
        json.writeNumberProperty("part", receipt.part());
        json.writeStringProperty("receipt", receipt.receipt());
        json.writeStringProperty("state", receipt.state());
        Json.text(json, "detail", receipt.detail());
      }
      case Event.LaneMoved moved -> {
        json.writeStringProperty("from", moved.from());
        json.writeStringProperty("to", moved.to());
        json.writeNumberProperty("messages", moved.messages());
      }
      case Event.ReminderFired fired -> {
        json.writeStringProperty("reminderId", fired.reminder().toString());
        json.writeStringProperty("runId", fired.run().toString());
        json.writeStringProperty("name", fired.name());
        json.writeNumberProperty("targets", fired.targets());
      }
      case Event.RunProgress run -> {
        run(json, run.run(), run.name(), run.status());
        Json.text(json, "reason", run.reason());
        counts(json, run.total(), run.sent(), run.failed(), run.skipped());
        json.writeNumberProperty("left", run.pending());
      }
      case Event.RunEnded run -> {
        run(json, run.run(), run.name(), run.status());
        Json.text(json, "before", run.before());
        json.writeStringProperty("summary", run.summary());
        counts(json, run.total(), run.sent(), run.failed(), run.skipped());
      }
      case Event.StoreDown down -> json.writeStringProperty("reason", down.reason());
      case Event.NodeReplaced replaced -> {
        json.writeStringProperty("node", replaced.node());
        json.writeStringProperty("reason", replaced.reason());
      }
    }
  }

  private static void inbound(JsonGenerator json, String session, InboundId id) {
    json.writeStringProperty("id", id.toString());
    json.writeStringProperty("sessionId", session);
  }

  private static void run(JsonGenerator json, UUID id, String name, String status) {
    json.writeStringProperty("runId", id.toString());
    json.writeStringProperty("name", name);
    json.writeStringProperty("status", status);
  }

  private static void counts(JsonGenerator json, int total, int sent, int failed, int skipped) {
    json.writeNumberProperty("total", total);
    json.writeNumberProperty("sent", sent);
    json.writeNumberProperty("failed", failed);
    json.writeNumberProperty("skipped", skipped);
  }

  private static void place(JsonGenerator json, String to, @Nullable String reason) {
    json.writeStringProperty("to", to);
    if (reason != null) {
      json.writeStringProperty("reason", reason);
    }
  }
}
