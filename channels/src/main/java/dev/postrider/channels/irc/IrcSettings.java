package dev.postrider.channels.irc;

import static java.util.stream.Collectors.joining;

import dev.postrider.channel.Channel.Setting;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.http.TrustedAuthorities;
import dev.postrider.channels.irc.SaslLogin.Mechanism;
import dev.postrider.config.AccountConfig;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An account's settings, read and checked.
 *
 * @param tls how to speak TLS; null for the usual way
 * @param sasl null if none is named: then a password chooses, or nobody logs in
 * @param channels to join at the start, each with its key, which may be empty
 * @param recover what to ask NickServ for when somebody else has our nick; empty for nothing
 * @param multiline how many lines a message may have; 1 if each line is one
 */
record IrcSettings(
    String host,
    int port,
    boolean secure,
    @Nullable SSLContext tls,
    String nick,
    String username,
    String realname,
    String password,
    @Nullable Mechanism sasl,
    String saslUser,
    String saslPassword,
    Map<String, String> channels,
    String recover,
    String nickservPassword,
    CaseMapping caseMapping,
    int multiline,
    Duration connectTimeout,
    Duration timeout,
    Duration idle) {

  static final List<Setting> ALL =
      List.of(
          new Setting("host", true, false, "the network's server, such as irc.libera.chat"),
          new Setting("port", false, false, "its port; 6697, without tls 6667"),
          new Setting(
              "tls",
              false,
              false,
              "true; false is unsafe: everybody on the way reads along, passwords too"),
          TrustedAuthorities.SETTING,
          new Setting("certFile", false, false, "a PEM file: our own certificate, for EXTERNAL"),
          new Setting("keyFile", false, false, "a PEM file: its key, in PKCS#8"),
          new Setting("nick", true, false, "the name we go by"),
          new Setting("username", false, false, "what stands before the host; the nick"),
          new Setting("realname", false, false, "what whois tells of us; the nick"),
          new Setting("password", false, true, "the server's own password, if it has one"),
          new Setting(
              "sasl",
              false,
              false,
              "PLAIN, SCRAM-SHA-256 or EXTERNAL; with a saslPassword the best that is offered"),
          new Setting("saslUser", false, false, "the account's name at the network; the nick"),
          new Setting("saslPassword", false, true, "the account's password at the network"),
          new Setting(
              "channels", false, false, "to join at the start; a key follows after a space"),
          new Setting(
              "recover", false, false, "REGAIN or GHOST: asked of NickServ if our nick is taken"),
          new Setting(
              "nickservPassword", false, true, "goes with it, if we are not logged in by SASL"),
          new Setting(
              "casemapping",
              false,
              false,
              "ascii, or rfc1459 where the server says so: #a[1] and #a{1} are one channel then"),
          new Setting(
              "multiline",
              false,
              false,
              "how many lines one message may have, if the server offers draft/multiline; 1"),
          new Setting("connectTimeout", false, false, "how long connecting may take; 10s"),
          new Setting("timeout", false, false, "how long an answer may take; 30s"),
          new Setting("idle", false, false, "how long the connection may be quiet; 60s"));

  static IrcSettings of(AccountConfig account) {
    Settings settings = Settings.of(account);
    boolean secure = settings.flag("tls", true);
    Integer port = settings.count("port");
    Integer lines = settings.count("multiline");
    String nick = word(settings, "nick", settings.required("nick"));
    return new IrcSettings(
        word(settings, "host", settings.required("host")),
        port == null ? secure ? 6697 : 6667 : port,
        secure,
        secure ? ClientCertificate.context(settings) : null,
        nick(settings, nick),
        word(settings, "username", settings.text("username", nick)),
        line(settings, "realname", settings.text("realname", nick)),
        line(settings, "password", settings.text("password", "")),
        sasl(settings),
        line(settings, "saslUser", settings.text("saslUser", nick)),
        line(settings, "saslPassword", settings.text("saslPassword", "")),
        channels(settings),
        recover(settings),
        line(settings, "nickservPassword", settings.text("nickservPassword", "")),
        caseMapping(settings),
        lines == null ? 1 : lines,
        settings.duration("connectTimeout", Duration.ofSeconds(10)),
        settings.duration("timeout", Duration.ofSeconds(30)),
        settings.duration("idle", Duration.ofSeconds(60)));
  }

  /** Text that goes into a line must not begin another. */
  private static String line(Settings settings, String key, String value) {
    if (!IrcMessage.isLine(value)) {
      throw settings.wrong(key, "has an end of a line in it; write it in one line");
    }
    return value;
  }

  private static String word(Settings settings, String key, String value) {
    if (!value.matches("[^\\s:\\x00-\\x20][^\\s\\x00-\\x20]*")) {
      throw settings.wrong(key, "must be one word");
    }
    return value;
  }

  private static String nick(Settings settings, String nick) {
    try {
      if (!IrcAddress.parse(nick).isChannel()) {
        return nick;
      }
    } catch (InvalidInput e) {
      // Said below.
    }
    throw settings.wrong(
        "nick", "cannot be a nick; begin with a letter, without spaces and ,:@*?!");
  }

  private static @Nullable Mechanism sasl(Settings settings) {
    String name = settings.text("sasl", "");
    boolean password = !settings.text("saslPassword", "").isEmpty();
    if (name.isEmpty()) {
      return null;
    }
    Mechanism mechanism = Mechanism.named(name);
    if (mechanism == null) {
      throw settings.wrong(
          "sasl",
          "is not known; known are "
              + Stream.of(Mechanism.values()).map(one -> one.label).collect(joining(", ")));
    }
    boolean certificate = !settings.text("certFile", "").isEmpty();
    if (mechanism == Mechanism.EXTERNAL && (!certificate || !settings.flag("tls", true))) {
      throw settings.wrong("sasl", "EXTERNAL needs certFile and keyFile, and tls");
    }
    if (mechanism != Mechanism.EXTERNAL && !password) {
      throw settings.wrong("saslPassword", "is missing; give it, or leave out sasl");
    }
    return mechanism;
  }

  private static Map<String, String> channels(Settings settings) {
    Map<String, String> channels = new LinkedHashMap<>();
    for (String each : settings.texts("channels")) {
      String[] words = line(settings, "channels", each).strip().split(" +");
      try {
        IrcAddress channel = IrcAddress.parse(words[0]);
        if (channel.isChannel() && channel.rank().isEmpty() && words.length <= 2) {
          String name = CaseMapping.ASCII.fold(channel.name());
          channels.put(name, words.length == 2 ? words[1] : "");
          continue;
        }
      } catch (InvalidInput e) {
        // Said below.
      }
      throw settings.wrong("channels", "must be channels such as \"#room\" or \"#room key\"");
    }
    return channels;
  }

  private static String recover(Settings settings) {
    String how = settings.text("recover", "");
    if (!how.matches("|REGAIN|GHOST")) {
      throw settings.wrong("recover", "is not known; known are REGAIN and GHOST");
    }
    return how;
  }

  private static CaseMapping caseMapping(Settings settings) {
    String name = settings.text("casemapping", "ascii");
    if (!name.matches("ascii|rfc1459")) {
      throw settings.wrong("casemapping", "is not known; known are ascii and rfc1459");
    }
    return CaseMapping.named(name);
  }

  /** Whether there is an account at the network to log in to. */
  boolean hasLogin() {
    return sasl != null || !saslPassword.isEmpty();
  }

  /**
   * How to log in.
   *
   * @param offered the mechanisms that the server names; empty if it names none
   */
  Mechanism mechanism(String offered) {
    if (sasl != null) {
      return sasl;
    }
    List<String> names = List.of(offered.toUpperCase(Locale.ROOT).split(","));
    return secure && !names.contains(Mechanism.SCRAM_SHA_256.label)
        ? Mechanism.PLAIN
        : Mechanism.SCRAM_SHA_256;
  }

  /** What must never be shown. */
  Secrets secrets() {
    return Secrets.of(
        Stream.concat(
                Stream.of(password, saslPassword, nickservPassword), channels.values().stream())
            .toArray(String[]::new));
  }

  String server() {
    return host + ":" + port;
  }

  @Override
  public String toString() {
    return nick + " at " + server(); // a record would show the passwords
  }
}
