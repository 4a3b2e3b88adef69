package dev.postrider.channels.zalo;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.FloodWatch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.problem.InvalidInput;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** One bot's connection. Thread-safe. */
final class BotLink implements Link {
  private static final int NOTHING_NEW = 408;
  private static final Duration POLL = Duration.ofSeconds(30);
  private static final Duration BETWEEN_POLLS = Duration.ofSeconds(1);

  private final String base;
  private final boolean polling;
  private final boolean hears;
  private final HttpSender http;
  private final BotVerdict verdict;
  private final FloodWatch floods;

  BotLink(Settings settings, InstantSource clock) {
    String token = settings.required("token");
    // Encoded, so that even a mangled token makes an address, and Zalo gets to refuse it.
    base =
        settings.web("baseUrl", "https://bot-api.zaloplatforms.com")
            + "/bot"
            + URLEncoder.encode(token, StandardCharsets.UTF_8).replace("%3A", ":")
            + "/";
    polling = settings.flag("polling", false);
    hears = !polling && !settings.text("webhookSecret", "").isEmpty();
    if (!List.of("plain", "styles").contains(settings.text("markup", "plain"))) {
      throw settings.wrong("markup", "is neither plain nor styles");
    }
    verdict = new BotVerdict(PermanentErrors.of(settings), clock);
    floods = new FloodWatch(clock);
    // The part before the colon is the bot's public id; what follows is secret on its own.
    http = HttpSender.of(settings, Secrets.of(token, token.substring(token.indexOf(':') + 1)));
  }

  private HttpCall call(String method) {
    return HttpCall.post(URI.create(base + method));
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    try {
      BotRequest request = BotRequest.of(dispatch);
      Outcome outcome =
          switch (http.send(call(request.method()).json(request.fields()))) {
            case HttpResult.Response response -> verdict.of(response, dispatch);
            case HttpResult.Failed failed -> failed.outcome();
          };
      return floods.widen(outcome, dispatch.to());
    } catch (InvalidInput e) {
      return new Outcome.Rejected(Blame.MESSAGE, e.first().toString());
    }
  }

  /** That somebody is typing may be said twice. */
  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return part.channelData().containsKey("action") ? Capabilities.FOR_GOOD : usual;
  }

  @Override
  public boolean listens() {
    return polling;
  }

  /**
   * Asks for updates, of which Zalo gives one at a time. There is no way to confirm one: what Zalo
   * has answered with is gone there.
   */
  @Override
  public void listen(InboundSink inlet) throws IOException {
    Duration patience = BETWEEN_POLLS; // the first answer tells whether we hear at all
    while (!Thread.currentThread().isInterrupted()) {
      HttpCall call =
          call("getUpdates")
              .json(Map.of("timeout", Long.toString(patience.toSeconds())))
              .waiting(patience);
      JsonNode result = updates(http.send(call));
      patience = POLL;
      inlet.connected();
      List<InboundMessage> arrivals = BotUpdates.read(result);
      if (!arrivals.isEmpty()) {
        inlet.take(arrivals, List.of(), null);
      } else if (result.isEmpty() && !inlet.pause(BETWEEN_POLLS)) {
        return;
      }
    }
  }

  private static JsonNode updates(HttpResult result) throws IOException {
    return switch (result) {
      case HttpResult.Response response -> {
        JsonNode body = Json.readObject(response.body());
        if (body != null && body.path("ok").asBoolean(false)) {
          yield body.path("result");
        }
        int code = body == null ? response.status() : BotVerdict.code(body, response.status());
        if (code == NOTHING_NEW && body != null) {
          yield body.path("result");
        }
        String cause = "getUpdates: " + code + " " + response.excerpt();
        if (code == 401) {
          throw new ListeningRefused(cause + "; check token");
        }
        if (code == 400 && response.body().toLowerCase(Locale.ROOT).contains("webhook")) {
          throw new ListeningRefused(
              cause + "; the bot has a webhook: delete it (deleteWebhook), or leave polling out");
        }
        throw new IOException(cause);
      }
      case HttpResult.Failed failed -> throw new IOException(failed.cause());
    };
  }

  @Override
  public Probe probe() {
    return switch (http.send(call("getMe").json(Map.of()))) {
      case HttpResult.Response response -> {
        Probe probe = Probe.of(verdict.of(response, null), identity(response.body()));
        yield probe instanceof Probe.Healthy(String identity) && hears
            ? new Probe.Healthy(identity + webhook())
            : probe;
      }
      case HttpResult.Failed failed -> new Probe.Unreachable(failed.cause());
    };
  }

  /** What keeps Zalo from telling us anything; empty if nothing does, as far as Zalo says. */
  private String webhook() {
    JsonNode body =
        http.send(call("getWebhookInfo").json(Map.of())) instanceof HttpResult.Response response
            ? Json.readObject(response.body())
            : null;
    return body != null
            && body.path("ok").asBoolean(false)
            && body.path("result").path("url").asString("").isEmpty()
        ? "; Zalo knows no webhook of this bot: tell it (setWebhook)"
        : "";
  }

  private static String identity(String text) {
    JsonNode body = Json.readObject(text);
    JsonNode bot = body == null ? Json.tree(Map.of()) : body.path("result");
    return bot.path("account_name")
        .asString(bot.path("name").asString(bot.path("id").asString("")));
  }

  @Override
  public void close() {
    http.close();
  }
}
