package dev.postrider.channels.matrix;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.matrix.Homeserver.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps plain text out of rooms whose members believe that nobody else can read them. A room that
 * is encrypted stays so for good; one that is not is asked again after a while. Thread-safe.
 */
final class RoomEncryption {
  private static final Duration KNOWN_FOR = Duration.ofMinutes(10);
  private static final int ROOMS = 10_000;
  private static final Instant FOR_GOOD = Instant.MAX;

  private final Homeserver server;
  private final InstantSource clock;

  /** Until when a room is known to be plain, or that it is encrypted. Guarded by itself. */
  private final Map<String, Instant> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          return size() > ROOMS;
        }
      };

  RoomEncryption(Homeserver server, InstantSource clock) {
    this.server = server;
    this.clock = clock;
  }

  /** Why nothing may be written into a room, or null. */
  @Nullable Outcome obstacle(String room) {
    Instant until;
    synchronized (known) {
      until = known.get(room);
    }
    if (FOR_GOOD.equals(until)) {
      return refusal();
    }
    return until == null || !clock.instant().isBefore(until) ? ask(room) : null;
  }

  private @Nullable Outcome ask(String room) {
    HttpCall call = HttpCall.get(server.at("client/v3/rooms/%s/state/m.room.encryption", room));
    return switch (server.ask(call)) {
      case Answer.Given _ -> {
        isEncrypted(room);
        yield refusal();
      }
      case Answer.Refused(Outcome.Rejected(Blame blame, String cause))
          when blame == Blame.TARGET -> {
        // No such state; or no such room, of which the message itself will hear.
        if (cause.startsWith("M_NOT_FOUND")) {
          synchronized (known) {
            known.put(room, clock.instant().plus(KNOWN_FOR));
          }
        }
        yield null;
      }
      case Answer.Refused(Outcome.Unknown(String cause)) -> new Outcome.NotSent(cause);
      case Answer.Refused(Outcome outcome) -> outcome;
    };
  }

  /** Somebody has said so, or sends what is encrypted. */
  void isEncrypted(String room) {
    synchronized (known) {
      known.put(room, FOR_GOOD);
    }
  }

  private static Outcome refusal() {
    return new Outcome.Rejected(
        Blame.TARGET,
        "the room is encrypted, and Postrider cannot encrypt; write to a room that is not, or allow"
            + " it with the account's setting plainInEncryptedRooms");
  }
}
