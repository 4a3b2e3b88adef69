package dev.postrider.channels.mattermost;

import static dev.postrider.channels.http.Json.text;
import static java.util.Objects.requireNonNullElse;

import dev.postrider.channel.Alias;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says what the events of a socket and the posts of a list mean. For one listener. */
final class MattermostEvents {
  private static final String DIRECT = "D";

  private final String me;

  /** What kind of channel each is, as far as we were told: an edit does not say it. */
  private final Map<String, String> kinds = new HashMap<>();

  /**
   * @param me whose posts are our own
   */
  MattermostEvents(String me) {
    this.me = me;
  }

  /** Something that was told, and what else is known of its chat from now on. */
  record Told(InboundMessage message, List<Alias> aliases) {}

  void learn(String channel, @Nullable String kind) {
    if (kind != null) {
      kinds.put(channel, kind);
    }
  }

  /** What an event tells; null if nothing that anybody needs to know. */
  @Nullable Told read(JsonNode event) {
    JsonNode data = event.path("data");
    return switch (event.path("event").asString("")) {
      case "posted" -> {
        JsonNode post = inner(data, "post");
        learn(post.path("channel_id").asString(""), text(data, "channel_type"));
        String name = text(data, "sender_name");
        yield post(post, name == null ? null : name.replaceFirst("^@", ""));
      }
      case "post_edited" -> edit(inner(data, "post"));
      case "post_deleted" -> deletion(inner(data, "post"));
      case "reaction_added" -> reaction(inner(data, "reaction"), event);
      default -> null;
    };
  }

  /** Mattermost writes what an event is about as a text of its own. */
  private static JsonNode inner(JsonNode data, String field) {
    JsonNode read = Json.readObject(data.path(field).asString(""));
    return read == null ? Json.tree(Map.of()) : read;
  }

  /** What a post tells; null if it is our own, or none. */
  @Nullable Told post(JsonNode post, @Nullable String senderName) {
    boolean system = post.path("type").asString("").startsWith("system_");
    Kind kind = system ? Kind.OTHER : Kind.MESSAGE;
    return told(post.path("id").asString(""), kind, post, senderName, time(post, "create_at"));
  }

  private @Nullable Told edit(JsonNode post) {
    Long at = Json.count(post.path("edit_at"));
    return at == null || at == 0 // what changed is not its text
        ? null
        : told(
            post.path("id").asString("") + ":" + at, Kind.EDIT, post, null, time(post, "edit_at"));
  }

  private @Nullable Told deletion(JsonNode post) {
    String id = post.path("id").asString("") + ":deleted";
    return told(id, Kind.OTHER, post, null, time(post, "delete_at"));
  }

  private @Nullable Told told(
      String platformId, Kind kind, JsonNode post, @Nullable String name, @Nullable Instant at) {
    String id = text(post, "id");
    String chat = text(post, "channel_id");
    String user = text(post, "user_id");
    if (id == null || chat == null || user == null || user.equals(me)) {
      return null;
    }
    ChatKind chatKind = chatKind(chat);
    String root = text(post, "root_id");
    // One that stands alone in a channel is the first of its thread: answers go there.
    String thread = root == null && chatKind != ChatKind.DM && kind != Kind.OTHER ? id : root;
    return new Told(
        new InboundMessage(
            platformId,
            kind,
            chat,
            chatKind,
            new InboundMessage.Sender(user, name),
            text(post, "message"),
            files(post),
            id,
            null, // Mattermost replies to threads, not to posts
            thread,
            at,
            Json.map(post)),
        chatKind == ChatKind.DM ? List.of(new Alias("user:" + user, chat)) : List.of());
  }

  private @Nullable Told reaction(JsonNode reaction, JsonNode event) {
    String post = text(reaction, "post_id");
    String user = text(reaction, "user_id");
    String emoji = text(reaction, "emoji_name");
    String chat = text(event.path("broadcast"), "channel_id");
    if (post == null || user == null || emoji == null || chat == null || user.equals(me)) {
      return null;
    }
    return new Told(
        new InboundMessage(
            String.join(
                ":", post, user, emoji, String.valueOf(Json.count(reaction.path("create_at")))),
            Kind.REACTION,
            chat,
            chatKind(chat),
            new InboundMessage.Sender(user, null),
            emoji,
            List.of(),
            post,
            null,
            null,
            time(reaction, "create_at"),
            Json.map(reaction)),
        List.of());
  }

  private ChatKind chatKind(String channel) {
    return DIRECT.equals(kinds.get(channel)) ? ChatKind.DM : ChatKind.GROUP;
  }

  private static List<InboundMessage.File> files(JsonNode post) {
    return post.path("metadata").path("files").valueStream().map(MattermostEvents::file).toList();
  }

  private static InboundMessage.File file(JsonNode file) {
    String type = text(file, "mime_type");
    return new InboundMessage.File(
        MediaTypes.kind(requireNonNullElse(type, "")).label(),
        text(file, "id"),
        null,
        text(file, "name"),
        type,
        Json.count(file.path("size")));
  }

  private static @Nullable Instant time(JsonNode node, String field) {
    Long millis = Json.count(node.path(field));
    return millis == null ? null : ofMillis(millis);
  }

  static @Nullable Instant ofMillis(long millis) {
    try {
      return PlatformTime.storable(Instant.ofEpochMilli(millis));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
