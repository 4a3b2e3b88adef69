package dev.postrider.channels.matrix;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;

/** The way to one homeserver, as one user. Thread-safe. */
final class Homeserver implements AutoCloseable {
  private final String base;
  private final String token;
  private final HttpSender http;
  private final MatrixVerdict verdict;

  Homeserver(Settings settings, InstantSource clock) {
    base = settings.requiredWeb("baseUrl", "https://matrix.org");
    token = settings.required("token");
    verdict = new MatrixVerdict(PermanentErrors.of(settings), clock);
    http = HttpSender.of(settings, Secrets.of(token));
  }

  /** The result of a question. */
  sealed interface Answer {
    record Given(JsonNode body) implements Answer {}

    record Refused(Outcome outcome) implements Answer {}
  }

  /** A path of the client-server API, with whatever is put in for {@code %s} as one segment. */
  URI at(String path, String... segments) {
    Object[] encoded = new Object[segments.length];
    for (int i = 0; i < segments.length; i++) {
      encoded[i] = encoded(segments[i]);
    }
    return URI.create(base + "/_matrix/" + path.formatted(encoded));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Answer ask(HttpCall call) {
    return switch (http.send(call.bearer(token))) {
      case HttpResult.Response response -> {
        JsonNode body = response.status() == 200 ? Json.readObject(response.body()) : null;
        yield body == null ? new Answer.Refused(verdict.of(response)) : new Answer.Given(body);
      }
      case HttpResult.Failed failed -> new Answer.Refused(failed.outcome());
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
