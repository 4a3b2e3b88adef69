package dev.postrider.channels.imessage;

import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Whom a message is for: a person, a group by its guid, or any chat by the number that {@code imsg
 * chats} shows.
 *
 * @param number the chat's; null if it is called otherwise
 * @param guid how Messages calls it; null if it is called by number
 */
record IMessageAddress(@Nullable Long number, @Nullable ChatGuid guid) {
  private static final Pattern NUMBER = Pattern.compile("chat_id:\\s*0*([1-9]\\d{0,17})");

  /**
   * Reads an address.
   *
   * @throws InvalidInput if it can be none
   */
  static IMessageAddress of(String to) {
    Matcher number = NUMBER.matcher(to.strip());
    return number.matches()
        ? new IMessageAddress(Long.valueOf(number.group(1)), null)
        : new IMessageAddress(null, ChatGuid.of(to));
  }

  /** A person is called by number or e-mail alone, unless it has to be an SMS. */
  String canonical() {
    if (guid == null) {
      return "chat_id:" + number;
    }
    return isPerson() && guid.service().equals(ChatGuid.IMESSAGE) ? guid.id() : guid.canonical();
  }

  private boolean isPerson() {
    return guid != null && !guid.group();
  }

  /** How a message is addressed. */
  Map<String, Object> target(String service) {
    Map<String, Object> target = new LinkedHashMap<>();
    if (guid == null) {
      target.put("chat_id", Objects.requireNonNull(number));
    } else if (guid.group()) {
      target.put("chat_guid", guid.canonical());
    } else {
      target.put("to", guid.id());
      target.put("service", guid.service().equals(ChatGuid.IMESSAGE) ? service : "sms");
    }
    return target;
  }

  /** How a chat is named that must be there already. */
  Map<String, Object> chat() {
    return isPerson() && guid != null ? Map.of("chat_identifier", guid.id()) : target("auto");
  }

  boolean isGroup() {
    return guid != null && guid.group();
  }

  /** Whether a chat in the program's list is this one, whatever carries it. */
  boolean is(JsonNode chat) {
    return guid == null
        ? Objects.equals(chat.path("id").asLong(-1), number)
        : guid.isIn(chat.path("guid").asString(""))
            || chat.path("identifier").asString("").equalsIgnoreCase(guid.id());
  }
}
