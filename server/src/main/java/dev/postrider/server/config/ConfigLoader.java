package dev.postrider.server.config;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.AccountPace;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.NearestName;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.QueueSettings;
import dev.postrider.reminder.config.ReminderSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the configuration: file, then environment, then command-line options, later ones win. */
public final class ConfigLoader {
  private static final String DEFAULT_CHANNEL = "sandbox";

  private final Map<String, Channel> channels = new TreeMap<>();
  private final Map<String, String> environment;

  public ConfigLoader(Iterable<Channel> channels, Map<String, String> environment) {
    channels.forEach(channel -> this.channels.put(channel.name(), channel));
    this.environment = Map.copyOf(environment);
  }

  /** A loader that knows the channels on the class path. */
  public static ConfigLoader forChannelsOnClassPath(Map<String, String> environment) {
    return new ConfigLoader(ServiceLoader.load(Channel.class), environment);
  }

  /**
   * Reads a file, or the defaults if there is none.
   *
   * @param options values by option name and key: {@code --port → (http.port, 8081)}
   * @throws BadConfig listing every problem
   */
  public ServerConfig load(@Nullable Path file, List<Option> options) {
    if (file == null) {
      return read("defaults", "", options);
    }
    try {
      return read(file.toString(), Files.readString(file), options);
    } catch (CharacterCodingException e) {
      throw unreadable(file, "is not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(
          file, Files.exists(file) ? "cannot be read: " + e.getMessage() : "does not exist");
    }
  }

  /** Every value in force: those given, and after them the defaults of those not given. */
  public List<ServerConfig.Shown> inForce(ServerConfig config) {
    Set<String> given = new HashSet<>();
    List<ServerConfig.Shown> all = new ArrayList<>(config.values());
    config.values().forEach(value -> given.add(value.key()));
    for (ServerConfig.Shown value :
        new ConfigLoader(channels.values(), Map.of())
            .read("default", defaultFile(), List.of())
            .values()) {
      if (!given.contains(value.key()) && !value.key().startsWith("accounts")) {
        all.add(new ServerConfig.Shown(value.key(), value.value(), new Place("default")));
      }
    }
    return all;
  }

  private static String defaultFile() {
    try (@Nullable InputStream in =
        ConfigLoader.class.getResourceAsStream("/postrider.default.yaml")) {
      if (in == null) {
        throw new IllegalStateException("the build lacks postrider.default.yaml");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BadConfig unreadable(Path file, String sentence) {
    return new BadConfig(List.of(new Problem(new Place(file.toString()), "", sentence)));
  }

  /** A value given on the command line for a key. */
  public record Option(String name, String key, String value) {}

  /** Reads YAML text; {@code name} is what problems call it. */
  public ServerConfig read(String name, String text, List<Option> options) {
    List<Problem> problems = new ArrayList<>();
    Node.Mapping tree = YamlTree.read(name, text, problems);
    if (!problems.isEmpty()) {
      throw new BadConfig(problems);
    }
    Section<Draft> schema = new Schema(channels).root();
    Overrides overrides = new Overrides(environment);
    overrides.apply(schema, tree);
    options.forEach(option -> put(tree, option));
    tree.entries().computeIfAbsent("accounts", _ -> oneSandbox(name));

    References references = new References(environment);
    Reading reading = new Reading(references, problems);
    Draft draft = new Draft();
    reading.section(schema, tree, "", draft);
    List<String> warnings = new ArrayList<>();
    HttpSettings http = http(draft, tree, problems, warnings);
    PostriderConfig postrider = postrider(draft, tree, problems);
    Map<String, PushSettings> pushes = pushes(draft, tree, problems);
    ReminderSettings reminders =
        draft.reminders.settings(draft.accounts, place(tree, "reminders"), problems);
    AlertSettings alerts = alerts(draft, tree, problems);
    warnings.addAll(overrides.strangers(references.used()));
    if (!problems.isEmpty()) {
      throw new BadConfig(problems);
    }
    return new ServerConfig(
        postrider,
        http,
        new LogSettings(draft.logging.format, draft.logging.level),
        pushes,
        reminders,
        alerts,
        new HealthSettings(draft.health.oldestWaiting, draft.health.diskFree),
        reading.shown(),
        warnings);
  }

  private static Node oneSandbox(String file) {
    Place place = new Place(file + " (no accounts given)");
    Map<String, Node> account = new LinkedHashMap<>();
    account.put("id", new Node.Scalar(place, DEFAULT_CHANNEL, true));
    account.put("channel", new Node.Scalar(place, DEFAULT_CHANNEL, true));
    return new Node.Sequence(place, List.of(new Node.Mapping(place, account)));
  }

  private static void put(Node.Mapping tree, Option option) {
    Place place = Place.option(option.name());
    Node.Mapping at = tree;
    String[] steps = option.key().split("\\.");
    for (String step : List.of(steps).subList(0, steps.length - 1)) {
      @Nullable Node next = at.entries().get(step);
      if (!(next instanceof Node.Mapping)) {
        next = new Node.Mapping(place, new LinkedHashMap<>());
        at.entries().put(step, next);
      }
      at = (Node.Mapping) next;
    }
    at.entries().put(steps[steps.length - 1], new Node.Scalar(place, option.value(), true));
  }

  private static HttpSettings http(
      Draft all, Node.Mapping tree, List<Problem> problems, List<String> warnings) {
    Draft.Http draft = all.http;
    List<Token> tokens =
        draft.tokens.stream().map(t -> new Token(t.name, t.secret, t.roles)).toList();
    HttpSettings http =
        new HttpSettings(
            draft.host,
            draft.port,
            tokens,
            draft.bodyLimit,
            draft.batchLimit,
            draft.bodyTimeout,
            new HttpLimits(
                draft.headerTimeout,
                draft.writeTimeout,
                draft.bodiesLimit,
                draft.connections,
                draft.connectionsPerAddress,
                draft.failuresPerMinute),
            TlsFiles.tls(draft, tree, problems, warnings),
            TlsFiles.ca(all.cluster.ca, tree, problems),
            draft.trustedProxies);
    if (!http.loopback() && tokens.isEmpty()) {
      problems.add(
          new Problem(
              place(tree, "http", "host"),
              "http.host",
              "is '"
                  + draft.host
                  + "', which others can reach; give http.tokens, or bind to 127.0.0.1"));
    }
    Set<String> names = new HashSet<>();
    for (Token token : tokens) {
      if (!token.name().isEmpty() && !names.add(token.name())) {
        problems.add(
            new Problem(
                place(tree, "http", "tokens"),
                "http.tokens",
                "holds the name '" + token.name() + "' twice; give each its own"));
      }
    }
    return http;
  }

  private static @Nullable ClusterSettings cluster(
      Draft draft, Node.Mapping tree, List<Problem> problems) {
    Draft.Cluster given = draft.cluster;
    String node = given.node == null ? nodeName(draft.http.port) : given.node;
    String address = given.address == null ? "" : given.address.toString();
    try {
      return new ClusterSettings(node, address, given.heartbeat, given.lease);
    } catch (IllegalArgumentException e) {
      problems.add(
          new Problem(
              place(tree, "cluster", node.isBlank() ? "node" : "lease"),
              node.isBlank() ? "cluster.node" : "cluster.lease",
              String.valueOf(e.getMessage())));
      return null;
    }
  }

  /** No two servers of one machine have the same port; 0 is any, and tells nothing. */
  private static String nodeName(int port) {
    if (port == 0) {
      return ClusterSettings.ofThisProcess().node();
    }
    try {
      return InetAddress.getLocalHost().getHostName() + ":" + port;
    } catch (UnknownHostException e) {
      return "localhost:" + port;
    }
  }

  private PostriderConfig postrider(Draft draft, Node.Mapping tree, List<Problem> problems) {
    if (!draft.store.startsWith("sqlite:") && !draft.store.startsWith("jdbc:")) {
      problems.add(
          new Problem(
              place(tree, "store"),
              "store",
              "must begin with sqlite: or jdbc:, such as sqlite:postrider-data/postrider.db"));
    }
    draft.channels.forEach(
        (name, channel) ->
            lonelyBurst("channels." + name + ".pace", channel.pace, tree.place(), problems));
    PostriderConfig config =
        PostriderConfig.store(draft.store)
            .onUnavailable(draft.onUnavailable)
            .encryptionKeys(draft.encryptionKeys)
            .queue(QueueSettings.DEFAULTS.with(draft.queue))
            .media(draft.media.settings())
            .desk(draft.desk.settings());
    ClusterSettings cluster = cluster(draft, tree, problems);
    config = cluster == null ? config : config.cluster(cluster);
    for (Map.Entry<String, Draft.Channel> channel : draft.channels.entrySet()) {
      var pace = channel.getValue().pace.pace();
      if (pace != null) {
        config = config.channelPace(channel.getKey(), pace);
      }
    }
    boolean soFarRight = problems.isEmpty();
    Map<String, Place> seen = new LinkedHashMap<>();
    for (int i = 0; i < draft.accounts.size(); i++) {
      Draft.Account account = draft.accounts.get(i);
      String at = "accounts[" + i + "]";
      check(account, at, seen, problems);
      AccountConfig made = account(account, draft);
      config = config.account(made);
      @Nullable Channel channel = channels.get(account.channel);
      if (channel != null && soFarRight) {
        askChannel(channel, made, at, account.place, problems);
      }
    }
    return config;
  }

  /** A channel reads its own settings, and says itself what is wrong with them. */
  private static void askChannel(
      Channel channel, AccountConfig account, String at, Place place, List<Problem> problems) {
    try {
      channel.capabilities(account);
    } catch (IllegalArgumentException e) {
      problems.add(new Problem(place, at + ":", String.valueOf(e.getMessage())));
    }
  }

  private void check(
      Draft.Account account, String at, Map<String, Place> seen, List<Problem> problems) {
    if (!account.channel.isEmpty() && !channels.containsKey(account.channel)) {
      problems.add(
          new Problem(
              account.place,
              at + ".channel",
              "'"
                  + account.channel
                  + "' is not known"
                  + NearestName.hint(account.channel, channels.keySet())));
    }
    @Nullable Place first =
        account.id.isEmpty() ? null : seen.putIfAbsent(account.id, account.place);
    if (first != null) {
      problems.add(
          new Problem(
              account.place, at + ".id", "'" + account.id + "' is already taken at " + first));
    }
    lonelyBurst(at + ".pace", account.pace, account.place, problems);
    lonelyBurst(at + ".pace.chat", account.chatPace, account.place, problems);
  }

  private static void lonelyBurst(
      String key, Draft.Limits limits, Place place, List<Problem> problems) {
    if (limits.burst != null && limits.limits.isEmpty()) {
      problems.add(
          new Problem(place, key + ".burst", "needs a limit beside it, such as perMinute: 40"));
    }
  }

  private static AccountConfig account(Draft.Account account, Draft draft) {
    DeliverySettings delivery = DeliverySettings.DEFAULTS.with(draft.delivery);
    Draft.@Nullable Channel channel = draft.channels.get(account.channel);
    if (channel != null) {
      delivery = delivery.with(channel.delivery);
    }
    AccountPace pace = account.pace();
    return new AccountConfig(
        account.id,
        account.channel,
        account.settings,
        pace,
        account.content(),
        delivery.with(account.delivery),
        InboundSettings.DEFAULTS.with(draft.inbound.settings).with(account.inbound.settings));
  }

  /** Where each account's inbound messages are pushed, as far as they are. */
  private static Map<String, PushSettings> pushes(
      Draft draft, Node.Mapping tree, List<Problem> problems) {
    Map<String, PushSettings> pushes = new LinkedHashMap<>();
    Draft.Inbound all = draft.inbound;
    for (int i = 0; i < draft.accounts.size(); i++) {
      Draft.Account account = draft.accounts.get(i);
      @Nullable URI to = account.inbound.pushTo == null ? all.pushTo : account.inbound.pushTo;
      @Nullable String secret =
          account.inbound.pushSecret == null ? all.pushSecret : account.inbound.pushSecret;
      if (to != null && secret != null) {
        pushes.put(account.id, new PushSettings(to, secret, draft.desk.pushTimeout));
      } else if (account.inbound.pushTo != null) {
        problems.add(unsigned(account.place, "accounts[" + i + "].inbound"));
      }
    }
    if (all.pushTo != null && all.pushSecret == null) {
      problems.add(unsigned(place(tree, "inbound", "pushTo"), "inbound"));
    }
    return pushes;
  }

  private static AlertSettings alerts(Draft draft, Node.Mapping tree, List<Problem> problems) {
    AlertSettings alerts = draft.alerts.settings();
    List<String> names = draft.accounts.stream().map(account -> account.id).toList();
    String wrong = "";
    String why = "";
    if (alerts.account() != null && !names.contains(alerts.account())) {
      wrong = "account";
      why =
          "'"
              + alerts.account()
              + "' is not configured"
              + NearestName.hint(alerts.account(), names);
    } else if (alerts.account() != null && alerts.to() == null) {
      wrong = "account";
      why = "needs a chat beside it, such as to: 12345";
    } else if (alerts.to() != null && alerts.account() == null) {
      wrong = "to";
      why = "needs an account beside it that sends to it";
    } else if (alerts.webhook() != null && alerts.webhookSecret() == null) {
      wrong = "webhook";
      why =
          "needs a webhookSecret beside it (whsec_ and then base64), which signs what is posted;"
              + " make one with: echo whsec_$(openssl rand -base64 24)";
    } else if (!alerts.on() && !alerts.equals(new Draft.Alerts().settings())) {
      why = "says what to tell but not whom: give account and to, or webhook and webhookSecret";
    }
    if (!why.isEmpty()) {
      problems.add(
          new Problem(
              wrong.isEmpty() ? place(tree, "alerts") : place(tree, "alerts", wrong),
              wrong.isEmpty() ? "alerts" : "alerts." + wrong,
              why));
    }
    return alerts;
  }

  private static Problem unsigned(Place place, String at) {
    return new Problem(
        place,
        at + ".pushTo",
        "needs a pushSecret beside it (whsec_ and then base64), which signs what is pushed;"
            + " make one with: echo whsec_$(openssl rand -base64 24)");
  }

  static Place place(Node.Mapping tree, String... path) {
    Node at = tree;
    for (String step : path) {
      @Nullable Node next = at instanceof Node.Mapping mapping ? mapping.entries().get(step) : null;
      if (next == null) {
        break;
      }
      at = next;
    }
    return at.place();
  }
}
