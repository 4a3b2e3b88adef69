package dev.postrider.channels.googlechat;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads what Google tells an app. There are two forms: that of Chat, with a {@code type}, and that
 * of a Workspace add-on, where the name of the payload is the type.
 */
final class GoogleChatEvents {
  /** What add-ons call the types of events. */
  private static final Map<String, String> PAYLOADS =
      Map.of(
          "messagePayload", "MESSAGE",
          "addedToSpacePayload", "ADDED_TO_SPACE",
          "removedFromSpacePayload", "REMOVED_FROM_SPACE",
          "buttonClickedPayload", "CARD_CLICKED",
          "appCommandPayload", "APP_COMMAND",
          "widgetUpdatedPayload", "WIDGET_UPDATED");

  /** Tokens, and an address that acts without one. */
  private static final List<String> SECRET =
      List.of(
          "token",
          "authorizationEventObject",
          "configCompleteRedirectUrl",
          "configCompleteRedirectUri");

  private static final Hook.Reply NOTHING = Hook.Reply.json("{}");

  /** One event in either form. */
  private record Event(
      String type,
      JsonNode user,
      JsonNode space,
      JsonNode message,
      JsonNode content,
      JsonNode common,
      @Nullable Instant at,
      Map<String, @Nullable Object> raw) {}

  private GoogleChatEvents() {}

  static Answer read(JsonNode body, Instant receivedAt) {
    Event event = event(body);
    String space = event == null ? null : Json.text(event.space, "name");
    String user = event == null ? null : Json.text(event.user, "name");
    if (event == null || space == null || user == null) {
      return new Answer.Malformed("this is no event of Google Chat");
    }
    List<InboundMessage> arrivals = new ArrayList<>();
    List<Remembered> memory = new ArrayList<>();
    boolean human = !event.user.path("type").asString("").equals("BOT");
    switch (event.type) {
      case "MESSAGE" -> add(arrivals, human ? message(event, space, user) : null);
      case "ADDED_TO_SPACE" -> {
        arrivals.add(happened(event, space, user, Kind.OTHER, null));
        add(arrivals, message(event, space, user)); // the one that named the app
        memory.add(SpaceMembership.joined(space));
      }
      case "REMOVED_FROM_SPACE" -> {
        arrivals.add(happened(event, space, user, Kind.OTHER, null));
        memory.add(SpaceMembership.left(space, event.at == null ? receivedAt : event.at));
      }
      case "CARD_CLICKED", "SUBMIT_FORM" ->
          arrivals.add(happened(event, space, user, Kind.ACTION, function(event)));
      case "APP_COMMAND" -> arrivals.add(command(event, space, user));
      default -> {} // a widget asks for suggestions, somebody opened the app's home
    }
    Answer.Genuine genuine = new Answer.Genuine(arrivals, List.of(), NOTHING).remembering(memory);
    return isOurs(event.space) && !event.type.equals("REMOVED_FROM_SPACE")
        ? genuine.naming(List.of(new Alias(user, space)))
        : genuine;
  }

  private static void add(List<InboundMessage> all, @Nullable InboundMessage one) {
    if (one != null) {
      all.add(one);
    }
  }

  private static @Nullable Event event(JsonNode body) {
    JsonNode chat = body.path("chat");
    for (Map.Entry<String, String> payload : PAYLOADS.entrySet()) {
      JsonNode content = chat.path(payload.getKey());
      if (content.isObject()) {
        JsonNode message = content.path("message");
        return new Event(
            payload.getValue(),
            chat.path("user"),
            content.has("space") ? content.path("space") : message.path("space"),
            message,
            content,
            body.path("commonEventObject"),
            time(chat.path("eventTime")),
            raw(body));
      }
    }
    String type = Json.text(body, "type");
    return type == null
        ? null
        : new Event(
            type,
            body.path("user"),
            body.path("space"),
            body.path("message"),
            body,
            body.path("common"),
            time(body.path("eventTime")),
            raw(body));
  }

  /** Null if there is none, or it is an app's. */
  private static @Nullable InboundMessage message(Event event, String space, String user) {
    JsonNode message = event.message;
    String name = Json.text(message, "name");
    JsonNode sender = message.path("sender");
    if (name == null || sender.path("type").asString("").equals("BOT")) {
      return null;
    }
    boolean command = event.type.equals("APP_COMMAND") || message.path("slashCommand").isObject();
    Instant sent = time(message.path("createTime"));
    String author = Json.text(sender, "name");
    return new InboundMessage(
        name,
        command ? Kind.ACTION : Kind.MESSAGE,
        space,
        chatKind(event.space),
        new InboundMessage.Sender(
            author == null ? user : author,
            Json.text(author == null ? event.user : sender, "displayName")),
        Json.text(message, "text"),
        files(message.path("attachment")),
        name,
        Json.text(message.path("quotedMessageMetadata"), "name"),
        thread(message),
        sent == null ? event.at : sent,
        event.raw);
  }

  /** Something without a name of its own: known by its kind, its place and its time. */
  private static InboundMessage happened(
      Event event, String space, String user, Kind kind, @Nullable String text) {
    String message = Json.text(event.message, "name");
    return new InboundMessage(
        String.join(
            "|",
            event.type,
            message == null ? space : message,
            user,
            String.valueOf(event.at),
            text == null ? "" : text),
        kind,
        space,
        chatKind(event.space),
        new InboundMessage.Sender(user, Json.text(event.user, "displayName")),
        text,
        List.of(),
        kind == Kind.ACTION ? message : null,
        null,
        thread(event.message),
        event.at,
        event.raw);
  }

  /** A command: with its message, or one without words that is known by its number. */
  private static InboundMessage command(Event event, String space, String user) {
    InboundMessage written = message(event, space, user);
    JsonNode id = event.content.path("appCommandMetadata").path("appCommandId");
    return written == null ? happened(event, space, user, Kind.ACTION, id.asString("")) : written;
  }

  /** What a button calls; add-ons tell it among the parameters. */
  private static @Nullable String function(Event event) {
    for (String told :
        new @Nullable String[] {
          Json.text(event.common, "invokedFunction"),
          Json.text(event.common.path("parameters"), "__action_method_name__"),
          Json.text(event.content.path("action"), "actionMethodName")
        }) {
      if (told != null) {
        return told;
      }
    }
    return null;
  }

  /** Only of a reply: every message that is none begins a thread of its own. */
  private static @Nullable String thread(JsonNode message) {
    return message.path("threadReply").asBoolean(false)
        ? Json.text(message.path("thread"), "name")
        : null;
  }

  private static boolean isDirect(JsonNode space) {
    return space.path("spaceType").asString("").equals("DIRECT_MESSAGE")
        || space.path("type").asString("").equals("DM");
  }

  /**
   * Whether it is the one space between a person and the app: then it is another name of theirs.
   */
  private static boolean isOurs(JsonNode space) {
    return space.path("singleUserBotDm").asBoolean(false)
        || space.path("type").asString("").equals("DM");
  }

  private static ChatKind chatKind(JsonNode space) {
    return isDirect(space) ? ChatKind.DM : ChatKind.GROUP;
  }

  private static List<InboundMessage.File> files(JsonNode attachments) {
    List<InboundMessage.File> files = new ArrayList<>();
    for (JsonNode one : attachments) {
      String type = Json.text(one, "contentType");
      files.add(
          new InboundMessage.File(
              kind(type),
              Json.text(one.path("attachmentDataRef"), "resourceName"),
              null,
              Json.text(one, "contentName"),
              type,
              null));
    }
    return files;
  }

  private static String kind(@Nullable String type) {
    String general = type == null ? "" : type.replaceFirst("/.*", "");
    return switch (general) {
      case "image", "video", "audio" -> general;
      default -> "document";
    };
  }

  private static @Nullable Instant time(JsonNode text) {
    try {
      return Instant.parse(text.asString(""));
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Map<String, @Nullable Object> raw(JsonNode body) {
    return open(Json.map(body));
  }

  private static Map<String, @Nullable Object> open(Map<?, ?> object) {
    Map<String, @Nullable Object> open = new LinkedHashMap<>();
    object.forEach(
        (key, value) -> {
          if (!SECRET.contains(String.valueOf(key))) {
            open.put(String.valueOf(key), value instanceof Map<?, ?> inner ? open(inner) : value);
          }
        });
    return open;
  }
}
