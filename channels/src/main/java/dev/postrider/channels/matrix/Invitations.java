package dev.postrider.channels.matrix;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.matrix.Homeserver.Answer;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Rooms that we are asked into and have not joined yet. One that cannot be joined now is tried
 * again, when the homeserver allows, or after a pause that grows to a minute. For one thread.
 */
final class Invitations {
  private static final Logger log = LoggerFactory.getLogger(Invitations.class);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Homeserver server;
  private final Set<String> open = new LinkedHashSet<>();
  private Duration pause = SHORTEST;
  private long notBefore = System.nanoTime();

  Invitations(Homeserver server) {
    this.server = server;
  }

  /** Reads what a sync says of invitations: made, taken back, accepted. */
  void note(JsonNode answer) {
    JsonNode rooms = answer.path("rooms");
    open.removeAll(rooms.path("leave").propertyNames());
    open.removeAll(rooms.path("join").propertyNames());
    open.addAll(rooms.path("invite").propertyNames());
  }

  /** Joins the rooms, until the homeserver has had enough. */
  void accept() {
    if (notBefore - System.nanoTime() > 0) {
      return;
    }
    for (Iterator<String> rooms = open.iterator(); rooms.hasNext(); ) {
      String room = rooms.next();
      HttpCall call = HttpCall.post(server.at("client/v3/rooms/%s/join", room)).json(Map.of());
      switch (server.ask(call)) {
        case Answer.Given _ -> {
          rooms.remove();
          pause = SHORTEST;
        }
        case Answer.Refused(Outcome.Throttled(_, Duration delay, _)) -> {
          again(delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay);
          return;
        }
        case Answer.Refused(Outcome.Rejected rejected) -> {
          log.warn("Room {}: an invitation cannot be accepted: {}", room, rejected.cause());
          rooms.remove();
        }
        case Answer.Refused(Outcome outcome) -> {
          log.info("Room {}: an invitation is accepted later: {}", room, outcome);
          again(pause);
          pause = pause.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : pause.multipliedBy(2);
          return;
        }
      }
    }
  }

  private void again(Duration delay) {
    notBefore = System.nanoTime() + delay.toNanos();
  }

  /** How long a question may wait for its answer: no longer than until the next try. */
  Duration patience(Duration usual) {
    Duration left = Duration.ofNanos(Math.max(0, notBefore - System.nanoTime()));
    return open.isEmpty() || left.compareTo(usual) > 0 ? usual : left;
  }
}
