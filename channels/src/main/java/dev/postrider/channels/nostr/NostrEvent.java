package dev.postrider.channels.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Sha256;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An event (NIP-01). Its id is the hash of what it says.
 *
 * @param publicKey whose it is
 * @param createdAt in seconds since 1970
 * @param signature null of a rumor, which nobody has signed
 */
record NostrEvent(
    String id,
    String publicKey,
    long createdAt,
    int kind,
    List<List<String>> tags,
    String content,
    @Nullable String signature) {
  static final int NOTE = 1;
  static final int SEAL = 13;
  static final int CHAT = 14;
  static final int FILE = 15;
  static final int REACTION = 7;
  static final int GIFT_WRAP = 1059;
  static final int INBOX_RELAYS = 10050;
  static final int AUTHENTICATION = 22242;

  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern SIGNATURE = Pattern.compile("[0-9a-f]{128}");
  private static final int MOST_TAGS = 5000;

  /** What somebody says, which has an id but no signature. */
  static NostrEvent rumor(
      String publicKey, long createdAt, int kind, List<List<String>> tags, String content) {
    String id = HEX.formatHex(hash(publicKey, createdAt, kind, tags, content));
    return new NostrEvent(id, publicKey, createdAt, kind, tags, content, null);
  }

  static NostrEvent signed(
      NostrKey key, long createdAt, int kind, List<List<String>> tags, String content) {
    NostrEvent rumor = rumor(key.publicKey(), createdAt, kind, tags, content);
    String signature = HEX.formatHex(key.sign(HEX.parseHex(rumor.id)));
    return new NostrEvent(rumor.id, rumor.publicKey, createdAt, kind, tags, content, signature);
  }

  /** Null if it is no event, or its id is not the hash of what it says. A signature may lack. */
  static @Nullable NostrEvent read(@Nullable JsonNode json) {
    if (json == null
        || !json.isObject()
        || !json.path("content").isString()
        || !json.path("kind").isInt()
        || !json.path("tags").isArray()
        || json.path("tags").size() > MOST_TAGS) {
      return null;
    }
    String publicKey = json.path("pubkey").asString("");
    Long createdAt = Json.count(json.path("created_at"));
    if (createdAt == null || !ID.matcher(publicKey).matches()) {
      return null;
    }
    List<List<String>> tags =
        json.path("tags")
            .valueStream()
            .map(tag -> tag.valueStream().map(item -> item.asString("")).toList())
            .toList();
    NostrEvent rumor =
        rumor(
            publicKey,
            createdAt,
            json.path("kind").intValue(),
            tags,
            json.path("content").asString());
    String id = json.path("id").asString(rumor.id); // a rumor may come without
    String signature = Json.text(json, "sig");
    return !id.equals(rumor.id)
        ? null
        : new NostrEvent(id, publicKey, createdAt, rumor.kind, tags, rumor.content, signature);
  }

  /** Whether whoever it names has signed it. */
  boolean isGenuine() {
    return signature != null
        && SIGNATURE.matcher(signature).matches()
        && NostrKey.verify(HEX.parseHex(signature), HEX.parseHex(id), HEX.parseHex(publicKey));
  }

  /** The second item of the first tag of this name; null if there is none. */
  @Nullable String tag(String name) {
    return tags.stream()
        .filter(tag -> tag.size() > 1 && tag.getFirst().equals(name))
        .map(tag -> tag.get(1))
        .findFirst()
        .orElse(null);
  }

  /** The second items of all tags of this name. */
  List<String> all(String name) {
    return tags.stream()
        .filter(tag -> tag.size() > 1 && tag.getFirst().equals(name))
        .map(tag -> tag.get(1))
        .toList();
  }

  String json() {
    StringBuilder json = new StringBuilder("{\"id\":\"").append(id);
    json.append("\",\"pubkey\":\"").append(publicKey);
    json.append("\",\"created_at\":").append(createdAt);
    json.append(",\"kind\":").append(kind).append(",\"tags\":");
    append(json, tags);
    append(json.append(",\"content\":"), content);
    if (signature != null) {
      json.append(",\"sig\":\"").append(signature).append('"');
    }
    return json.append('}').toString();
  }

  private static byte[] hash(
      String publicKey, long createdAt, int kind, List<List<String>> tags, String content) {
    StringBuilder said = new StringBuilder("[0,\"").append(publicKey).append("\",");
    said.append(createdAt).append(',').append(kind).append(',');
    append(said, tags);
    append(said.append(','), content);
    return Sha256.of(said.append(']').toString().getBytes(UTF_8));
  }

  private static void append(StringBuilder to, List<List<String>> tags) {
    to.append('[');
    for (int i = 0; i < tags.size(); i++) {
      to.append(i == 0 ? "[" : ",[");
      for (int j = 0; j < tags.get(i).size(); j++) {
        append(j == 0 ? to : to.append(','), tags.get(i).get(j));
      }
      to.append(']');
    }
    to.append(']');
  }

  /** As NIP-01 wants it for the hash: nothing is escaped that need not be. */
  private static void append(StringBuilder to, String text) {
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> to.append("\\n");
        case '"' -> to.append("\\\"");
        case '\\' -> to.append("\\\\");
        case '\r' -> to.append("\\r");
        case '\t' -> to.append("\\t");
        case '\b' -> to.append("\\b");
        case '\f' -> to.append("\\f");
        default -> {
          if (c < ' ') { // not named there; as JavaScript does
            to.append("\\u00").append(HEX.toHexDigits((byte) c));
          } else {
            to.append(c);
          }
        }
      }
    }
    to.append('"');
  }

  /** The first is whose it is, for errors. */
  @Override
  public String toString() {
    return "NostrEvent[kind " + kind + ", " + Objects.requireNonNullElse(id, "") + "]";
  }
}
