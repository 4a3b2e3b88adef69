package dev.postrider.channels.msteams;

import dev.postrider.channels.http.WebForm;
import dev.postrider.problem.InvalidInput;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a message is for: a conversation, or a person with whom one has to be opened first.
 *
 * @param chat the conversation without its thread, or the person's id
 * @param thread the id of a thread's first message, if the address names one
 */
record TeamsAddress(String chat, @Nullable String thread) {
  private static final String THREAD = ";messageid=";

  /** Channels and group chats; personal chats; people as a bot knows them. */
  private static final Pattern CONVERSATION =
      Pattern.compile(
          "(?<chat>19:[^\\s;/]{1,300}@[^\\s;/]{1,99}|a:[^\\s;/]{1,400})"
              + "(;messageid=(?<thread>\\d+))?");

  private static final Pattern PERSON =
      Pattern.compile("29:[^\\s;/]{1,400}|\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  /** What people copy in Teams: Get link to channel, Copy link. */
  private static final Pattern LINK =
      Pattern.compile("https://teams\\.microsoft\\.com/l/(?:channel|chat)/([^/?]+)(?:[/?].*)?");

  private static final Pattern CHANNEL = Pattern.compile(".*@thread\\.(tacv2|skype)");

  static boolean isConversation(String id) {
    return CONVERSATION.matcher(id).matches();
  }

  static boolean isPerson(String id) {
    return PERSON.matcher(id).matches();
  }

  /** Its only spelling. */
  static String canonical(String to) {
    String text = to.strip();
    Matcher link = LINK.matcher(text);
    if (link.matches()) {
      text = WebForm.decoded(link.group(1));
    }
    if (PERSON.matcher(text).matches()) {
      return text.startsWith("29:") ? text : text.toLowerCase(Locale.ROOT);
    }
    Matcher conversation = CONVERSATION.matcher(text);
    if (!conversation.matches()) {
      throw new InvalidInput(
          "to",
          "is no conversation of Teams: give its id (19:…@thread.tacv2, 19:…@thread.v2, a:…), the"
              + " link to the channel, or a person's id (29:… or the object id in Entra ID)");
    }
    if (conversation.group("thread") != null) {
      throw new InvalidInput(
          "to",
          "names a thread, which belongs to its conversation; give to %s with threadId %s"
              .formatted(conversation.group("chat"), conversation.group("thread")));
    }
    return text;
  }

  static TeamsAddress of(String to) {
    int thread = to.indexOf(THREAD);
    return thread < 0
        ? new TeamsAddress(to, null)
        : new TeamsAddress(to.substring(0, thread), to.substring(thread + THREAD.length()));
  }

  boolean isPerson() {
    return isPerson(chat);
  }

  /** Whether a chat is with one person. */
  static boolean isPersonal(String chat) {
    return chat.startsWith("a:");
  }

  /**
   * What a message is called. Teams numbers them by conversation; of personal ones word comes later
   * by their number, so that has to be told from the same number elsewhere.
   */
  static String named(String chat, String number) {
    return isPersonal(chat) ? chat + "/" + number : number;
  }

  /** Its number again. */
  static String number(String chat, String name) {
    return name.startsWith(chat + "/") ? name.substring(chat.length() + 1) : name;
  }

  /** Whether posts have threads below them here. */
  boolean isChannel() {
    return CHANNEL.matcher(chat).matches();
  }

  /** The conversation as the platform calls it. */
  static String conversation(String chat, @Nullable String thread) {
    return thread == null ? chat : chat + THREAD + thread;
  }

  /** A piece of a path. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
