package dev.postrider.channels.signal;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.socket.EventStream;
import dev.postrider.channels.socket.EventStream.Event;
import dev.postrider.channels.verdict.ForeignAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** {@code signal-cli daemon --http}: a request for each question, and a stream of events. */
final class HttpDaemon implements Daemon {
  /** Answers that only a wrong address gets: signal-cli itself says everything with 200. */
  private static final Set<Integer> ELSEWHERE = Set.of(401, 403, 404, 405, 415, 421);

  private final HttpSender http;
  private final String base;
  private final String number;
  private final Duration idle;
  private final int longest;
  private final ForeignAnswer foreign;

  /**
   * @param longest bytes that an answer, or an event, may have
   */
  HttpDaemon(Settings settings, Secrets secrets, InstantSource clock, int longest) {
    http = HttpSender.of(settings, secrets);
    base = settings.requiredWeb("baseUrl", "http://127.0.0.1:8080");
    number = settings.required("number");
    idle = settings.duration("idle", SignalChannel.IDLE);
    this.longest = longest;
    foreign =
        new ForeignAnswer(
            clock, null, ThrottleScope.ACCOUNT, ELSEWHERE, "whether baseUrl is signal-cli's");
  }

  @Override
  public Reply ask(String method, Map<String, ?> params) {
    Map<String, Object> question = new LinkedHashMap<>();
    question.put("jsonrpc", "2.0");
    question.put("id", "1"); // a request has one question, and the connection no other
    question.put("method", method);
    question.put("params", params);
    HttpCall call = HttpCall.post(URI.create(base + "/api/v1/rpc")).json(question).upTo(longest);
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> new Reply.Failed(failed.outcome());
      case HttpResult.Response response -> read(response);
    };
  }

  @Override
  public Reply askOnce(String method, Map<String, ?> params) {
    return ask(method, params);
  }

  private Reply read(HttpResult.Response response) {
    JsonNode body = response.status() == 200 ? Json.readObject(response.body()) : null;
    if (body == null || !(body.has("result") || body.has("error"))) {
      return new Reply.Failed(
          response.status() == 421
              ? new Outcome.AccountBroken(
                  "signal-cli does not answer to this host name (421); let baseUrl name the host"
                      + " as its --http option does, or localhost")
              : foreign.read(response));
    }
    return LineDaemon.read(body);
  }

  @Override
  public void listen(Ear ear) throws IOException, InterruptedException {
    String whose = URLEncoder.encode(number, StandardCharsets.UTF_8);
    HttpCall call = HttpCall.get(URI.create(base + "/api/v1/events?account=" + whose));
    try (EventStream events = new EventStream(follow(call), longest)) {
      ear.connected();
      for (Event event = events.next(); event != null; event = events.next()) {
        JsonNode received = Json.readObject(event.data());
        if (event.type().equals("receive") && received != null) {
          ear.heard(received);
        }
      }
    } catch (IOException e) {
      if (Thread.interrupted()) { // the stream tells it as a fault of its own
        throw new InterruptedException();
      }
      throw e;
    }
    throw new IOException("signal-cli has ended the stream of events");
  }

  private InputStream follow(HttpCall call) throws IOException, InterruptedException {
    try {
      return http.follow(call, idle);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains(": 400")) {
        throw new ListeningRefused(
            "signal-cli does not have the account " + number + "; register or link it there");
      }
      throw e;
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
