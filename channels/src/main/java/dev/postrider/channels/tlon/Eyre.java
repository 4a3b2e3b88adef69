package dev.postrider.channels.tlon;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.verdict.ForeignAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The HTTP interface of a ship. Thread-safe. */
final class Eyre implements AutoCloseable {
  private static final Pattern COOKIE = Pattern.compile("(urbauth-(~[a-z-]+))=([^;,\\s]+)");
  private static final int LONGEST_ANSWER = 32 << 20;

  private final HttpSender http;
  private final InstantSource clock;
  private final String base;
  private final String code;
  private final Duration idle;

  Eyre(Settings settings, InstantSource clock) {
    this.clock = clock;
    base = settings.requiredWeb("baseUrl", "https://sampel-palnet.tlon.network");
    code = settings.required("code").strip();
    if (!code.matches("[a-z]{6}(-[a-z]{6}){3}")) {
      throw settings.wrong("code", "is not four words of six letters, as +code shows it");
    }
    idle = settings.duration("idle", Duration.ofSeconds(60));
    http = HttpSender.of(settings, Secrets.of(code));
  }

  /**
   * A login.
   *
   * @param cookie what every request shows
   * @param ship who we are, such as {@code ~sampel-palnet}
   */
  record Session(String cookie, String ship) {
    @Override
    public String toString() {
      return "Session[" + ship + "]";
    }
  }

  /** Whoever is logged in, or why nobody is: nothing was sent. */
  sealed interface Login {
    record In(Session session) implements Login {}

    record Out(Outcome outcome) implements Login {}
  }

  String host() {
    return String.valueOf(URI.create(base).getHost());
  }

  Login login() {
    HttpCall call = HttpCall.post(URI.create(base + "/~/login")).fields(Map.of("password", code));
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> new Login.Out(unseen(failed.outcome()));
      case Response response -> loggedIn(response);
    };
  }

  private Login loggedIn(Response response) {
    Matcher cookie = COOKIE.matcher(response.headers().getOrDefault("set-cookie", ""));
    if (response.status() / 100 == 2 && cookie.find()) {
      return new Login.In(new Session(cookie.group(1) + "=" + cookie.group(3), cookie.group(2)));
    }
    return new Login.Out(
        switch (response.status()) {
          case 400, 401, 403 ->
              new Outcome.AccountBroken(
                  response.status()
                      + ": the ship does not take the code; ask the ship for it again with +code");
          case 200, 204, 404 ->
              new Outcome.AccountBroken("there is no ship at this address; check baseUrl");
          default -> unseen(foreign(response));
        });
  }

  private static Outcome unseen(Outcome outcome) {
    return outcome instanceof Outcome.Unknown(String cause)
        ? new Outcome.Unreachable(cause)
        : outcome;
  }

  /** Ends a login that nobody needs any more; it does not matter if that fails. */
  void logout(Session session) {
    http.send(HttpCall.post(URI.create(base + "/~/logout")).header("Cookie", session.cookie()));
  }

  /** Gives actions to a channel, which begins with the first. */
  HttpResult put(Session session, String channel, Map<String, ?> action) {
    return http.send(
        HttpCall.put(channel(channel)).header("Cookie", session.cookie()).json(List.of(action)));
  }

  /** What the ship tells on a channel. */
  InputStream follow(Session session, String channel) throws IOException, InterruptedException {
    return http.follow(
        HttpCall.get(channel(channel))
            .header("Cookie", session.cookie())
            .header("Accept", "text/event-stream"),
        idle);
  }

  private URI channel(String name) {
    return URI.create(base + "/~/channel/" + name);
  }

  /** Reads something of an app's. */
  HttpResult scry(Session session, String app, String path) {
    return http.send(
        HttpCall.get(URI.create(base + "/~/scry/" + app + path + ".json"))
            .header("Cookie", session.cookie())
            .upTo(LONGEST_ANSWER));
  }

  Outcome foreign(Response response) {
    return new ForeignAnswer(clock, null, ThrottleScope.ACCOUNT, Set.of(404), "baseUrl")
        .read(response);
  }

  @Override
  public void close() {
    http.close();
  }
}
