package dev.postrider.channels.mattermost;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Mattermost's REST API, version 4, as the holder of one token sees it. Thread-safe. */
final class MattermostApi {
  static final String EXAMPLE = "https://chat.example.org";

  private static final String PATH = "/api/v4";
  private static final int LONGEST_LIST = 32 << 20;
  private static final int REMEMBERED = 10_000;

  private final HttpSender http;
  private final MattermostVerdict verdict;
  private final String base;
  private final String token;
  private volatile @Nullable Me me;

  /** The chats with people, by their id, of late. Guarded by itself. */
  private final Map<String, String> directs =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  MattermostApi(HttpSender http, MattermostVerdict verdict, Settings settings) {
    this.http = http;
    this.verdict = verdict;
    base = site(settings);
    token = settings.required("token");
    if (!token.matches("[\\x21-\\x7e]+")) {
      throw settings.wrong("token", "has characters that no token has");
    }
  }

  /** The address of the site. */
  static String site(Settings settings) {
    String site = settings.requiredWeb("baseUrl", EXAMPLE);
    if (site.endsWith(PATH)) {
      throw settings.wrong("baseUrl", "is the address of the site, without " + PATH);
    }
    return site;
  }

  /** Who holds the token. */
  record Me(String id, String name, boolean bot) {}

  /** The result of a call. */
  sealed interface Answer {
    /**
     * @param headers by lower-case name
     */
    record Done(JsonNode body, Map<String, String> headers) implements Answer {}

    /**
     * @param status zero if nobody has answered
     */
    record Failed(int status, Outcome outcome) implements Answer {}
  }

  /** What is named by an id, or why it could not be had. */
  sealed interface Named {
    record Known(String id) implements Named {}

    record Not(Outcome outcome) implements Named {}
  }

  HttpCall call(String method, String path) {
    return HttpCall.of(method, address(base, path)).bearer(token);
  }

  static URI address(String site, String path) {
    return URI.create(site + PATH + path);
  }

  /** Where the WebSocket is. */
  URI socket() {
    return URI.create(base.replaceFirst("^http", "ws") + PATH + "/websocket");
  }

  String token() {
    return token;
  }

  String base() {
    return base;
  }

  /** Makes a request whose answer is an object. */
  Answer ask(HttpCall call, Blame blame) {
    return ask(call, blame, false);
  }

  /** Asks for something that may be long. */
  Answer list(String path, boolean array) {
    return ask(call("GET", path).upTo(LONGEST_LIST), Blame.TARGET, array);
  }

  private Answer ask(HttpCall call, Blame blame, boolean array) {
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> new Answer.Failed(0, failed.outcome());
      case HttpResult.Response response -> {
        if (response.status() / 100 != 2) {
          yield new Answer.Failed(response.status(), verdict.refusal(response, blame));
        }
        JsonNode body = array ? Json.readArray(response.body()) : Json.readObject(response.body());
        yield body == null
            ? new Answer.Failed(response.status(), verdict.notMattermost(response))
            : new Answer.Done(body, response.headers());
      }
    };
  }

  /** Asks who holds the token. */
  Answer whoAmI() {
    Answer answer = ask(call("GET", "/users/me"), Blame.TARGET);
    if (answer instanceof Answer.Done(JsonNode body, _) && Json.text(body, "id") != null) {
      me =
          new Me(
              body.path("id").asString(""),
              body.path("username").asString(""),
              body.path("is_bot").asBoolean(false));
    }
    return answer;
  }

  /** Finds out who holds the token, once; gives why that could not be done, else null. */
  @Nullable Outcome introduce() {
    return me == null && named(whoAmI()) instanceof Named.Not(Outcome outcome) ? outcome : null;
  }

  /** Who holds the token, after {@link #introduce}. */
  Me me() {
    return Objects.requireNonNull(me);
  }

  /**
   * A person: by id, or by name, which is asked for every time, since names are given to others.
   *
   * @param person an id, {@code user:} and an id, or {@code @} and a name
   */
  Named person(String person) {
    if (!person.startsWith("@")) {
      return new Named.Known(Objects.requireNonNullElse(MattermostChannel.user(person), person));
    }
    String name = person.substring(1).toLowerCase(Locale.ROOT);
    return named(ask(call("GET", "/users/username/" + name), Blame.TARGET));
  }

  /** The chat with a person; nobody sees anything of it. */
  Named direct(String person) {
    return switch (person(person)) {
      case Named.Not not -> not;
      case Named.Known(String user) -> {
        String known;
        synchronized (directs) {
          known = directs.get(user);
        }
        yield known == null ? open(user) : new Named.Known(known);
      }
    };
  }

  private Named open(String user) {
    Outcome stranger = introduce();
    if (stranger != null) {
      return new Named.Not(stranger);
    }
    List<String> both = List.of(me().id(), user);
    Named chat = named(ask(call("POST", "/channels/direct").json(both), Blame.TARGET));
    if (chat instanceof Named.Known(String id)) {
      synchronized (directs) {
        directs.put(user, id);
      }
    }
    return chat;
  }

  /** Nothing was shown to anybody yet, however unclear the answer was. */
  private static Named named(Answer answer) {
    return switch (answer) {
      case Answer.Failed(_, Outcome outcome) -> new Named.Not(unseen(outcome));
      case Answer.Done(JsonNode body, _) -> {
        String id = body.path("id").asString("");
        yield id.isEmpty()
            ? new Named.Not(new Outcome.NotSent("Mattermost's answer has no id"))
            : new Named.Known(id);
      }
    };
  }

  static Outcome unseen(Outcome outcome) {
    return outcome instanceof Outcome.Unknown(String cause) ? new Outcome.NotSent(cause) : outcome;
  }
}
