package dev.postrider.channels.irc;

import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;

/** Gets our nick back when another had it as we came. For one thread. */
final class NickRecovery {
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final String SERVICE = "NickServ";

  private final IrcSettings settings;
  private final IrcSession session;
  private final Scheduler time;
  private Duration next;

  NickRecovery(IrcSettings settings, IrcSession session, Scheduler time) {
    this.settings = settings;
    this.session = session;
    this.time = time;
    next = time.elapsed().plus(EVERY);
  }

  /** Asks NickServ for it, if that is wanted. */
  void begin() throws IOException {
    if (!isDone() && !settings.recover().isEmpty()) {
      String password = settings.nickservPassword();
      String words = settings.recover() + " " + settings.nick();
      session
          .connection()
          .say(
              IrcMessage.saying(
                  "PRIVMSG", SERVICE, password.isEmpty() ? words : words + " " + password));
    }
  }

  private boolean isDone() {
    return session.isMe(settings.nick());
  }

  /** Tries again from time to time, and whenever the nick seems to have become free. */
  void after(IrcMessage heard) throws IOException {
    if (isDone()) {
      return;
    }
    boolean freed =
        (heard.is("QUIT") || heard.is("NICK")) && session.same(heard.nick(), settings.nick());
    boolean told = heard.is("NOTICE") && session.same(heard.nick(), SERVICE);
    if (freed || told || time.elapsed().compareTo(next) >= 0) {
      next = time.elapsed().plus(EVERY);
      session.connection().say(IrcMessage.line("NICK", settings.nick()));
    }
  }
}
