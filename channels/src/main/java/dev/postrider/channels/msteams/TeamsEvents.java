package dev.postrider.channels.msteams;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads what Teams tells: what people write and press, who comes and goes.
 *
 * @param bot what the bot is called, if the activity does not say
 */
record TeamsEvents(JsonNode activity, String bot, Instant receivedAt) {
  private static final String FILE = "application/vnd.microsoft.teams.file.download.info";
  private static final String READ = "application/vnd.microsoft.readReceipt";
  private static final int LONGEST_NAME = 400;

  private TeamsAddress address() {
    return TeamsAddress.of(activity.path("conversation").path("id").asString(""));
  }

  private String type() {
    return activity.path("type").asString("");
  }

  private boolean isPersonal() {
    return activity.path("conversation").path("conversationType").asString("").equals("personal");
  }

  // ---- what to know again

  /** Where the conversation is served; and who wrote, if one is to be opened with them. */
  List<Remembered> memory() {
    List<Remembered> all = new ArrayList<>();
    String removed =
        isRemoval() ? Objects.requireNonNullElse(sentAt(), receivedAt).toString() : null;
    all.add(reference(removed).of(address().chat()));
    String person = activity.path("from").path("id").asString("");
    if (!isPersonal() && TeamsAddress.isPerson(person)) {
      all.add(reference(null).of(person));
    }
    return all;
  }

  private ConversationReference reference(@Nullable String removedAt) {
    String tenant =
        activity
            .at("/channelData/tenant/id")
            .asString(activity.at("/conversation/tenantId").asString(""));
    String called = activity.path("recipient").path("id").asString("");
    return new ConversationReference(
        Json.text(activity, "serviceUrl"),
        tenant.matches("[\\w.-]{1,100}") ? tenant : null,
        called.matches("28:.{1,200}") ? called : null,
        removedAt);
  }

  /** The personal chat is also called by the person's ids. */
  List<Alias> aliases() {
    JsonNode person = activity.path("from");
    return isPersonal()
        ? Stream.of(person.path("id").asString(""), person.path("aadObjectId").asString(""))
            .filter(TeamsAddress::isPerson)
            .map(name -> new Alias(TeamsAddress.canonical(name), address().chat()))
            .toList()
        : List.of();
  }

  /** Whether the bot is not in the conversation any more. */
  private boolean isRemoval() {
    return switch (type()) {
      case "conversationUpdate" ->
          activity.path("membersRemoved").valueStream().anyMatch(this::isBot);
      case "installationUpdate" -> activity.path("action").asString("").startsWith("remove");
      default -> false;
    };
  }

  private boolean isBot(JsonNode somebody) {
    String id = somebody.path("id").asString("");
    return id.equals(bot) || id.equals(activity.path("recipient").path("id").asString(bot));
  }

  // ---- what happened

  List<InboundMessage> arrivals() {
    Kind kind =
        switch (type()) {
          case "message" -> isSubmission() ? Kind.ACTION : Kind.MESSAGE;
          case "messageUpdate" -> Kind.EDIT;
          case "messageReaction" -> Kind.REACTION;
          case "invoke" -> Kind.ACTION;
          default -> Kind.OTHER;
        };
    String id = Json.text(activity, "id");
    boolean nothing =
        type().equals("typing") || isRead() || id == null || id.length() > LONGEST_NAME;
    return nothing || (kind != Kind.OTHER && isBot(activity.path("from")))
        ? List.of()
        : List.of(arrival(String.valueOf(id), kind));
  }

  private boolean isRead() {
    return type().equals("event") && activity.path("name").asString("").equals(READ);
  }

  /** That a person has read a message of ours, and so what was said before it. */
  List<DeliveryReport> reports() {
    String number = activity.path("value").path("lastReadMessageId").asString("");
    return !isRead() || number.isEmpty() || number.length() > LONGEST_NAME
        ? List.of()
        : List.of(
            new DeliveryReport(
                TeamsAddress.named(address().chat(), number),
                DeliveryReport.State.READ,
                Objects.requireNonNullElse(sentAt(), receivedAt),
                null));
  }

  /** A card's button that sends the card's fields as a message without words. */
  private boolean isSubmission() {
    return activity.path("value").isObject() && Json.text(activity, "text") == null;
  }

  private InboundMessage arrival(String id, Kind kind) {
    TeamsAddress where = address();
    JsonNode from = activity.path("from");
    String number = Json.text(activity, "replyToId");
    String replied = number == null ? null : TeamsAddress.named(where.chat(), number);
    boolean reaction = kind == Kind.REACTION;
    return new InboundMessage(
        // Messages are numbered by conversation, and told again under their number when changed.
        where.chat()
            + "/"
            + id
            + (type().equals("message") ? "" : "/" + type())
            + (kind == Kind.EDIT ? "/" + activity.path("timestamp").asString("") : ""),
        kind,
        where.chat(),
        isPersonal() ? ChatKind.DM : ChatKind.GROUP,
        new InboundMessage.Sender(
            Objects.requireNonNullElse(Json.text(from, "id"), where.chat()),
            Json.text(from, "name")),
        words(kind),
        files(),
        reaction ? replied : TeamsAddress.named(where.chat(), id),
        reaction ? null : replied,
        where.thread(),
        sentAt(),
        raw());
  }

  private @Nullable Instant sentAt() {
    try {
      return PlatformTime.storable(
          OffsetDateTime.parse(activity.path("timestamp").asString("")).toInstant());
    } catch (DateTimeException e) {
      return null;
    }
  }

  private @Nullable String words(Kind kind) {
    return switch (kind) {
      case MESSAGE, EDIT -> spoken();
      case REACTION ->
          Objects.requireNonNullElse(
              Json.text(activity.at("/reactionsAdded/0"), "type"),
              "-" + activity.at("/reactionsRemoved/0/type").asString(""));
      case ACTION ->
          Objects.requireNonNullElse(
              Json.text(activity.at("/value/action"), "verb"),
              activity.path("name").asString(type().equals("invoke") ? "" : "submit"));
      case OTHER -> null;
    };
  }

  /** The text without the mention that called the bot, and with others as people read them. */
  private @Nullable String spoken() {
    String text = Json.text(activity, "text");
    if (text == null) {
      return null;
    }
    for (JsonNode entity : activity.path("entities")) {
      String written = Json.text(entity, "text");
      if (entity.path("type").asString("").equals("mention") && written != null) {
        String name = written.replaceAll("<[^<>]{0,500}>", "");
        text = text.replace(written, isBot(entity.path("mentioned")) ? "" : "@" + name);
      }
    }
    String clean = text.replace("&nbsp;", " ").replace('\u00a0', ' ').strip();
    return clean.isEmpty() ? null : clean;
  }

  private List<InboundMessage.File> files() {
    return activity
        .path("attachments")
        .valueStream()
        .map(TeamsEvents::file)
        .filter(Objects::nonNull)
        .toList();
  }

  /** A file; null for cards, and for the text that is told a second time as HTML. */
  private static InboundMessage.@Nullable File file(JsonNode attachment) {
    String type = attachment.path("contentType").asString("").toLowerCase(Locale.ROOT);
    String name = Json.text(attachment, "name");
    if (type.equals(FILE)) {
      JsonNode content = attachment.path("content");
      String known = name == null ? null : MediaTypes.byName(name);
      return new InboundMessage.File(
          MediaTypes.kind(known == null ? MediaTypes.UNKNOWN : known).label(),
          Json.text(content, "uniqueId"),
          Json.text(content, "downloadUrl"),
          name,
          known,
          null);
    }
    String url = Json.text(attachment, "contentUrl");
    if (url == null || type.startsWith("text/html") || type.contains("vnd.microsoft")) {
      return null;
    }
    String exact = type.matches("[\\w.+-]+/[\\w.+-]+") ? type : null;
    return new InboundMessage.File(
        type.startsWith("image/")
            ? "image"
            : MediaTypes.kind(exact == null ? MediaTypes.UNKNOWN : exact).label(),
        null,
        url,
        name,
        exact,
        null);
  }

  /** Without what a sign-in hands over: that is a token of the person's. */
  private Map<String, @Nullable Object> raw() {
    Map<String, @Nullable Object> all = Json.map(activity);
    if (activity.path("name").asString("").startsWith("signin/")) {
      all.remove("value");
    }
    return all;
  }
}
