package dev.postrider.channels.slack;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Slack's Web API as the holder of one token sees it. Thread-safe. */
final class SlackApi {
  static final String HOME = "https://slack.com/api";
  static final String POST = "chat.postMessage";

  private final HttpSender http;
  private final SlackVerdict verdict;
  private final String token;
  private final URI base;

  SlackApi(HttpSender http, SlackVerdict verdict, Settings settings, String token) {
    this.http = http;
    this.verdict = verdict;
    this.token = token;
    base = URI.create(settings.web("baseUrl", HOME) + "/");
  }

  /** The result of a call. */
  sealed interface Answer {
    record Done(JsonNode body) implements Answer {}

    record Failed(Outcome outcome) implements Answer {}
  }

  /** Calls a method that writes. */
  Answer write(String method, Map<String, ?> arguments) {
    // Named, or Slack warns in every answer.
    return answer(
        method, call(method).text("application/json; charset=utf-8", Json.write(arguments)));
  }

  /** Calls a method of the other kind: those do not read JSON. */
  Answer read(String method, Map<String, ? extends @Nullable Object> arguments) {
    return answer(method, call(method).fields(arguments));
  }

  /**
   * Slack counts what is posted by the channel, and every other method by the app and its
   * workspace, which is the account.
   */
  private Answer answer(String method, HttpCall call) {
    Answer answer = verdict.of(http.send(call));
    return !method.equals(POST)
            && answer instanceof Answer.Failed(Outcome.Throttled(_, Duration delay, String cause))
        ? new Answer.Failed(
            new Outcome.Throttled(ThrottleScope.ACCOUNT, delay, cause + " for " + method))
        : answer;
  }

  /** Has Slack name the channel between a person and the bot; nobody sees anything of it. */
  Answer open(String person) {
    return write("conversations.open", Map.of("users", person));
  }

  static String channel(JsonNode opened) {
    return opened.path("channel").path("id").asString("");
  }

  private HttpCall call(String method) {
    return HttpCall.post(base.resolve(method)).bearer(token);
  }
}
