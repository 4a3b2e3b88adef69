package dev.postrider.channels.feishu;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.channels.token.TokenSource.Result;
import java.net.URI;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** Asks Feishu something as an app. Thread-safe. */
final class FeishuApi implements AutoCloseable {

  /** What came of a request. */
  sealed interface Answer {
    record Done(JsonNode body) implements Answer {}

    record Failed(Outcome outcome) implements Answer {}
  }

  private final String base;
  private final HttpSender http;
  private final FeishuVerdict verdict;
  private final TokenSource tokens;

  FeishuApi(Settings settings, InstantSource clock) {
    base = FeishuToken.base(settings);
    http = HttpSender.of(settings, Secrets.of(settings.text("appSecret", "")));
    verdict = new FeishuVerdict(PermanentErrors.of(settings), clock);
    tokens = FeishuToken.source(settings, clock, verdict, http::send);
  }

  Answer get(String path) {
    return ask(HttpCall.get(at(path)), UnaryOperator.identity());
  }

  Answer post(String path, UnaryOperator<HttpCall> with) {
    return ask(HttpCall.post(at(path)), with);
  }

  private URI at(String path) {
    return URI.create(base + path);
  }

  /**
   * One request; two if the token is not taken, for then the first was not processed, and another
   * token may be.
   */
  private Answer ask(HttpCall call, UnaryOperator<HttpCall> with) {
    HttpCall whole = with.apply(call);
    return switch (tokens.get()) {
      case Result.Failed(Outcome outcome) -> new Answer.Failed(outcome);
      case Result.Good(TokenSource.Token token) -> {
        HttpResult first = http.send(whole.bearer(token.value()));
        if (!(first instanceof Response response && FeishuVerdict.isTokenRefused(response))) {
          yield read(first);
        }
        tokens.refused(token.value());
        yield switch (tokens.get()) {
          case Result.Failed(Outcome outcome) -> new Answer.Failed(outcome);
          case Result.Good(TokenSource.Token other) -> read(http.send(whole.bearer(other.value())));
        };
      }
    };
  }

  private Answer read(HttpResult result) {
    return switch (result) {
      case HttpResult.Failed failed -> new Answer.Failed(failed.outcome());
      case Response response -> {
        JsonNode body = FeishuVerdict.done(response);
        yield body == null ? new Answer.Failed(verdict.refusal(response)) : new Answer.Done(body);
      }
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
