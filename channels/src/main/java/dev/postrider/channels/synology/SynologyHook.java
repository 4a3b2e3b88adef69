package dev.postrider.channels.synology;

import static java.time.temporal.ChronoUnit.SECONDS;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.channels.http.WebForm;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where Chat posts what people write to a bot, or in a channel with an outgoing webhook, slash
 * commands, and the buttons they press. It shows its token in the request, so whoever can read one
 * can make others: the address has to be reached by TLS.
 */
final class SynologyHook implements Hook {
  private static final int LONGEST = 1 << 20;

  private final List<String> tokens;
  private final boolean bot;
  private final Duration tolerance;

  /**
   * @param tokens of those that may post here
   * @param bot whether answers go to people
   * @param tolerance how old what comes may be, where Chat says when it was; Chat tries once
   */
  SynologyHook(List<String> tokens, boolean bot, Duration tolerance) {
    this.tokens = List.copyOf(tokens);
    this.bot = bot;
    this.tolerance = tolerance;
  }

  @Override
  public Answer read(Request request) {
    if (request.body().length > LONGEST) {
      return new Answer.Forged("longer than anything that Chat sends");
    }
    JsonNode event = event(request.text());
    if (event == null || !isOurs(event.path("token").asString(""))) {
      return new Answer.Forged("the token is missing or wrong");
    }
    Instant at = time(value(event, "timestamp"));
    if (at != null && Duration.between(at, request.receivedAt()).abs().compareTo(tolerance) > 0) {
      return new Answer.Forged("said too long ago, or by a wrong clock");
    }
    InboundMessage arrival = arrival(event, at, request.receivedAt());
    return arrival == null
        ? new Answer.Malformed("nothing that tells who wrote")
        : Answer.Genuine.of(List.of(arrival));
  }

  private boolean isOurs(String presented) {
    boolean ours = false;
    for (String token : tokens) { // all of them, so that time does not tell which
      ours |= Hmac.same(token, presented);
    }
    return ours;
  }

  /** A form; what is pressed comes as JSON in one of its fields. */
  private static @Nullable JsonNode event(String text) {
    Map<String, String> form = WebForm.read(text);
    String pressed = form.get("payload");
    return pressed == null ? Json.tree(form) : Json.readObject(pressed);
  }

  private @Nullable InboundMessage arrival(JsonNode event, @Nullable Instant at, Instant now) {
    JsonNode button = event.path("actions").path(0);
    JsonNode user = button.isObject() ? event.path("user") : event;
    String id = value(user, "user_id");
    String name = value(user, "username");
    String chat = chat(event, name);
    if (id == null || chat == null) {
      return null;
    }
    String post = value(event, "post_id");
    String message = button.isObject() ? null : post;
    String text = button.isObject() ? value(button, "value") : value(event, "text");
    return new InboundMessage(
        message != null
            ? message
            : actionId(post, id, text, at == null ? now.truncatedTo(SECONDS) : at),
        message != null ? Kind.MESSAGE : Kind.ACTION,
        chat,
        bot ? ChatKind.DM : ChatKind.GROUP,
        new InboundMessage.Sender(id, name),
        text,
        List.of(),
        message,
        message != null ? null : post,
        threadId(event),
        at,
        raw(event));
  }

  /**
   * Commands and buttons have no id of their own, and Chat tells each once. One that is played back
   * is the same if Chat said when it was; else it is known within the second that it came in.
   */
  private static String actionId(
      @Nullable String post, String user, @Nullable String text, Instant at) {
    return "action:%s:%s:%x:%d"
        .formatted(post, user, String.valueOf(text).hashCode(), at.toEpochMilli());
  }

  /**
   * What an answer is sent to: a bot's goes to the person, whose number here is not the one that
   * bots use; a webhook's to its channel.
   */
  private @Nullable String chat(JsonNode event, @Nullable String name) {
    if (bot) {
      return name == null || name.isBlank() ? null : "@" + name.strip().toLowerCase(Locale.ROOT);
    }
    String channel = value(event, "channel_id");
    return channel == null ? "channel" : channel;
  }

  /** Chat writes 0 for none. */
  private static @Nullable String threadId(JsonNode event) {
    String thread = value(event, "thread_id");
    return "0".equals(thread) ? null : thread;
  }

  /** Seconds, or thousandths of them: versions differ. */
  private static @Nullable Instant time(@Nullable String timestamp) {
    if (timestamp == null || !timestamp.matches("\\d{1,15}")) {
      return null;
    }
    long number = Long.parseLong(timestamp);
    return number < 100_000_000_000L
        ? PlatformTime.ofSeconds(number)
        : PlatformTime.storable(Instant.ofEpochMilli(number));
  }

  private static @Nullable String value(JsonNode object, String field) {
    JsonNode value = object.path(field);
    String text = value.isString() || value.isIntegralNumber() ? value.asString("") : "";
    return text.isEmpty() ? null : text;
  }

  private static Map<String, @Nullable Object> raw(JsonNode event) {
    Map<String, @Nullable Object> raw = Json.map(event);
    raw.remove("token");
    return raw;
  }
}
