package dev.postrider.channels.discord;

import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What somebody did to the bot (a command, a button) and waits for an answer to. A message that
 * names one in {@code channelData.interaction} goes there and nowhere else.
 *
 * @param id when it is known, so is the end of the time to answer
 * @param token null if it is remembered under the id
 */
record Interaction(@Nullable String id, @Nullable String applicationId, @Nullable String token) {
  static final String FIELD = "interaction";
  private static final Duration LIFE = Duration.ofMinutes(15);
  private static final Pattern TOKEN = Pattern.compile("[\\w.~-]{1,1000}"); // safe in an address

  /**
   * The interaction that a message answers, or null if it answers none.
   *
   * @throws InvalidInput if it names one in a way that cannot work
   */
  static @Nullable Interaction of(Message message) {
    Object value = message.channelData().get(FIELD);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong("", "is not an object with the id of an interaction");
    }
    String id = text(map, "id");
    if (id != null && !Snowflake.is(id)) {
      throw wrong(".id", "is not an id of Discord's");
    }
    String application = text(map, "applicationId");
    if (id != null && application == null && text(map, "token") == null) {
      return new Interaction(id, null, null);
    }
    if (application == null || !Snowflake.is(application)) {
      throw wrong(".applicationId", "is not an id of Discord's");
    }
    String token = text(map, "token");
    if (token == null || !isToken(token)) {
      throw wrong(".token", "is not the token of an interaction");
    }
    return new Interaction(id, application, token);
  }

  static boolean isToken(String text) {
    return TOKEN.matcher(text).matches();
  }

  private static @Nullable String text(Map<?, ?> map, String key) {
    Object value = map.get(key);
    return value == null ? null : value.toString();
  }

  private static InvalidInput wrong(String field, String problem) {
    return new InvalidInput("channelData." + FIELD + field, problem);
  }

  boolean isOver(Instant now) {
    return id != null && !now.isBefore(Snowflake.time(id).plus(LIFE));
  }

  @Override
  public String toString() {
    return "interaction " + id;
  }
}
