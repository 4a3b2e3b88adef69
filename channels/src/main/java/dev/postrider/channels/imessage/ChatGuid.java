package dev.postrider.channels.imessage;

import dev.postrider.problem.InvalidInput;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a chat, as Messages has it: {@code iMessage;-;+491701234567} for a person, {@code
 * iMessage;+;chat123} for a group.
 *
 * @param service {@code iMessage}, {@code SMS} or {@code RCS}
 * @param id the number, the e-mail address, or the name of the group
 */
public record ChatGuid(String service, boolean group, String id) {
  private static final Pattern GUID =
      Pattern.compile("(iMessage|SMS|RCS|any);([-+]);([^;\\p{Cntrl}]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern NUMBER = Pattern.compile("\\+\\d{5,15}");
  private static final Pattern SHORT_CODE = Pattern.compile("\\d{3,8}");
  private static final Pattern GROUP = Pattern.compile("chat\\d{5,}");

  /** What chats are called since macOS 26, whatever carries them. */
  public static final String ANY = "any";

  public static final String IMESSAGE = "iMessage";

  /**
   * Reads an address as people write it.
   *
   * @throws InvalidInput if it can be none
   */
  public static ChatGuid of(String to) {
    Matcher guid = GUID.matcher(to.strip());
    if (guid.matches()) {
      String id = person(guid.group(3));
      if (id.matches("\\S+")) {
        return new ChatGuid(service(guid.group(1)), guid.group(2).equals("+"), id);
      }
    }
    String id = person(to.strip());
    if (GROUP.matcher(id).matches()) {
      return new ChatGuid(IMESSAGE, true, id);
    }
    if (NUMBER.matcher(id).matches() || SHORT_CODE.matcher(id).matches() || isMail(id)) {
      return new ChatGuid(IMESSAGE, false, id);
    }
    throw new InvalidInput(
        "to",
        "must be a phone number with + and the country's code, an e-mail address, or the guid of"
            + " a chat such as iMessage;+;chat123456789");
  }

  /** A chat of iMessage has the name {@code any} since macOS 26, and is the same. */
  private static String service(String written) {
    return switch (written.toLowerCase(Locale.ROOT)) {
      case "sms" -> "SMS";
      case "rcs" -> "RCS";
      default -> IMESSAGE;
    };
  }

  private static String person(String id) {
    if (isMail(id)) {
      return id.toLowerCase(Locale.ROOT);
    }
    String digits = id.replaceAll("[\\s().\\-\\u00a0\\u2010-\\u2013]", "");
    return NUMBER.matcher(digits).matches() ? digits : id;
  }

  private static boolean isMail(String id) {
    return id.matches("[^@\\s;]+@[^@\\s;]+");
  }

  /** The one form by which its lane is known. */
  public String canonical() {
    return named(service);
  }

  /** What a Mac calls it. */
  public String on(String usualService) {
    return named(service.equals(IMESSAGE) ? usualService : service);
  }

  private String named(String prefix) {
    return prefix + (group ? ";+;" : ";-;") + id;
  }

  /** Whether the Mac means this chat, whatever carried the message. */
  public boolean isIn(String guid) {
    Matcher other = GUID.matcher(guid);
    return other.matches() && person(other.group(3)).equalsIgnoreCase(id);
  }
}
