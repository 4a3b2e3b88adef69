package dev.postrider.config;

import dev.postrider.inbound.InboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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
    return name(
        field -> value(field, account, chat, arrival.threadId(), arrival.sender().id()),
        text -> text);
  }

  /**
   * The name that a conversation gets when its chat does. Null if it keeps its own: this key did
   * not name it, does not name chats, or does not tell accounts apart, so that the conversation may
   * be another account's as well.
   *
   * @param thread that it is about, if it is
   */
  public @Nullable String moved(
      String name, String account, String from, String to, @Nullable String thread) {
    if (!template.contains("{account}") || !template.contains("{chat}")) {
      return null;
    }
    String sender = sender(name, account, from, thread);
    String was = name(field -> value(field, account, from, thread, sender), text -> text);
    String now = name(field -> value(field, account, to, thread, sender), text -> text);
    return was.equals(name) && !now.equals(name) ? now : null;
  }

  /** Who is in the name of a conversation; empty if nobody is. */
  private String sender(String name, String account, String chat, @Nullable String thread) {
    String others =
        name(
            field ->
                field.equals("sender") ? "(.+)" : quoted(value(field, account, chat, thread, "")),
            Pattern::quote);
    Matcher named = Pattern.compile(others, Pattern.DOTALL).matcher(name);
    return named.matches() && named.groupCount() > 0 ? named.group(1) : "";
  }

  private static @Nullable String quoted(@Nullable String value) {
    return value == null || value.isEmpty() ? null : Pattern.quote(value);
  }

  private static @Nullable String value(
      String field, String account, String chat, @Nullable String thread, String sender) {
    return switch (field) {
      case "account" -> account;
      case "chat" -> chat;
      case "thread" -> thread;
      default -> sender;
    };
  }

  /**
   * @param value of a field; null or empty if there is none
   * @param text how what stands between fields is written
   */
  private String name(Function<String, @Nullable String> value, UnaryOperator<String> text) {
    List<String> pieces = new ArrayList<>();
    for (String piece : template.split("/", -1)) {
      String filled = fill(piece, value, text);
      if (filled != null) {
        pieces.add(filled);
      }
    }
    return String.join("/", pieces);
  }

  private static @Nullable String fill(
      String piece, Function<String, @Nullable String> value, UnaryOperator<String> text) {
    Matcher field = FIELD.matcher(piece);
    StringBuilder filled = new StringBuilder();
    int end = 0;
    while (field.find()) {
      String found = value.apply(field.group(1));
      if (found == null || found.isEmpty()) {
        return null;
      }
      filled.append(text.apply(piece.substring(end, field.start()))).append(found);
      end = field.end();
    }
    return filled.append(text.apply(piece.substring(end))).toString();
  }
}
