package dev.postrider.channels.discord;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;

/** The ways in. They differ in whose limit is used up and in what it means if nobody opens. */
enum ApiRoute {
  /** Bots write to many chats, each with a limit of its own. */
  BOT(ThrottleScope.CHAT),
  /** A webhook is one chat; its account is nothing else. */
  WEBHOOK(ThrottleScope.ACCOUNT),
  /** The answer to one interaction. */
  INTERACTION(ThrottleScope.CHAT);

  private final ThrottleScope scope;

  ApiRoute(ThrottleScope scope) {
    this.scope = scope;
  }

  ThrottleScope scope() {
    return scope;
  }

  /** What it means that the door itself is unknown or refuses its key. */
  Outcome closed(String cause) {
    return switch (this) {
      case BOT, WEBHOOK -> new Outcome.AccountBroken(cause);
      case INTERACTION -> over(cause);
    };
  }

  private static final String OVER =
      "an interaction can be answered for 15 minutes, and this is over: ";

  static Outcome over(String cause) {
    return new Outcome.Rejected(Blame.MESSAGE, OVER + cause);
  }

  static boolean isOver(String cause) {
    return cause.startsWith(OVER);
  }
}
