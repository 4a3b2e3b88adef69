package dev.postrider.channels.line;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Sha256;
import dev.postrider.message.Fix;
import dev.postrider.message.Priority;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Lets messages of runs share requests. A bulk message to a user that cannot have arrived yet waits
 * a moment for others that say the same; then one multicast goes out, which reaches all of its
 * users or none. Each part gets the outcome as its own. Thread-safe.
 *
 * <h2>A repeat is the same request</h2>
 *
 * LINE knows a multicast by its key, and only as a whole. So it is written down before the request,
 * in one write: for the account, the users by the key; for each chat, the key by the part. A part
 * that comes back in doubt finds its request and makes it again; whoever comes back meanwhile waits
 * for the same answer, and for those that come later it is written down, too.
 *
 * <h2>What LINE did not take is crossed out</h2>
 *
 * After an answer that says so, the parts are free to share requests with others. Before any of
 * them hears of it the record is deleted: else a part that never hears, because its process dies,
 * would make a request again whose other users have got the message by another one. If the record
 * cannot be deleted, nobody hears, and all of them come back to the same request.
 *
 * <h2>Part by part</h2>
 *
 * The engine gives up waiting for single parts. A part that comes back while its request is on its
 * way waits for that one.
 */
final class LineMulticast {
  /** How many users LINE takes in one request. */
  static final int MOST = 500;

  /** A request is made when nobody has joined it for so long, or after so many looks. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private static final int LOOKS = 10;

  /** So long a repeat waits for the others that come back: their back-off varies. */
  private static final Duration COME_BACK = Duration.ofSeconds(1);

  /** Later than that, another process may have taken over what is here. */
  private static final Duration TOO_LATE = Duration.ofSeconds(5);

  private static final Pattern USER = Pattern.compile("U[0-9a-f]{32}");
  private static final String MEMORY = "multicast:";
  private static final String USERS = "users";
  private static final String RECEIPT = "receipt";

  /** Makes one request. */
  @FunctionalInterface
  interface Request {
    Outcome send(String key, LineRequest request, List<String> users);
  }

  /** Who is going to share a request. */
  private static final class Group {
    final LineRequest request;
    final Instant began;
    final Map<String, String> users = new LinkedHashMap<>(); // by the keys of their parts
    final CompletableFuture<Optional<Outcome>> outcome = new CompletableFuture<>();

    Group(LineRequest request, Instant began) {
      this.request = request;
      this.began = began;
    }
  }

  private final Memory memory;
  private final Scheduler time;
  private final Request line;
  private final Object lock = new Object();
  private final Map<LineRequest, Group> gathering = new HashMap<>();

  /** What is not known yet, by the keys of parts; of a repeat, by the key of the request. */
  private final Map<String, CompletableFuture<Optional<Outcome>>> awaited = new HashMap<>();

  LineMulticast(Memory memory, Scheduler time, Request line) {
    this.memory = memory;
    this.time = time;
    this.line = line;
  }

  /** The result of a part that shares a request, or has shared one; null if it goes out alone. */
  @Nullable Outcome send(Dispatch part, LineRequest request) {
    CompletableFuture<Optional<Outcome>> outcome =
        part.state().has(Fix.Alone.class) ? null : join(part, request);
    return outcome == null ? null : time.await(outcome).orElse(null);
  }

  private @Nullable CompletableFuture<Optional<Outcome>> join(Dispatch part, LineRequest request) {
    synchronized (lock) {
      CompletableFuture<Optional<Outcome>> underWay = awaited.get(part.key());
      if (underWay != null) {
        return underWay;
      }
      if (part.mayHaveArrivedAt() == null) {
        return mayShare(part, request) ? gather(part, request) : null;
      }
    }
    String key = memory.read(part.to(), MEMORY + part.key()).orElse(null);
    return key == null ? null : again(key, request);
  }

  /** Groups and rooms are no users, and somebody waits for live messages. */
  private static boolean mayShare(Dispatch part, LineRequest request) {
    return part.message().priority() == Priority.BULK
        && USER.matcher(part.to()).matches()
        && !request.quotes();
  }

  // ---- the first time

  private @Nullable CompletableFuture<Optional<Outcome>> gather(
      Dispatch part, LineRequest request) {
    Group group = gathering.get(request);
    if (group == null) {
      group = new Group(request, time.instant());
      gathering.put(request, group);
      lookAgain(group, 1, LOOKS);
    } else if (group.users.containsValue(part.to())) {
      return null; // outside its lane's order: one request names nobody twice
    }
    group.users.put(part.key(), part.to());
    awaited.put(part.key(), group.outcome);
    if (group.users.size() == MOST) {
      close(group);
    }
    return group.outcome;
  }

  private void lookAgain(Group group, int size, int looks) {
    time.after(LOOK_EVERY, () -> look(group, size, looks));
  }

  private void look(Group group, int before, int looks) {
    synchronized (lock) {
      if (gathering.get(group.request) == group) {
        if (group.users.size() == before || looks == 1) {
          close(group);
        } else {
          lookAgain(group, group.users.size(), looks - 1);
        }
      }
    }
  }

  private void close(Group group) {
    gathering.remove(group.request);
    finish(
        group.outcome,
        group.users.keySet(),
        () -> group.users.size() == 1 ? Optional.empty() : Optional.of(first(group)));
  }

  private Outcome first(Group group) {
    List<String> users = List.copyOf(group.users.values());
    String key = key(group.users.keySet());
    try {
      memory.write(record(group, key));
    } catch (NotSentException e) { // though it may have been stored
      return crossedOut(key, new Outcome.NotSent(String.valueOf(e.getMessage())));
    }
    if (time.instant().isAfter(group.began.plus(TOO_LATE))) {
      return crossedOut(key, new Outcome.NotSent("it took too long to store who gets it"));
    }
    Outcome outcome = line.send(key, group.request, users);
    return switch (outcome) {
      case Outcome.Delivered _, Outcome.Unknown _, Outcome.Hold _ -> outcome;
      case Outcome.Rejected rejected -> crossedOut(key, alone(rejected, users));
      case Outcome.Throttled _,
          Outcome.Unreachable _,
          Outcome.MediaUnreachable _,
          Outcome.NotSent _,
          Outcome.Repairable _,
          Outcome.AccountBroken _ ->
          crossedOut(key, outcome);
    };
  }

  private List<Remembered> record(Group group, String key) {
    Instant until = time.instant().plus(LineChannel.KEY_LASTS);
    List<Remembered> all = new ArrayList<>();
    all.add(
        Remembered.until(
            until, null, MEMORY + key, Json.write(Map.of(USERS, group.users.values()))));
    group.users.forEach((part, user) -> all.add(Remembered.until(until, user, MEMORY + part, key)));
    return all;
  }

  /** The same parts have the same key: they share a request again only if LINE took none. */
  private static String key(Collection<String> parts) {
    return LineRequest.retryKey(Sha256.hex(String.join(",", parts)));
  }

  /** LINE does not say whom it will not send to, and nobody has got it. */
  private static Outcome alone(Outcome.Rejected rejected, List<String> users) {
    return new Outcome.Repairable(
        new Fix.Alone(),
        rejected.cause() + " (for " + users.size() + " users at once; each alone from here on)");
  }

  private Outcome crossedOut(String key, Outcome notTaken) {
    try {
      memory.remove(null, MEMORY + key);
      return notTaken;
    } catch (NotSentException e) {
      return new Outcome.Unknown("LINE did not take it, and that could not be stored");
    }
  }

  // ---- in doubt

  private CompletableFuture<Optional<Outcome>> again(String key, LineRequest request) {
    CompletableFuture<Optional<Outcome>> outcome = new CompletableFuture<>();
    synchronized (lock) {
      CompletableFuture<Optional<Outcome>> underWay = awaited.putIfAbsent(key, outcome);
      if (underWay != null) {
        return underWay;
      }
      finish(outcome, List.of(key), () -> Optional.ofNullable(repeat(key, request)));
    }
    return outcome;
  }

  /** The result of the same request once more; null if it was crossed out. */
  private @Nullable Outcome repeat(String key, LineRequest request) {
    JsonNode record = memory.read(null, MEMORY + key).map(Json::readObject).orElse(null);
    if (record == null) {
      return null;
    }
    if (record.has(RECEIPT)) {
      return Outcome.delivered(record.path(RECEIPT).asString());
    }
    time.pause(COME_BACK);
    List<String> users = record.path(USERS).valueStream().map(JsonNode::asString).toList();
    return switch (line.send(key, request, users)) {
      case Outcome.Delivered(Receipt receipt, _, _, _) -> written(key, receipt);
      case Outcome.Rejected rejected -> crossedOut(key, alone(rejected, users));
      // Whatever keeps LINE from looking at the key says nothing about the first time.
      case Outcome.Repairable(_, String cause) -> new Outcome.Unknown(cause);
      case Outcome other -> other;
    };
  }

  /** For those of the group that come back later. */
  private Outcome written(String key, Receipt receipt) {
    Instant until = time.instant().plus(LineChannel.KEY_LASTS);
    try {
      memory.write(
          Remembered.until(until, null, MEMORY + key, Json.write(Map.of(RECEIPT, receipt.id()))));
    } catch (NotSentException e) { // they will ask LINE themselves
      return new Outcome.Delivered(receipt);
    }
    return new Outcome.Delivered(receipt);
  }

  /** Works an outcome out as a task of its own: nobody who gives up waiting stops it. */
  private void finish(
      CompletableFuture<Optional<Outcome>> outcome,
      Collection<String> keys,
      Supplier<Optional<Outcome>> work) {
    time.start(
        "multicast",
        () -> {
          try {
            Optional<Outcome> result = work.get();
            forget(keys);
            outcome.complete(result);
          } catch (RuntimeException | Error e) {
            forget(keys);
            outcome.completeExceptionally(e);
          }
        });
  }

  private void forget(Collection<String> keys) {
    synchronized (lock) {
      awaited.keySet().removeAll(keys);
    }
  }
}
