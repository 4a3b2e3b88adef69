package dev.postrider.channels.feishu;

import static dev.postrider.channels.http.Json.text;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channel.Hook.Reply;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.inbound.InboundMessage.Sender;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says what Feishu's events mean. */
final class FeishuEvents {
  /** What Feishu expects; a card's button shows an error else. */
  private static final Reply TAKEN = Reply.json("{}");

  private FeishuEvents() {}

  /** What an event tells, if anything. */
  static Answer read(JsonNode body) {
    JsonNode header = body.path("header");
    JsonNode event = body.path("event");
    String id = text(header, "event_id");
    if (!body.has("schema")) {
      // The first generation of events: nothing of chats that the second does not tell.
      return body.has("event") ? Answer.Genuine.only(TAKEN) : malformed();
    }
    if (id == null || !event.isObject()) {
      return malformed();
    }
    return switch (header.path("event_type").asString("")) {
      case "im.message.receive_v1" -> message(body, event);
      case "im.message.message_read_v1" -> new Answer.Genuine(List.of(), reads(event), TAKEN);
      case "im.message.reaction.created_v1" -> reaction(body, id, event);
      case "card.action.trigger" -> action(body, id, event);
      default -> told(body, id, event);
    };
  }

  private static Answer malformed() {
    return new Answer.Malformed("an event without an id");
  }

  private static Answer.Genuine genuine(InboundMessage... arrivals) {
    return new Answer.Genuine(List.of(arrivals), List.of(), TAKEN);
  }

  private static Answer message(JsonNode body, JsonNode event) {
    JsonNode message = event.path("message");
    String id = text(message, "message_id");
    String chat = text(message, "chat_id");
    if (id == null || chat == null) {
      return malformed();
    }
    if (!event.path("sender").path("sender_type").asString("user").equals("user")) {
      return genuine(); // bots, ourselves among them
    }
    boolean dm = message.path("chat_type").asString("").equals("p2p");
    InboundContent content = InboundContent.of(message);
    Sender sender = person(event.path("sender").path("sender_id"));
    InboundMessage arrival =
        new InboundMessage(
            id,
            Kind.MESSAGE,
            chat,
            dm ? ChatKind.DM : ChatKind.GROUP,
            sender,
            content.text(),
            content.files(),
            id,
            text(message, "parent_id"),
            thread(message),
            millis(message.path("create_time").asString("")),
            raw(body));
    return dm ? genuine(arrival).naming(names(event, chat)) : genuine(arrival);
  }

  /** The first message of a thread: whoever answers that, answers in the thread. */
  private static @Nullable String thread(JsonNode message) {
    return text(message, "thread_id") == null
        ? null
        : first(text(message, "root_id"), text(message, "message_id"));
  }

  /** A chat between two is known by the person, too. */
  private static List<Alias> names(JsonNode event, String chat) {
    JsonNode ids = event.path("sender").path("sender_id");
    return Stream.of("open_id", "union_id", "user_id")
        .map(kind -> text(ids, kind))
        .filter(Objects::nonNull)
        .map(person -> new Alias(person, chat))
        .toList();
  }

  private static List<DeliveryReport> reads(JsonNode event) {
    Instant at = millis(event.path("reader").path("read_time").asString(""));
    return at == null
        ? List.of()
        : event
            .path("message_id_list")
            .valueStream()
            .map(id -> id.asString(""))
            .filter(id -> !id.isEmpty())
            .map(id -> new DeliveryReport(id, DeliveryReport.State.READ, at, null))
            .toList();
  }

  /** Feishu does not say in which chat, so it is in the one with the person. */
  private static Answer reaction(JsonNode body, String id, JsonNode event) {
    Sender sender = person(event.path("user_id"));
    if (!event.path("operator_type").asString("user").equals("user") || sender.id().isEmpty()) {
      return genuine();
    }
    return genuine(
        new InboundMessage(
            id,
            Kind.REACTION,
            sender.id(),
            ChatKind.DM,
            sender,
            text(event.path("reaction_type"), "emoji_type"),
            List.of(),
            text(event, "message_id"),
            null,
            null,
            millis(event.path("action_time").asString("")),
            raw(body)));
  }

  /** A button or a menu of a card. */
  private static Answer action(JsonNode body, String id, JsonNode event) {
    JsonNode action = event.path("action");
    Sender sender = person(event.path("operator"));
    String chat = first(text(event.path("context"), "open_chat_id"), sender.id());
    JsonNode value = action.path("value");
    String said =
        first(
            text(action, "option"),
            text(action, "input_value"),
            text(action, "value"),
            value.isObject() && !value.isEmpty() ? Json.write(value) : null,
            text(action, "name"),
            text(action, "tag"));
    return chat == null || chat.isEmpty()
        ? malformed()
        : genuine(
            new InboundMessage(
                id,
                Kind.ACTION,
                chat,
                ChatKind.GROUP,
                sender,
                said,
                List.of(),
                text(event.path("context"), "open_message_id"),
                null,
                null,
                millis(body.path("header").path("create_time").asString("")),
                raw(body)));
  }

  /** Whatever else is told of a chat: the bot was added or removed, a message withdrawn. */
  private static Answer told(JsonNode body, String id, JsonNode event) {
    String chat = first(text(event, "chat_id"), text(event.path("message"), "chat_id"));
    return chat == null
        ? genuine()
        : genuine(
            new InboundMessage(
                id,
                Kind.OTHER,
                chat,
                ChatKind.GROUP,
                person(event.path("operator_id")),
                null,
                List.of(),
                text(event, "message_id"),
                null,
                null,
                millis(body.path("header").path("create_time").asString("")),
                raw(body)));
  }

  /** Somebody, by the id that is the app's own if there is one; Feishu tells no names. */
  private static Sender person(JsonNode ids) {
    String id = first(text(ids, "open_id"), text(ids, "union_id"), text(ids, "user_id"));
    return new Sender(id == null ? "" : id, null);
  }

  /** An instant in milliseconds, or, in a few old events, in microseconds. */
  static @Nullable Instant millis(String text) {
    if (!text.matches("\\d{1,16}")) {
      return null;
    }
    long number = Long.parseLong(text);
    return PlatformTime.storable(Instant.ofEpochMilli(text.length() > 13 ? number / 1000 : number));
  }

  /** All that Feishu said, but what lets its bearer speak as Feishu, or to this card. */
  private static Map<String, @Nullable Object> raw(JsonNode body) {
    Map<String, @Nullable Object> raw = new LinkedHashMap<>(Json.map(body));
    raw.computeIfPresent("header", (_, value) -> without(value, "token"));
    raw.computeIfPresent("event", (_, value) -> without(value, "token"));
    raw.remove("token");
    return raw;
  }

  private static @Nullable Object without(@Nullable Object value, String key) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    Map<Object, @Nullable Object> rest = new LinkedHashMap<>(map);
    rest.remove(key);
    return rest;
  }

  private static @Nullable String first(@Nullable String... texts) {
    return Stream.of(texts).filter(Objects::nonNull).findFirst().orElse(null);
  }
}
