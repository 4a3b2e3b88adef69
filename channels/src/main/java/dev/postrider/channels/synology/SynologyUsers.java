package dev.postrider.channels.synology;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Who a name is. The number that an outgoing webhook tells of a person is not the one that a bot
 * has to name, so people are known by their names, and the number is looked up. Whom a name does
 * not tell for certain gets nothing: it might be for somebody else. Thread-safe.
 */
final class SynologyUsers {
  private static final int LONGEST_LIST = 1 << 20;
  private static final Duration FRESH = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private record User(long id, String username, String nickname) {
    boolean isCalled(String name) {
      return username.equals(name) || nickname.equals(name);
    }
  }

  /** The result of a question. */
  sealed interface Answer {
    record Found(long id) implements Answer {}

    record Failed(Outcome outcome) implements Answer {}
  }

  private final HttpSender http;
  private final ChatAddress address;
  private final SynologyVerdict verdict;
  private final InstantSource clock;
  private List<User> users = List.of();
  private @Nullable Instant askedAt;

  SynologyUsers(
      HttpSender http, ChatAddress address, SynologyVerdict verdict, InstantSource clock) {
    this.http = http;
    this.address = address;
    this.verdict = verdict;
    this.clock = clock;
  }

  /** The number of a user, who is named by it or by {@code @name}. */
  synchronized Answer find(String to) {
    if (!to.startsWith("@")) {
      return new Answer.Found(Long.parseLong(to));
    }
    String name = lower(to.substring(1));
    List<User> called = isOlderThan(FRESH) ? List.of() : called(name);
    if (called.isEmpty() && isOlderThan(PAUSE)) {
      Outcome failure = ask();
      if (failure != null) {
        return new Answer.Failed(failure);
      }
      called = called(name);
    }
    return switch (called.size()) {
      case 0 -> nobody("Chat knows nobody called " + to + "; people are @username or @nickname");
      case 1 -> new Answer.Found(called.getFirst().id());
      default ->
          nobody(
              "several people are called %s; write to one by number: %s"
                  .formatted(to, called.stream().map(User::id).toList()));
    };
  }

  private static Answer nobody(String cause) {
    return new Answer.Failed(new Outcome.Rejected(Blame.TARGET, cause));
  }

  private boolean isOlderThan(Duration age) {
    return askedAt == null || !askedAt.plus(age).isAfter(clock.instant());
  }

  private List<User> called(String name) {
    return users.stream().filter(user -> user.isCalled(name)).toList();
  }

  /** Asks the NAS for all users; gives why that failed, or null. */
  synchronized @Nullable Outcome ask() {
    HttpCall call = HttpCall.get(address.method("user_list")).upTo(LONGEST_LIST);
    return switch (http.send(call)) {
      // Nothing is posted by asking.
      case HttpResult.Unknown(String cause) -> new Outcome.NotSent(cause);
      case HttpResult.Failed failed -> failed.outcome();
      case HttpResult.Response response -> take(response);
    };
  }

  private @Nullable Outcome take(HttpResult.Response response) {
    JsonNode body = SynologyVerdict.answer(response);
    if (body == null) {
      Outcome outcome = verdict.foreign(response);
      return outcome instanceof Outcome.Unknown(String cause)
          ? new Outcome.NotSent(cause)
          : outcome;
    }
    if (!body.path("success").booleanValue()) {
      return verdict.refusal(body);
    }
    List<User> told = new ArrayList<>();
    for (JsonNode user : body.path("data").path("users").values()) {
      if (user.path("user_id").canConvertToLong() && !user.path("deleted").asBoolean(false)) {
        told.add(
            new User(
                user.path("user_id").asLong(),
                lower(user.path("username").asString("")),
                lower(user.path("nickname").asString(""))));
      }
    }
    users = told;
    askedAt = clock.instant();
    return null;
  }

  synchronized int count() {
    return users.size();
  }

  private static String lower(String name) {
    return name.strip().toLowerCase(Locale.ROOT);
  }
}
