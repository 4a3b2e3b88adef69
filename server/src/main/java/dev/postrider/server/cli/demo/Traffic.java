package dev.postrider.server.cli.demo;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Values;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Hands messages in, numbered by chat. A message counts once it is accepted; until then it is
 * handed in again, under the same key, before any other.
 */
final class Traffic {
  private static final String ACCOUNT = "demo";
  private static final int CHATS = 20;
  private static final int ONE_IN = 10;
  private static final int PER_MINUTE = 3_000; // real groups would get 40
  private static final long SEED = 7;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<String, Integer> accepted = new LinkedHashMap<>();
  private final Set<Act.Kind> begun = EnumSet.noneOf(Act.Kind.class);
  private @Nullable Values pending;
  private String chat = "";

  /** How many messages of each chat were accepted: they have the numbers from 1 on. */
  Map<String, Integer> accepted() {
    return accepted;
  }

  void begin(Act.Kind kind) {
    begun.add(kind);
  }

  /** The account is refused from this message on, until the platform is asked about it. */
  void breakAccount(Client client) {
    handIn(client, "#broken");
  }

  /** The platform is asked, and takes the account again. */
  void repairAccount(Client client) {
    client.post(Client.path("accounts", ACCOUNT, "check"), null);
  }

  /** Hands one message in; while no server answers, the one that waits stays the next. */
  void step(Client client) {
    if (begun.contains(Act.Kind.TRAFFIC) && !begun.contains(Act.Kind.QUIET)) {
      handIn(client, trick());
    }
  }

  private String trick() {
    if (begun.contains(Act.Kind.FLAKY) && random.nextInt(ONE_IN) == 0) {
      return "#flaky";
    }
    return begun.contains(Act.Kind.THROTTLE) && random.nextInt(ONE_IN) == 0 ? "#throttle" : "";
  }

  private void handIn(Client client, String trick) {
    Values message = pending;
    if (message == null) {
      chat = "chat-" + (1 + random.nextInt(CHATS));
      int number = accepted.getOrDefault(chat, 0) + 1;
      message =
          Values.of("account", ACCOUNT)
              .and("to", chat)
              .and("text", (number + ": good news " + trick).strip())
              .and("idempotencyKey", chat + "/" + number);
      pending = message;
    }
    try {
      client.post("/v1/messages", message.body());
      accepted.merge(chat, 1, Integer::sum);
      pending = null;
    } catch (Failure e) {
      if (e.exitCode() != Failure.NOT_REACHABLE) {
        throw e;
      }
    }
  }

  /** A reminder to so many groups, fired at once. */
  void remind(Client client, int groups) {
    List<Map<String, String>> targets =
        IntStream.rangeClosed(1, groups).mapToObj(n -> Map.of("to", "group-" + n)).toList();
    LocalTime now = LocalTime.now(ZoneOffset.UTC); // its window is open now
    JsonNode reminder =
        client.post(
            "/v1/reminders",
            Values.of("name", "Demo")
                .and("account", ACCOUNT)
                .and("timezone", "UTC")
                .and("perMinute", PER_MINUTE)
                .and(
                    "window",
                    Map.of("start", hour(now.minusHours(1)), "end", hour(now.plusHours(3))))
                .and("targets", targets)
                .and("messages", List.of(Map.of("text", "1: the meeting begins at nine")))
                .body());
    client.post(Client.path("reminders", reminder.path("id").asString(), "fire"), null);
    targets.forEach(target -> accepted.put(target.getOrDefault("to", ""), 1));
  }

  private static String hour(LocalTime time) {
    return "%02d:00".formatted(time.getHour());
  }
}
