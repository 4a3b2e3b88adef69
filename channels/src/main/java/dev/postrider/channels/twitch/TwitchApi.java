package dev.postrider.channels.twitch;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.twitch.TwitchLogin.Session;
import dev.postrider.channels.twitch.TwitchLogin.State;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Helix, as one app and one token see it. Thread-safe. */
final class TwitchApi {
  /** Twitch gives the name of one who left to another after months. */
  private static final Duration NAMES_LAST = Duration.ofHours(1);

  private static final int MOST_NAMES = 10_000;

  private final HttpSender http;
  private final TwitchLogin login;
  private final TwitchVerdict verdict;
  private final InstantSource clock;
  private final String base;

  /** The users behind names, of late. Guarded by itself. */
  private final Map<String, Known> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > MOST_NAMES;
        }
      };

  private record Known(String id, Instant since) {}

  TwitchApi(
      HttpSender http,
      TwitchLogin login,
      TwitchVerdict verdict,
      InstantSource clock,
      Settings settings) {
    this.http = http;
    this.login = login;
    this.verdict = verdict;
    this.clock = clock;
    base = settings.web("baseUrl", "https://api.twitch.tv/helix");
  }

  /** An answer of Twitch's, or the outcome of whatever it was asked for. */
  sealed interface Answer {
    record Came(Response response, Session session) implements Answer {}

    record None(Outcome outcome) implements Answer {}
  }

  /** A user, or why there is none. */
  sealed interface User {
    record Found(String id) implements User {}

    record Not(Outcome outcome) implements User {}
  }

  /**
   * Makes a request with a token that is good, as far as anybody knows.
   *
   * @param scope what the token must allow; null if any will do
   */
  Answer ask(@Nullable String scope, BiFunction<String, Session, HttpCall> request) {
    return switch (login.state()) {
      case State.Out(Outcome outcome) -> new Answer.None(outcome);
      case State.In(Session session)
          when scope != null && session.lacks(scope) instanceof String missing ->
          new Answer.None(new Outcome.AccountBroken(missing));
      case State.In(Session session) ->
          switch (http.send(
              request
                  .apply(base, session)
                  .bearer(session.token())
                  .header("Client-Id", login.clientId()))) {
            case HttpResult.Failed failed -> new Answer.None(failed.outcome());
            case Response response -> answered(response, session);
          };
    };
  }

  private Answer answered(Response response, Session session) {
    Response clean =
        new Response(
            response.status(),
            response.headers(),
            Secrets.of(session.token()).scrub(response.body()),
            response.whole());
    if (TwitchVerdict.refusesToken(clean)) {
      return new Answer.None(login.refused(session.token(), TwitchVerdict.cause(clean)));
    }
    login.passed();
    return new Answer.Came(clean, session);
  }

  /** The user whose chat it is: by id, or by {@code #} and a name. */
  User broadcaster(String chat) {
    if (!chat.startsWith("#")) {
      return new User.Found(chat);
    }
    synchronized (names) {
      Known known = names.get(chat);
      if (known != null && clock.instant().isBefore(known.since().plus(NAMES_LAST))) {
        return new User.Found(known.id());
      }
    }
    String name = chat.substring(1);
    return switch (ask(
        null, (site, _) -> HttpCall.get(URI.create(site + "/users?login=" + name)))) {
      case Answer.None(Outcome outcome) -> new User.Not(TwitchLogin.unseen(outcome));
      case Answer.Came(Response response, _) -> named(chat, response);
    };
  }

  private User named(String chat, Response response) {
    JsonNode body =
        response.status() == 200 && response.whole() ? Json.readObject(response.body()) : null;
    if (body == null || !body.path("data").isArray()) {
      return new User.Not(TwitchLogin.unseen(verdict.refusal(response)));
    }
    String id = Json.text(body.path("data").path(0), "id");
    if (id == null) {
      return new User.Not(
          new Outcome.Rejected(Blame.TARGET, "nobody on Twitch is called " + chat.substring(1)));
    }
    synchronized (names) {
      names.put(chat, new Known(id, clock.instant()));
    }
    return new User.Found(id);
  }
}
