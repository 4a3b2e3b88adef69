package dev.postrider.channels.tlon;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.http.Sha256;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the ship for a part.
 *
 * @param id what the message is called from then on
 */
record TlonRequest(String id, String app, String mark, Map<String, ?> json) {

  /**
   * @param ship who we are, such as {@code ~sampel-palnet}
   */
  static TlonRequest of(Dispatch part, String ship) {
    List<Object> story = Story.of(part);
    long sent = UrbitTime.sent(part).toEpochMilli();
    Map<String, Object> memo = Map.of("content", story, "author", ship, "sent", sent);
    String parent = part.threadId() == null ? part.replyToId() : part.threadId();
    return isChannel(part.to())
        ? post(part.to(), memo, parent, ship + "/" + sent)
        : message(part, memo, parent, ship + "/" + UrbitTime.dotted(UrbitTime.of(part)));
  }

  /** Whether it is a channel of a group, whose host names what is posted; else we do. */
  static boolean isChannel(String chat) {
    return chat.startsWith("chat/");
  }

  private static TlonRequest post(
      String nest, Map<String, Object> memo, @Nullable String parent, String id) {
    Map<String, @Nullable Object> essay = new HashMap<>(memo);
    essay.put("kind", "/chat");
    essay.put("blob", null);
    essay.put("meta", null);
    BigInteger answered = UrbitTime.parse(parent);
    Map<String, ?> action =
        answered == null
            ? Map.of("add", essay)
            : Map.of(
                "reply", Map.of("id", UrbitTime.dotted(answered), "action", Map.of("add", memo)));
    return new TlonRequest(
        id,
        "channels",
        "channel-action-1",
        Map.of("channel", Map.of("nest", nest, "action", Map.of("post", action))));
  }

  private static TlonRequest message(
      Dispatch part, Map<String, Object> memo, @Nullable String parent, String id) {
    Map<String, @Nullable Object> add = new HashMap<>();
    add.put("memo", memo);
    add.put("time", null);
    Map<String, ?> diff;
    if (parent == null) {
      add.put("kind", null);
      diff = Map.of("id", id, "delta", Map.of("add", add));
    } else {
      Map<String, @Nullable Object> reply = new HashMap<>();
      reply.put("id", id);
      reply.put("meta", null);
      reply.put("delta", Map.of("add", add));
      diff = Map.of("id", parent, "delta", Map.of("reply", reply));
    }
    return part.to().startsWith("~")
        ? new TlonRequest(id, "chat", "chat-dm-action", Map.of("ship", part.to(), "diff", diff))
        : new TlonRequest(
            id,
            "chat",
            "chat-club-action",
            Map.of(
                "id", part.to(), "diff", Map.of("uid", uid(part), "delta", Map.of("writ", diff))));
  }

  /** A group of ships knows what was said before by this, too: the same on every try. */
  private static String uid(Dispatch part) {
    byte[] hash = Sha256.of(part.key().getBytes(StandardCharsets.UTF_8));
    String digits = new BigInteger(1, Arrays.copyOf(hash, 8)).toString(32);
    return "0v" + digits.replaceAll("(\\w)(?=(\\w{5})+$)", "$1.");
  }
}
