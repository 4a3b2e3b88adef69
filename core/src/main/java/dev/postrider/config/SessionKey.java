package dev.postrider.config;

import dev.postrider.inbound.InboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How conversations are named: pieces between slashes, with {@code {account}}, {@code {chat}},
 * {@code {thread}} and {@code {sender}} in them. A piece whose value an event does not have is left
 * out with its slash.
 */
public record SessionKey(String template) {
  private static final Pattern FIELD = Pattern.compile("\\{([^{}]*)}");
  private static final Set<String> FIELDS = Set.of("account", "chat", "thread", "sender");

  /** A chat, or a thread of it. */
  public static final SessionKey DEFAULT = new SessionKey("{account}/{chat}/{thread}");

  public SessionKey {
    Matcher field = FIELD.matcher(template);
    boolean any = false;
    while (field.find()) {
      if (!FIELDS.contains(field.group(1))) {
        throw new IllegalArgumentException(
            "knows no {"
                + field.group(1)
                + "}; there are {account}, {chat}, {thread} and {sender}");
      }
      any |= !field.group(1).equals("account") && !field.group(1).equals("thread");
    }
    if (!any) {
      throw new IllegalArgumentException(
          "needs {chat} or {sender}, or everybody would be in one conversation");
    }
  }

  /** The name of the conversation an event belongs to. */
  public String of(String account, InboundMessage arrival) {
    return of(account, arrival, arrival.chat());
  }

  /**
   * The name of the conversation an event belongs to.
   *
   * @param chat the name that its chat has now
   */
  public String of(String account, InboundMessage arrival, String chat) {
    List<String> pieces = new ArrayList<>();
    for (String piece : template.split("/", -1)) {
      String filled = fill(piece, account, arrival, chat);
      if (filled != null) {
        pieces.add(filled);
      }
    }
    return String.join("/", pieces);
  }

  private static @Nullable String fill(
      String piece, String account, InboundMessage arrival, String chat) {
    Matcher field = FIELD.matcher(piece);
    StringBuilder filled = new StringBuilder();
    while (field.find()) {
      String value =
          switch (field.group(1)) {
            case "account" -> account;
            case "chat" -> chat;
            case "thread" -> arrival.threadId();
            default -> arrival.sender().id();
          };
      if (value == null || value.isEmpty()) {
        return null;
      }
      field.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return field.appendTail(filled).toString();
  }
}
