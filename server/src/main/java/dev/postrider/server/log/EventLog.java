package dev.postrider.server.log;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns events into log lines: everything that changes what the server can do, and everything that
 * ended badly. What happens in the life of every single message is not told; the event stream and
 * the metrics are for that. Things that may come in crowds are told once and then counted ({@link
 * Repeats}). Thread-safe.
 */
public final class EventLog implements Events.Listener {
  private final Supplier<Duration> stopwatch;
  private final Repeats<Kind> repeats = new Repeats<>();
  private final Set<UUID> pausedRuns = ConcurrentHashMap.newKeySet();

  /**
   * What makes two events tell the same.
   *
   * @param what a sentence about several: "messages of tg-main failed (rejected-target)"
   */
  private record Kind(String type, String account, String what) {}

  /**
   * A log of events.
   *
   * @param stopwatch goes on evenly whatever is done to the clock
   */
  public EventLog(Supplier<Duration> stopwatch) {
    this.stopwatch = stopwatch;
  }

  /** Tells what was counted; to be called every few seconds. */
  public void tellCounted() {
    tell(repeats.over(stopwatch.get()), "in the last minute");
  }

  /** Tells the rest that was counted, because the server ends. */
  public void tellRest() {
    tell(repeats.rest(), "since");
  }

  private static void tell(List<Repeats.More<Kind>> counted, String when) {
    for (Repeats.More<Kind> more : counted) {
      Kind kind = more.kind();
      Line.warn(kind.type(), "%d more %s %s".formatted(more.count(), kind.what(), when))
          .with("account", kind.account())
          .with("more", more.count())
          .write();
    }
  }

  @Override
  public void on(Event event) {
    switch (event) {
      // accounts
      case Event.AccountPaused e ->
          warn(e, "is paused: " + e.reason()).with("reason", e.reason()).write();
      case Event.AccountResumed e -> info(e, "is resumed").write();
      case Event.AccountBroken e ->
          warn(e, "is broken: " + e.cause() + "; asked again at " + e.nextProbeAt())
              .with("cause", e.cause())
              .with("nextProbeAt", e.nextProbeAt().toString())
              .write();
      case Event.AccountRepaired e -> info(e, "works again").write();
      case Event.AccountNotReady e ->
          warn(e, "is not ready: " + e.reason()).with("reason", e.reason()).write();
      case Event.AccountReady e -> info(e, "is ready").write();
      case Event.AccountUnreachable e ->
          warn(e, "cannot be reached" + at(e.server()) + ": " + e.cause())
              .with("server", String.valueOf(e.server()))
              .with("cause", e.cause())
              .write();
      case Event.AccountReachable e ->
          info(e, "can be reached again" + at(e.server()))
              .with("server", String.valueOf(e.server()))
              .with("since", e.since().toString())
              .write();
      case Event.ListeningFailing e ->
          warn(e, "hears nothing: " + e.cause()).with("cause", e.cause()).write();
      case Event.ListeningOk e -> info(e, "hears what is written to it").write();
      case Event.AccountTaken e -> taken(e);
      case Event.AccountLeft e ->
          info(e, "is no longer worked by " + e.node() + ": " + e.reason())
              .with("node", e.node())
              .with("reason", e.reason())
              .write();

      // the store
      case Event.StoreDown e ->
          Line.error(e.type(), "The store takes no writes: " + e.reason())
              .with("reason", e.reason())
              .write();
      case Event.StoreUp e -> Line.info(e.type(), "The store takes writes again").write();
      case Event.Recovered e -> recovered(e);
      case Event.NodeReplaced e ->
          Line.error(e.type(), "Node %s stands down: %s".formatted(e.node(), e.reason()))
              .with("node", e.node())
              .with("reason", e.reason())
              .write();

      // what ended badly, or may come in crowds
      case Event.Ended e when e.status().deadLetter() -> deadLetter(e);
      case Event.InboundFailed e ->
          crowd(e, "inbound messages of " + e.account() + " are dead letters")
              .tell(
                  "Inbound message %s of %s is a dead letter: %s"
                      .formatted(e.id(), e.account(), e.error()),
                  line -> line.with("id", e.id().toString()).with("error", e.error()));
      case Event.InboundRefused e ->
          crowd(e, "requests to /hooks/" + e.account() + " were refused")
              .tell(
                  "A request to /hooks/%s was refused: %s".formatted(e.account(), e.cause()),
                  line -> line.with("cause", e.cause()));
      case Event.LanePaused e ->
          crowd(e, "chats of " + e.account() + " are paused (" + e.reason() + ")")
              .tell(
                  "Chat %s of %s is paused: %s".formatted(e.to(), e.account(), e.reason()),
                  line -> line.with("to", e.to()).with("reason", e.reason()));
      case Event.LaneMoved e ->
          info(e, "has a chat that moved from " + e.from() + " to " + e.to())
              .with("from", e.from())
              .with("to", e.to())
              .with("messages", e.messages())
              .write();

      // reminders
      case Event.ReminderFired e ->
          Line.info(
                  e.type(),
                  "Reminder '%s' fired: run %s to %d chats"
                      .formatted(e.name(), e.run(), e.targets()))
              .with("account", e.account())
              .with("runId", e.run().toString())
              .with("name", e.name())
              .with("targets", e.targets())
              .write();
      case Event.RunProgress e -> progress(e);
      case Event.RunEnded e -> ended(e);

      // the ordinary life of messages and conversations
      case Event.Accepted _,
          Event.Attempt _,
          Event.PartDelivered _,
          Event.Delivered _,
          Event.Retrying _,
          Event.Ended _,
          Event.Stale _,
          Event.Throttled _,
          Event.LaneResumed _,
          Event.InboundReceived _,
          Event.InboundLeased _,
          Event.InboundRetrying _,
          Event.InboundHandled _,
          Event.TurnEnded _,
          Event.SessionMirrored _,
          Event.SessionPaused _,
          Event.SessionResumed _,
          Event.ReceiptUpdated _ -> {}
    }
  }

  private static String at(@Nullable String server) {
    return server == null ? "" : " at " + server;
  }

  private static Line info(Event event, String does) {
    return Line.info(event.type(), "Account " + event.account() + " " + does)
        .with("account", event.account());
  }

  private static Line warn(Event event, String does) {
    return Line.warn(event.type(), "Account " + event.account() + " " + does)
        .with("account", event.account());
  }

  private static void taken(Event.AccountTaken event) {
    @Nullable String from = event.from();
    String before = from == null ? "" : ", after " + from;
    Line line = info(event, "is worked by " + event.node() + before).with("node", event.node());
    (from == null ? line : line.with("from", from)).write();
  }

  private static void recovered(Event.Recovered event) {
    Line.info(
            event.type(),
            event.found() == 0
                ? "Nothing was left from before the start"
                : ("Of %d messages from before the start %d are delivered, %d go on, %d expired,"
                        + " %d failed; %d had an unknown outcome")
                    .formatted(
                        event.found(),
                        event.recovered(),
                        event.deferred(),
                        event.expired(),
                        event.failed(),
                        event.unknown()))
        .with("found", event.found())
        .with("recovered", event.recovered())
        .with("deferred", event.deferred())
        .with("expired", event.expired())
        .with("failed", event.failed())
        .with("unknown", event.unknown())
        .write();
  }

  private void deadLetter(Event.Ended event) {
    String status = event.status().name().toLowerCase(Locale.ROOT);
    String reason = event.reason() == null ? status : event.reason();
    crowd(event, "messages of %s are dead letters (%s)".formatted(event.account(), reason))
        .tell(
            "Message %s of %s is a dead letter (%s): %s"
                .formatted(
                    event.id(),
                    event.account(),
                    reason,
                    event.error() == null ? status : event.error()),
            line -> {
              line.with("id", event.id().toString()).with("status", status).with("reason", reason);
              if (event.error() != null) {
                line.with("error", event.error());
              }
            });
  }

  /** A run that pauses by itself waits for somebody; it is told once. */
  private void progress(Event.RunProgress event) {
    if (!event.status().equals("paused")) {
      pausedRuns.remove(event.run());
    } else if (pausedRuns.add(event.run())) {
      Line.warn(
              event.type(),
              "Run %s of '%s' is paused: %s"
                  .formatted(event.run(), event.name(), String.valueOf(event.reason())))
          .with("account", event.account())
          .with("runId", event.run().toString())
          .with("name", event.name())
          .with("status", event.status())
          .write();
    }
  }

  private void ended(Event.RunEnded event) {
    pausedRuns.remove(event.run());
    if (event.status().equals(event.before())) {
      return; // only its numbers are others
    }
    String which = "Run %s of '%s' ".formatted(event.run(), event.name());
    String before =
        event.before() == null
            ? "ended: "
            : "had ended as " + event.before() + "; the platform has said more since: ";
    String sentence = which + before + event.status() + ", " + event.summary();
    boolean fine = event.status().equals("success") || event.status().equals("cancelled");
    Line line = fine ? Line.info(event.type(), sentence) : Line.warn(event.type(), sentence);
    if (event.before() != null) {
      line.with("before", event.before());
    }
    line.with("account", event.account())
        .with("runId", event.run().toString())
        .with("name", event.name())
        .with("status", event.status())
        .with("total", event.total())
        .with("sent", event.sent())
        .with("failed", event.failed())
        .with("skipped", event.skipped())
        .write();
  }

  // ---- crowds

  private Crowd crowd(Event event, String several) {
    Kind kind = new Kind(event.type(), event.account(), several);
    return new Crowd(kind, repeats.first(kind, stopwatch.get()));
  }

  private record Crowd(Kind kind, boolean first) {
    void tell(String sentence, Consumer<Line> values) {
      if (first) {
        Line line = Line.warn(kind.type(), sentence).with("account", kind.account());
        values.accept(line);
        line.write();
      }
    }
  }
}
