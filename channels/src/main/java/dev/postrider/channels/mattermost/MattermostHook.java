package dev.postrider.channels.mattermost;

import static dev.postrider.channels.http.Json.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.WebForm;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where Mattermost delivers what outgoing webhooks and slash commands caught. Each of those has a
 * token of its own, which is all that tells who speaks; a repeat has the id of the first, and is
 * refused once ids are forgotten.
 *
 * @param tokens of the webhooks and commands
 * @param me our own user's id, whose posts are left out; empty if it is not known
 * @param tolerance how old what comes may be; Mattermost tries once
 */
record MattermostHook(List<String> tokens, String me, Duration tolerance) implements Hook {
  private static final Set<String> CREDENTIALS = Set.of("token", "response_url", "trigger_id");
  private static final String SCHEME = "Token ";

  /** In words that show nothing to the person: an empty answer would be shown as an error. */
  private static final Reply TAKEN = Reply.json("{}");

  @Override
  public Answer read(Request request) {
    JsonNode payload = payload(request);
    String inBody = payload == null ? null : text(payload, "token");
    String inHead = request.headers().getOrDefault("authorization", "");
    boolean genuine =
        isOurs(requireNonNullElse(inBody, ""))
            | isOurs(inHead.startsWith(SCHEME) ? inHead.substring(SCHEME.length()) : "");
    if (!genuine) {
      return new Answer.Forged("the token is not one of webhookSecret");
    }
    InboundMessage arrival = payload == null ? null : read(payload);
    if (arrival == null) {
      return new Answer.Malformed("neither an outgoing webhook nor a slash command");
    }
    if (isOld(arrival.sentAt(), request.receivedAt())) {
      return new Answer.Forged("said too long ago, or by a wrong clock");
    }
    boolean own = arrival.sender().id().equals(me);
    return new Answer.Genuine(own ? List.of() : List.of(arrival), List.of(), TAKEN);
  }

  private boolean isOld(@Nullable Instant at, Instant now) {
    return at != null && Duration.between(at, now).abs().compareTo(tolerance) > 0;
  }

  /** Takes as long for the first of the tokens as for the last. */
  private boolean isOurs(String presented) {
    boolean ours = false;
    for (String token : tokens) {
      ours |= Hmac.same(token, presented);
    }
    return ours;
  }

  private static @Nullable InboundMessage read(JsonNode payload) {
    String chat = text(payload, "channel_id");
    String user = text(payload, "user_id");
    String post = text(payload, "post_id");
    String command = text(payload, "command");
    String trigger = text(payload, "trigger_id");
    if (chat == null || user == null) {
      return null;
    }
    InboundMessage.Sender sender = new InboundMessage.Sender(user, text(payload, "user_name"));
    if (command != null && trigger != null) {
      String words = command + " " + requireNonNullElse(text(payload, "text"), "");
      String[] inner = inner(trigger);
      return new InboundMessage(
          MattermostRequest.isId(inner[0]) ? inner[0] : trigger,
          Kind.ACTION,
          chat,
          chatKind(payload),
          sender,
          words.strip(),
          List.of(),
          null,
          null,
          text(payload, "root_id"),
          inner.length > 2 ? sentAt(inner[2]) : null,
          raw(payload));
    }
    return post == null
        ? null
        : new InboundMessage(
            post,
            Kind.MESSAGE,
            chat,
            chatKind(payload),
            sender,
            text(payload, "text"),
            files(text(payload, "file_ids")),
            post,
            null,
            null, // nobody says which thread it belongs to
            sentAt(payload.path("timestamp").asString("")),
            raw(payload));
  }

  /** A trigger's own id, who pulled it, when, and what lets its bearer open a dialog. */
  private static String[] inner(String trigger) {
    try {
      return new String(Base64.getDecoder().decode(trigger), UTF_8).split(":", -1);
    } catch (IllegalArgumentException e) {
      return new String[] {trigger};
    }
  }

  /** A chat of two is called by their ids. */
  private static ChatKind chatKind(JsonNode payload) {
    String name = requireNonNullElse(text(payload, "channel_name"), "");
    return name.matches("[a-z0-9]{26}__[a-z0-9]{26}") ? ChatKind.DM : ChatKind.GROUP;
  }

  private static List<InboundMessage.File> files(@Nullable String ids) {
    return ids == null
        ? List.of()
        : Stream.of(ids.split(","))
            .filter(MattermostRequest::isId)
            .map(id -> new InboundMessage.File("document", id, null, null, null, null))
            .toList();
  }

  /** Milliseconds in JSON, seconds in a form. */
  private static @Nullable Instant sentAt(String digits) {
    return !digits.matches("\\d{1,15}")
        ? null
        : MattermostEvents.ofMillis(
            digits.length() > 11 ? Long.parseLong(digits) : Long.parseLong(digits) * 1000);
  }

  private static Map<String, @Nullable Object> raw(JsonNode payload) {
    Map<String, @Nullable Object> raw = Json.map(payload);
    raw.keySet().removeAll(CREDENTIALS);
    return raw;
  }

  /** JSON, a form, or what stands behind the question mark. */
  private static @Nullable JsonNode payload(Request request) {
    if (request.method().equals("GET")) {
      return Json.tree(request.query());
    }
    String type = request.headers().getOrDefault("content-type", "");
    return type.startsWith("application/x-www-form-urlencoded")
        ? Json.tree(WebForm.read(request.text()))
        : Json.readObject(request.text());
  }
}
