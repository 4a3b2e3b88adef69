package dev.postrider.channels.irc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known on one connection: what the server can do, who we are to others, where we are. One
 * thread hears; reading is thread-safe.
 */
final class IrcSession {
  /** What we can make use of, where it is offered. */
  private static final List<String> WANTED =
      List.of(
          "labeled-response",
          "echo-message",
          "message-tags",
          "batch",
          "server-time",
          "account-tag",
          "cap-notify",
          "chghost",
          IrcBatches.MULTILINE);

  static final String SASL = "sasl";
  private static final Pattern MASK = Pattern.compile("([^!\\s]+)!([^@\\s]+)@(\\S+)");
  private static final Pattern FLOOD =
      Pattern.compile("(?i)flood|recvq|sendq exceeded|too fast|slow down|throttl");
  private static final int LONGEST_USER = 12;
  private static final int LONGEST_HOST = 64;

  private final IrcConnection connection;
  private final FloodPace flood;
  private final ServerFacts facts = new ServerFacts();
  private final IrcBatches batches = new IrcBatches();
  private final Map<String, String> offered = new ConcurrentHashMap<>();
  private final Set<String> enabled = ConcurrentHashMap.newKeySet();
  private final Set<String> joined = ConcurrentHashMap.newKeySet();
  private volatile String nick;
  private volatile String user = "";
  private volatile String host = "";
  private volatile @Nullable String farewell;

  IrcSession(IrcConnection connection, FloodPace flood, String nick) {
    this.connection = connection;
    this.flood = flood;
    this.nick = nick;
  }

  IrcConnection connection() {
    return connection;
  }

  // ---- what the server can do

  ServerFacts facts() {
    return facts;
  }

  boolean has(String capability) {
    return enabled.contains(capability);
  }

  /** What the server offers by this name: a value, which may be empty; null if it does not. */
  @Nullable String offers(String capability) {
    return offered.get(capability);
  }

  /** Whether each command has its answer by label. */
  boolean labels() {
    return has("labeled-response") && has("batch");
  }

  /** A limit of {@code draft/multiline}. */
  int multiline(String limit, int otherwise) {
    Matcher value =
        Pattern.compile("(?:^|,)" + limit + "=(\\d{1,8})(?:,|$)")
            .matcher(offered.getOrDefault(IrcBatches.MULTILINE, ""));
    return value.find() ? Integer.parseInt(value.group(1)) : otherwise;
  }

  /** Asks for what we want and do not have; false if there is nothing to ask for. */
  boolean request(boolean login) throws IOException {
    List<String> wanted = new ArrayList<>(WANTED);
    if (login) {
      wanted.add(SASL);
    }
    wanted.removeIf(name -> !offered.containsKey(name) || enabled.contains(name));
    if (!wanted.isEmpty()) {
      connection.say("CAP REQ :" + String.join(" ", wanted));
    }
    return !wanted.isEmpty();
  }

  private void capabilities(IrcMessage message) throws IOException {
    List<String> names = List.of(message.last().strip().split(" +"));
    switch (message.param(1).toUpperCase(Locale.ROOT)) {
      case "LS", "NEW" -> {
        for (String name : names) {
          int equals = name.indexOf('=');
          offered.put(
              equals < 0 ? name : name.substring(0, equals),
              equals < 0 ? "" : name.substring(equals + 1));
        }
        if (message.param(1).equalsIgnoreCase("NEW")) {
          request(false);
        }
      }
      case "ACK" -> names.forEach(this::acknowledged);
      case "DEL" ->
          names.forEach(
              name -> {
                offered.remove(name);
                enabled.remove(name);
              });
      default -> {} // NAK: then without
    }
  }

  private void acknowledged(String name) {
    if (name.startsWith("-")) {
      enabled.remove(name.substring(1));
    } else {
      enabled.add(name);
    }
  }

  // ---- who we are

  String nick() {
    return nick;
  }

  boolean isMe(String name) {
    return same(name, nick);
  }

  boolean same(String one, String other) {
    return fold(one).equals(fold(other));
  }

  String fold(String name) {
    return facts.caseMapping().fold(name);
  }

  /**
   * How many bytes of text fit into a line once the server has put before it who we are. What we
   * have not been told of us yet is taken to be as long as it may be.
   */
  int room(String command, String target) {
    int userLength = user.isEmpty() ? facts.number("USERLEN", LONGEST_USER) + 1 : bytes(user);
    int hostLength = host.isEmpty() ? facts.number("HOSTLEN", LONGEST_HOST) : bytes(host);
    int sender = bytes(nick) + userLength + hostLength;
    int around = bytes(":!@  " + command + target + " :\r\n");
    return facts.lineLength() - sender - around;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void learnSelf(String mask) {
    Matcher self = MASK.matcher(mask);
    if (self.find() && isMe(self.group(1))) {
      user = self.group(2);
      host = self.group(3);
    }
  }

  // ---- where we are

  boolean isIn(String channel) {
    return joined.contains(fold(channel));
  }

  void left(String channel) {
    joined.remove(fold(channel));
  }

  // ---- hearing

  /** Why the server ended the connection, in its own words; null if it said nothing. */
  @Nullable String farewell() {
    return farewell;
  }

  /** Takes a line in, and gives what others have said with it. */
  List<IrcMessage> hear(IrcMessage line) throws IOException {
    List<IrcMessage> heard = batches.take(line);
    List<IrcMessage> said = new ArrayList<>();
    for (IrcMessage message : heard) {
      learn(message);
      if (isSpeech(message) && message.isFromUser() && !isMe(message.nick())) {
        said.add(message);
      }
    }
    if (!heard.isEmpty() && !heard.getFirst().tag("label").isEmpty()) {
      connection.answer(heard.getFirst().tag("label"), heard);
    } else {
      heard.stream().filter(this::mayAnswer).forEach(connection::said);
    }
    return said;
  }

  private static boolean isSpeech(IrcMessage message) {
    return message.is("PRIVMSG") || message.is("NOTICE");
  }

  /** Whether it can be what the server says to one of our commands. */
  private boolean mayAnswer(IrcMessage message) {
    boolean ours = message.isFromUser() && isMe(message.nick());
    return message.isRefusal()
        || message.command().matches("301|470")
        || (ours && (isSpeech(message) || message.is("JOIN")));
  }

  private void learn(IrcMessage message) throws IOException {
    boolean ours = message.isFromUser() && isMe(message.nick());
    if (ours) {
      learnSelf(message.source());
    }
    switch (message.command().toUpperCase(Locale.ROOT)) {
      case "PING" -> connection.say(IrcMessage.line("PONG", message.last()));
      case "PONG" -> connection.pong(message.last());
      case "CAP" -> capabilities(message);
      case "001" -> {
        nick = message.param(0);
        learnSelf(message.last());
      }
      case "005" -> facts.learn(message);
      case "396" -> host = message.param(1).replaceFirst("^.*@", "");
      case "JOIN" -> {
        if (ours) {
          joined.add(fold(message.param(0)));
        }
      }
      case "PART" -> {
        if (ours) {
          left(message.param(0));
        }
      }
      case "KICK" -> {
        if (isMe(message.param(1))) {
          left(message.param(0));
        }
      }
      case "NICK" -> {
        if (ours) {
          nick = message.last();
        }
      }
      case "CHGHOST" -> {
        if (ours) {
          user = message.param(0);
          host = message.param(1);
        }
      }
      case "NOTICE" -> {
        if (!message.isFromUser() && FLOOD.matcher(message.last()).find()) {
          flood.warned();
        }
      }
      case "ERROR" -> {
        farewell = message.last().replaceAll("\\p{Cntrl}", "");
        if (FLOOD.matcher(message.last()).find()) {
          flood.warned();
        }
      }
      default -> {} // nothing that we need to know
    }
  }
}
