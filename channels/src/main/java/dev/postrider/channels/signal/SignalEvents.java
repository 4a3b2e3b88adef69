package dev.postrider.channels.signal;

import static dev.postrider.channels.http.Json.text;
import static java.util.Objects.requireNonNullElse;

import dev.postrider.channel.Alias;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Says what signal-cli's envelopes mean. Immutable.
 *
 * @param number whose messages are our own
 */
record SignalEvents(String number) {
  private static final Logger log = LoggerFactory.getLogger(SignalEvents.class);

  /** What an envelope tells. */
  record Told(List<InboundMessage> messages, List<DeliveryReport> reports, List<Alias> aliases) {}

  /** Null if it tells nothing that anybody needs to know. */
  @Nullable Told read(JsonNode received) {
    String account = text(received, "account");
    JsonNode envelope = received.path("envelope");
    String author = person(envelope, "source");
    if (account != null && account.startsWith("+") && !account.equals(number)) {
      return null; // of somebody else with the same signal-cli
    }
    if (received.path("exception").isObject()) {
      log.warn(
          "signal-cli could not read a message of {}: {}",
          author,
          received.path("exception").path("message").asString(""));
    }
    if (author == null || isOurs(envelope, "source")) {
      return null;
    }
    if (envelope.path("receiptMessage").isObject()) {
      return new Told(List.of(), reports(envelope.path("receiptMessage")), aliases(envelope));
    }
    JsonNode edit = envelope.path("editMessage");
    JsonNode data = edit.isObject() ? edit.path("dataMessage") : envelope.path("dataMessage");
    Long at = Json.count(data.path("timestamp"));
    if (at == null) {
      return null; // typing, a call, a story, or what we did on another device
    }
    Long edited = Json.count(edit.path("targetSentTimestamp"));
    return new Told(
        List.of(message(envelope, data, new SignalId(at, author), edited)),
        List.of(),
        aliases(envelope));
  }

  private InboundMessage message(
      JsonNode envelope, JsonNode data, SignalId id, @Nullable Long edited) {
    String author = String.valueOf(id.author());
    String group = text(data.path("groupInfo"), "groupId");
    JsonNode reaction = data.path("reaction");
    Long deleted = Json.count(data.path("remoteDelete").path("timestamp"));
    SignalId about =
        reaction.isObject()
            ? id(reaction, "targetSentTimestamp", "targetAuthor")
            : edited != null
                ? new SignalId(edited, author)
                : deleted != null ? new SignalId(deleted, author) : id;
    SignalId quoted = data.path("quote").isObject() ? id(data.path("quote"), "id", "author") : null;
    return new InboundMessage(
        id.toString(),
        kind(data, edited != null),
        group == null ? author : SignalAddress.ofGroup(group),
        group == null ? ChatKind.DM : ChatKind.GROUP,
        new InboundMessage.Sender(author, text(envelope, "sourceName")),
        reaction.isObject() ? text(reaction, "emoji") : said(data),
        data.path("attachments").valueStream().map(SignalEvents::file).toList(),
        about == null ? null : about.toString(),
        quoted == null ? null : quoted.toString(),
        null,
        time(id.timestamp()),
        Json.map(envelope));
  }

  private static Kind kind(JsonNode data, boolean edit) {
    if (data.path("reaction").isObject()) {
      return data.path("reaction").path("isRemove").asBoolean(false) ? Kind.OTHER : Kind.REACTION;
    }
    boolean says =
        text(data, "message") != null
            || !data.path("attachments").isEmpty()
            || data.path("sticker").isObject()
            || !data.path("contacts").isEmpty();
    return !says || data.path("remoteDelete").isObject()
        ? Kind.OTHER
        : edit ? Kind.EDIT : Kind.MESSAGE;
  }

  /** The text with names where Signal keeps places for them. */
  private static @Nullable String said(JsonNode data) {
    String text = text(data, "message");
    if (text == null) {
      return null;
    }
    StringBuilder said = new StringBuilder(text);
    data.path("mentions")
        .valueStream()
        .sorted(Comparator.comparingInt((JsonNode it) -> it.path("start").asInt(0)).reversed())
        .forEach(
            mention -> {
              int start = mention.path("start").asInt(-1);
              int end = start + mention.path("length").asInt(0);
              String name = requireNonNullElse(text(mention, "name"), person(mention, ""));
              if (name != null && start >= 0 && end >= start && end <= said.length()) {
                said.replace(start, end, "@" + name);
              }
            });
    return said.toString();
  }

  private static InboundMessage.File file(JsonNode file) {
    String type = text(file, "contentType");
    return new InboundMessage.File(
        MediaTypes.kind(requireNonNullElse(type, "")).label(),
        text(file, "id"),
        null,
        text(file, "filename"),
        type,
        Json.count(file.path("size")));
  }

  private static List<DeliveryReport> reports(JsonNode receipt) {
    boolean seen =
        receipt.path("isRead").asBoolean(false) || receipt.path("isViewed").asBoolean(false);
    Instant when = time(receipt.path("when").asLong(0));
    return receipt
        .path("timestamps")
        .valueStream()
        .map(Json::count)
        .filter(Objects::nonNull)
        .map(
            at ->
                new DeliveryReport(
                    Long.toString(at),
                    seen ? State.READ : State.DELIVERED,
                    when == null ? Instant.EPOCH : when,
                    null))
        .toList();
  }

  /** Signal calls one person by a number and by a UUID, and not always by both. */
  private static List<Alias> aliases(JsonNode envelope) {
    String phone = text(envelope, "sourceNumber");
    String uuid = text(envelope, "sourceUuid");
    return phone == null || uuid == null || !phone.startsWith("+")
        ? List.of()
        : List.of(new Alias(phone, uuid.toLowerCase(Locale.ROOT)));
  }

  /** The message that something is about. Our own are called as in their receipts. */
  private @Nullable SignalId id(JsonNode about, String when, String who) {
    Long at = Json.count(about.path(when));
    String author = person(about, who);
    return at == null ? null : new SignalId(at, isOurs(about, who) ? null : author);
  }

  private boolean isOurs(JsonNode node, String prefix) {
    return number.equals(text(node, field(prefix, "number")))
        || number.equals(text(node, prefix.isEmpty() ? "name" : prefix));
  }

  /** Somebody by the UUID, which stays when a number changes; else by the number. */
  private static @Nullable String person(JsonNode node, String prefix) {
    String uuid = text(node, field(prefix, "uuid"));
    return uuid != null ? uuid.toLowerCase(Locale.ROOT) : text(node, field(prefix, "number"));
  }

  private static String field(String prefix, String name) {
    return prefix.isEmpty()
        ? name
        : prefix + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static @Nullable Instant time(long millis) {
    try {
      return PlatformTime.storable(Instant.ofEpochMilli(millis));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
