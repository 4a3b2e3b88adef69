package dev.postrider.channels.telegram;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.FloodWatch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Multipart;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** One bot's connection. Thread-safe. */
final class TelegramLink implements Link {
  private static final List<String> METHODS =
      List.of(
          "getMe",
          "getUpdates",
          "sendMessage",
          "sendPhoto",
          "sendVideo",
          "sendAnimation",
          "sendAudio",
          "sendVoice",
          "sendDocument",
          "sendMediaGroup");

  private static final Duration POLL = Duration.ofSeconds(50);
  private static final int LONGEST_UPDATES = 8 << 20;

  /** Reactions come only to who asks for them by name, and whoever names one names all. */
  private static final List<String> UPDATES =
      List.of(
          "message",
          "edited_message",
          "channel_post",
          "edited_channel_post",
          "business_message",
          "edited_business_message",
          "callback_query",
          "message_reaction",
          "my_chat_member",
          "chat_member");

  private final Map<String, URI> methods;
  private final boolean polling;
  private final HttpSender http;
  private final TelegramVerdict verdict;
  private final FloodWatch floods;
  private volatile boolean contested; // whether somebody else polls with our token

  TelegramLink(Settings settings, InstantSource clock) {
    methods =
        Stream.concat(METHODS.stream(), ChosenMethod.NAMES.stream())
            .collect(Collectors.toMap(Function.identity(), name -> uri(settings, "/bot", name)));
    polling = settings.flag("polling", false);
    verdict = new TelegramVerdict(PermanentErrors.of(settings), clock);
    floods = new FloodWatch(clock);
    http = HttpSender.of(settings, secrets(settings));
  }

  static Secrets secrets(Settings settings) {
    String token = settings.required("token");
    // The part before the colon is the bot's public id; what follows is secret on its own.
    return Secrets.of(token, token.substring(token.indexOf(':') + 1));
  }

  static URI uri(Settings settings, String place, String name) {
    String token = settings.required("token");
    String base = settings.web("baseUrl", "https://api.telegram.org");
    // Encoded, so that even a mangled token makes an address, and Telegram gets to refuse it.
    String bot = URLEncoder.encode(token, StandardCharsets.UTF_8).replace("%3A", ":");
    return URI.create(base + place + bot + "/" + name);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    return switch (TelegramRequest.of(dispatch)) {
      case TelegramRequest.Impossible(Outcome outcome) -> outcome;
      case TelegramRequest.Call call ->
          floods.widen(outcome(post(call, dispatch.key()), dispatch.cargo()), dispatch.to());
    };
  }

  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return ChosenMethod.isRepeatable(part) ? Capabilities.FOR_GOOD : usual;
  }

  private HttpResult post(TelegramRequest.Call call, String key) {
    URI uri = uri(call.method());
    if (call.files().isEmpty()) {
      return http.send(HttpCall.post(uri).json(call.fields()));
    }
    Multipart.Builder form = Multipart.builder(key);
    call.fields()
        .forEach(
            (name, value) ->
                form.field(name, value instanceof String text ? text : Json.write(value)));
    call.files()
        .forEach((name, file) -> form.file(name, file.filename(), file.type(), file.bytes()));
    return http.send(HttpCall.post(uri).form(form.build()));
  }

  private URI uri(String method) {
    return Objects.requireNonNull(methods.get(method), method);
  }

  private Outcome outcome(HttpResult result, List<PartFile> files) {
    return switch (result) {
      case HttpResult.Response response -> verdict.of(response, files);
      case HttpResult.Failed failed -> failed.outcome();
    };
  }

  @Override
  public boolean listens() {
    return polling;
  }

  /** Asks for updates; those that were handed in are confirmed by asking for what follows them. */
  @Override
  public void listen(InboundSink inlet) throws IOException {
    String cursor = inlet.cursor();
    long next = cursor == null ? 0 : Long.parseLong(cursor);
    // The first question is not to be waited for: it tells whether we hear at all. Not so if
    // somebody else asks too; then each question of ours ends one of theirs, and only one that was
    // waited for in peace tells that we are alone.
    Duration patience = contested ? POLL : Duration.ZERO;
    while (!Thread.currentThread().isInterrupted()) {
      HttpCall call =
          HttpCall.post(uri("getUpdates"))
              .json(
                  Map.of(
                      "offset", next, "timeout", patience.toSeconds(), "allowed_updates", UPDATES))
              .waiting(patience)
              .upTo(LONGEST_UPDATES);
      JsonNode updates = updates(http.send(call));
      contested = false;
      patience = POLL;
      inlet.connected();
      List<InboundMessage> arrivals = new ArrayList<>();
      for (JsonNode update : updates) {
        InboundMessage arrival = TelegramUpdates.read(update);
        if (arrival != null) {
          arrivals.add(arrival);
          next = Math.max(next, update.path("update_id").asLong(0) + 1);
        }
      }
      if (!arrivals.isEmpty()) {
        inlet.take(arrivals, List.of(), Long.toString(next));
      }
    }
  }

  private JsonNode updates(HttpResult result) throws IOException {
    return switch (result) {
      case HttpResult.Response response -> {
        contested = response.status() == 409;
        JsonNode body = Json.readObject(response.body());
        if (response.status() == 401) {
          throw new ListeningRefused("getUpdates: 401 " + response.excerpt() + "; check the token");
        }
        if (body == null || !body.path("ok").asBoolean(false)) {
          throw new IOException("getUpdates: " + response.status() + " " + response.excerpt());
        }
        yield body.path("result");
      }
      case HttpResult.Failed failed -> throw new IOException(failed.cause());
    };
  }

  @Override
  public Probe probe() {
    HttpResult result = http.send(HttpCall.post(uri("getMe")));
    return Probe.of(outcome(result, List.of()), identity(result));
  }

  private static String identity(HttpResult result) {
    JsonNode body = result instanceof HttpResult.Response r ? Json.readObject(r.body()) : null;
    String name = body == null ? "" : body.path("result").path("username").asString("");
    return name.isEmpty() ? "" : "@" + name;
  }

  @Override
  public void close() {
    http.close();
  }
}
