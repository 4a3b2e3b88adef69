package dev.postrider.server.openclaw;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.problem.InvalidInput;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the queue calls a chat, as its channel here calls it. */
record ChatSpelling(Channel channel, AccountConfig account) {
  private static final Pattern PREFIXED = Pattern.compile("([A-Za-z-]{1,20}):(.+)");
  private static final Pattern TOPIC = Pattern.compile("(.+):topic:(\\d+)");
  private static final Set<String> KINDS =
      Set.of("user", "channel", "room", "chat", "conversation", "group", "dm", "direct", "thread");

  /**
   * @param topic a thread that the name itself names; null: none
   */
  record Chat(String to, @Nullable String topic) {}

  /** What can be no address of the channel stays as it is: planning says what is wrong with it. */
  Chat of(String there, String given) {
    String to = given.strip();
    Matcher topic = TOPIC.matcher(to);
    String thread = topic.matches() ? topic.group(2) : null;
    String bare = bare(there, thread == null ? to : topic.group(1));
    return new Chat(accepts(bare) ? channel.canonical(account, bare) : bare, thread);
  }

  private String bare(String there, String to) {
    Matcher prefixed = PREFIXED.matcher(to);
    if (!prefixed.matches()) {
      return to;
    }
    String prefix = prefixed.group(1).toLowerCase(Locale.ROOT);
    boolean itsOwn = prefix.equals(there) || prefix.equals(channel.name()) || prefix.equals("tg");
    return itsOwn || (KINDS.contains(prefix) && !understands(to))
        ? bare(there, prefixed.group(2))
        : to;
  }

  /** Whether the prefix means something to the channel: one that takes any name takes this, too. */
  private boolean understands(String to) {
    return accepts(to) && !accepts("no-such-" + to);
  }

  private boolean accepts(String to) {
    try {
      channel.canonical(account, to);
      return true;
    } catch (InvalidInput e) {
      return false;
    }
  }
}
