package dev.postrider.channels.irc;

import dev.postrider.problem.InvalidInput;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom a message is for: a nick, a channel, or those in a channel with a rank ({@code @#room}).
 *
 * @param rank the signs before the channel's name; empty for all of it
 * @param name the nick or the channel
 */
record IrcAddress(String rank, String name) {
  private static final Pattern CHANNEL = Pattern.compile("([~&@%+!]*)(#[^\\s,\\x00-\\x20]{0,200})");
  private static final Pattern OTHER_CHANNEL = Pattern.compile("[&+!][^\\s,\\x00-\\x20]{1,200}");

  /** A nick that no server could take for a channel, a mask, several people or a parameter. */
  private static final Pattern NICK =
      Pattern.compile("[^\\s\\x00-\\x2c.:@$&+*?!~%/0-9-][^\\s\\x00-\\x20,:@*?!]{0,63}");

  /** Reads an address. */
  static IrcAddress parse(String to) {
    Matcher channel = CHANNEL.matcher(to);
    if (channel.matches()) {
      return new IrcAddress(channel.group(1), channel.group(2));
    }
    if (OTHER_CHANNEL.matcher(to).matches() || NICK.matcher(to).matches()) {
      return new IrcAddress("", to);
    }
    throw new InvalidInput(
        "to",
        "must be a channel such as #room, those with a rank in it such as @#room, or one nick");
  }

  boolean isChannel() {
    return "#&+!".indexOf(name.charAt(0)) >= 0;
  }

  @Override
  public String toString() {
    return rank + name;
  }
}
