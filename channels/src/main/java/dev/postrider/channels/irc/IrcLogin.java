package dev.postrider.channels.irc;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.channels.irc.SaslLogin.Mechanism;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a connection begins: capabilities, password, account, nick. For one thread, once. */
final class IrcLogin {
  private static final int MOST_NICKS = 20;

  /** With two digits more it still is a nick on servers that allow nine characters. */
  private static final int SHORT_NICK = 7;

  private static final Pattern BANNED = Pattern.compile("(?i)[kgdz]-?line|banned|not welcome");

  private final IrcSettings settings;
  private final IrcSession session;
  private final IrcConnection connection;
  private @Nullable SaslLogin sasl;
  private int nicks;

  IrcLogin(IrcSettings settings, IrcSession session) {
    this.settings = settings;
    this.session = session;
    this.connection = session.connection();
  }

  /**
   * Enters the network.
   *
   * @throws ListeningRefused if a person has to change something
   */
  void enter() throws IOException {
    hello();
    connection.say(IrcMessage.line("NICK", settings.nick()));
    connection.say("USER " + settings.username() + " 0 * :" + settings.realname());
    if (authenticate(true)) {
      connection.say("CAP END");
      while (!isEntered(next())) {
        // the server's greeting
      }
    }
  }

  /** Shows who we are and leaves before anybody sees us. */
  void check() throws IOException {
    hello();
    authenticate(false);
    connection.say("QUIT");
  }

  private void hello() throws IOException {
    connection.say("CAP LS 302");
    if (!settings.password().isEmpty()) {
      connection.say(IrcMessage.line("PASS", settings.password()));
    }
  }

  private IrcMessage next() throws IOException {
    IrcMessage message = connection.next(settings.timeout());
    session.hear(message);
    refuse(message);
    return message;
  }

  /**
   * Settles what the server can do, and logs in to our account.
   *
   * @return false if the server knows nothing of that, and has let us in already
   */
  private boolean authenticate(boolean entering) throws IOException {
    while (true) {
      IrcMessage message = next();
      switch (message.command().toUpperCase(Locale.ROOT)) {
        case "CAP" -> {
          if (isSettled(message)) {
            return true;
          }
        }
        case "AUTHENTICATE" -> answer(message.param(0));
        case "900" -> {}
        case "903" -> {
          if (sasl == null || !sasl.isGenuine()) {
            throw new ListeningRefused("the server lets us in without knowing the password");
          }
          return true;
        }
        case "421", "451" -> {
          if (!entering) {
            requireNoLogin();
            return true; // it has never heard of capabilities
          }
        }
        default -> {
          if (isEntered(message)) {
            requireNoLogin();
            return false;
          }
        }
      }
    }
  }

  private boolean isSettled(IrcMessage message) throws IOException {
    switch (message.param(1).toUpperCase(Locale.ROOT)) {
      case "LS" -> {
        if (message.param(2).equals("*")) {
          return false; // there are more
        }
        if (settings.hasLogin()) {
          requireOffer();
        }
        return !session.request(settings.hasLogin());
      }
      case "ACK" -> {
        return !beginLogin();
      }
      case "NAK" -> {
        requireNoLogin();
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  private boolean beginLogin() throws IOException {
    if (!settings.hasLogin() || !session.has(IrcSession.SASL)) {
      return false;
    }
    sasl = new SaslLogin(mechanism(), settings.saslUser(), settings.saslPassword());
    connection.say(sasl.begin());
    return true;
  }

  private Mechanism mechanism() {
    String offered = session.offers(IrcSession.SASL);
    return settings.mechanism(offered == null ? "" : offered);
  }

  private void answer(String challenge) throws IOException {
    if (sasl != null) {
      for (String line : sasl.answer(challenge)) {
        connection.say(line);
      }
    }
  }

  private void requireOffer() throws ListeningRefused {
    String offered = session.offers(IrcSession.SASL);
    if (offered == null) {
      throw new ListeningRefused(noSasl());
    }
    String ours = mechanism().label;
    if (!offered.isEmpty()
        && !List.of(offered.toUpperCase(Locale.ROOT).split(",")).contains(ours)) {
      throw new ListeningRefused(
          "the server does not take " + ours + " but " + offered + "; set sasl");
    }
  }

  private void requireNoLogin() throws ListeningRefused {
    if (settings.hasLogin()) {
      throw new ListeningRefused(noSasl());
    }
  }

  private String noSasl() {
    return settings.host()
        + " offers no SASL; is it the right server? Else take sasl and"
        + " saslPassword out";
  }

  /** Whether we are in: the server's greeting is over. */
  private static boolean isEntered(IrcMessage message) {
    return message.command().matches("376|422");
  }

  private void refuse(IrcMessage message) throws IOException {
    switch (message.command().toUpperCase(Locale.ROOT)) {
      case "433", "436", "437" -> anotherNick();
      case "432" -> throw new ListeningRefused(message.words() + "; choose another nick");
      case "464" -> throw new ListeningRefused(message.words() + "; check password");
      case "465", "466" -> throw new ListeningRefused(message.words());
      case "902", "904", "905", "906", "908" ->
          throw new ListeningRefused(message.words() + "; check saslUser, saslPassword and sasl");
      case "ERROR" -> {
        String farewell = String.valueOf(session.farewell());
        if (BANNED.matcher(farewell).find()) {
          throw new ListeningRefused(farewell);
        }
        throw new IOException(farewell);
      }
      default -> {} // no refusal
    }
  }

  /** Somebody has our nick: takes a similar one; the session gets it back later. */
  private void anotherNick() throws IOException {
    nicks++;
    if (nicks > MOST_NICKS) {
      throw new IOException("the server takes no nick like " + settings.nick());
    }
    String nick = settings.nick();
    String start = nick.substring(0, Math.min(nick.length(), SHORT_NICK));
    connection.say(IrcMessage.line("NICK", nicks <= 2 ? nick + "_".repeat(nicks) : start + nicks));
  }
}
