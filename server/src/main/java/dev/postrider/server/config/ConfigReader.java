package dev.postrider.server.config;

import static dev.postrider.server.config.Type.address;
import static dev.postrider.server.config.Type.amount;
import static dev.postrider.server.config.Type.choice;
import static dev.postrider.server.config.Type.count;
import static dev.postrider.server.config.Type.duration;
import static dev.postrider.server.config.Type.durationOrOff;
import static dev.postrider.server.config.Type.encryptionKeys;
import static dev.postrider.server.config.Type.file;
import static dev.postrider.server.config.Type.flag;
import static dev.postrider.server.config.Type.networks;
import static dev.postrider.server.config.Type.ratio;
import static dev.postrider.server.config.Type.receiver;
import static dev.postrider.server.config.Type.signingSecret;
import static dev.postrider.server.config.Type.size;
import static dev.postrider.server.config.Type.text;
import static dev.postrider.server.config.Type.zone;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.config.InboundQueueSettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.NearestName;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.PostriderConfig.OnUnavailable;
import dev.postrider.config.QueueSettings;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.server.tls.BadTlsFile;
import dev.postrider.server.tls.Identity;
import dev.postrider.server.tls.TlsSettings;
import dev.postrider.server.tls.Trust;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the settings of what is configured. Every key there is, is asked for here, with its type
 * and its default; nothing else is needed for it to be checked, overridable and shown.
 */
final class ConfigReader {
  private static final Duration NONE = Duration.ZERO;
  private static final Duration TICK = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000;

  private final Map<String, Channel> channels;
  private final ConfigSources sources;
  private final List<ServerConfig.Warning> warnings = new ArrayList<>();
  private final AccountReader reader;

  ConfigReader(Map<String, Channel> channels, ConfigSources sources) {
    this.channels = channels;
    this.sources = sources;
    this.reader = new AccountReader(channels);
  }

  /** The settings; of no use if there are problems among the sources afterwards. */
  ServerConfig read(Node.Mapping tree) {
    ConfigSection root = sources.root(tree);
    ConfigSection storage = root.section("storage");
    PostriderConfig engine =
        PostriderConfig.store(store(root))
            .onUnavailable(
                storage.value("onUnavailable", choice(OnUnavailable.class), OnUnavailable.REFUSE))
            .encryptionKeys(storage.value("encryptionKey", encryptionKeys(), EncryptionKeys.OFF));
    ConfigSection cluster = root.section("cluster");
    ConfigSection web = root.section("http");
    HttpSettings http = http(web, ca(cluster));
    @Nullable URI publicUrl = web.value("publicUrl", address());
    engine =
        engine.media(
            media(root.section("media"))
                .publicUrl(publicUrl == null ? null : publicUrl.toString().replaceAll("/+$", "")));
    engine = engine.cluster(cluster(cluster, http.port()));
    ConfigSection logging = root.section("logging");
    LogSettings log =
        new LogSettings(
            logging.value("format", choice(LogFormat.class), LogFormat.TEXT),
            logging.value("level", choice(LogLevel.class), LogLevel.INFO));
    ConfigSection delivery = root.section("delivery");
    UnaryOperator<DeliverySettings> everywhere = AccountReader.delivery(delivery);
    engine = engine.queue(queue(delivery));
    Map<String, DeliverySettings> ofChannels = new LinkedHashMap<>();
    ConfigSection named = root.section("channels");
    for (Channel known : channels.values()) {
      String name = known.name();
      ConfigSection channel = named.section(name);
      @Nullable Pace pace = AccountReader.pace(channel.section("pace"));
      engine = pace == null ? engine : engine.channelPace(name, pace);
      DeliverySettings usual = known.delivery(DeliverySettings.DEFAULTS);
      ofChannels.put(
          name, AccountReader.delivery(channel.section("delivery")).apply(everywhere.apply(usual)));
    }
    AccountReader.Inbound inbound = AccountReader.inbound(root.section("inbound"), null);
    engine = engine.inboundQueue(inboundQueue(inbound.section()));
    Duration pushTimeout =
        inbound.section().value("pushTimeout", duration(TICK), Duration.ofSeconds(30));
    Map<String, ConfigSection> accounts = new LinkedHashMap<>();
    for (ConfigSection section : root.sections("accounts", "id")) {
      AccountConfig account = reader.account(section, ofChannels, inbound, pushTimeout);
      @Nullable ConfigSection first = accounts.putIfAbsent(account.id(), section);
      if (first != null && !account.id().isEmpty()) {
        section.wrong("id", "'" + account.id() + "' is already taken at " + first.source());
      }
      engine = engine.account(account);
    }
    ReminderSettings reminders = reminders(root.section("reminders"));
    AlertSettings alerts = alerts(root.section("alerts"), accounts.keySet());
    HealthSettings health = health(root.section("health"));
    TracingSettings tracing = TracingSettings.of(root.section("tracing"));
    sources.close();
    askChannels(engine, accounts);
    warnings.addAll(sources.unknownVariables());
    return new ServerConfig(
        engine,
        http,
        log,
        reader.pushes,
        reminders,
        alerts,
        health,
        tracing,
        sources.shown,
        warnings);
  }

  private static String store(ConfigSection root) {
    String store = root.value("store", text(), "sqlite:postrider-data/postrider.db");
    if (!store.startsWith("sqlite:") && !store.startsWith("jdbc:")) {
      root.wrong(
          "store", "must begin with sqlite: or jdbc:, such as sqlite:postrider-data/postrider.db");
    }
    return store;
  }

  private static MediaSettings media(ConfigSection media) {
    MediaSettings usual = MediaSettings.DEFAULTS;
    return new MediaSettings(
        media.value("maxSize", size(1024), usual.largest()),
        media.value("keepUnused", duration(TICK), usual.keepUnused()),
        media.value("fetchTimeout", duration(TICK), usual.fetchTimeout()),
        media.value("maxRedirects", count(0, 20), usual.maxRedirects()),
        media.value("allowedNetworks", networks(), usual.allowedNetworks()));
  }

  private static HealthSettings health(ConfigSection health) {
    HealthSettings usual = HealthSettings.DEFAULTS;
    return new HealthSettings(
        health.value("oldestWaiting", durationOrOff(SECOND), usual.oldestWaiting()),
        health.value("diskFree", size(0), usual.diskFree()));
  }

  // ---- the server, its cluster and its log

  /** The file with whose certificates the other servers are known. */
  private static @Nullable Path ca(ConfigSection cluster) {
    @Nullable Path file = cluster.value("ca", file());
    if (file != null) {
      try {
        Trust.only(file);
      } catch (BadTlsFile e) {
        cluster.wrong("ca", e.getMessage());
      }
    }
    return file;
  }

  private static ClusterSettings cluster(ConfigSection cluster, int port) {
    String node = cluster.value("node", text(), nodeName(port));
    @Nullable URI address = cluster.value("address", address());
    Duration heartbeat = cluster.value("heartbeat", duration(TICK), ClusterSettings.HEARTBEAT);
    Duration lease = cluster.value("lease", duration(TICK), ClusterSettings.LEASE);
    try {
      return new ClusterSettings(node, address == null ? "" : address.toString(), heartbeat, lease);
    } catch (IllegalArgumentException e) {
      cluster.wrong("lease", String.valueOf(e.getMessage()));
      return ClusterSettings.ofThisProcess();
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

  private HttpSettings http(ConfigSection http, @Nullable Path clusterCa) {
    HttpLimits usual = HttpLimits.DEFAULT;
    HttpSettings settings =
        new HttpSettings(
            http.value("host", text(), "127.0.0.1"),
            http.value("port", count(0, 65_535), 8080),
            tokens(http),
            http.value("bodyLimit", size(1024), 1L << 20),
            http.value("batchLimit", size(1024), 16L << 20),
            http.value("bodyTimeout", duration(TICK), Duration.ofSeconds(60)),
            new HttpLimits(
                http.value("headerTimeout", duration(TICK), usual.headerTimeout()),
                http.value("writeTimeout", duration(TICK), usual.writeTimeout()),
                http.value("bodiesLimit", size(1024), usual.bodiesLimit()),
                http.value("connections", count(1, MANY), usual.connections()),
                http.value("connectionsPerAddress", count(1, MANY), usual.connectionsPerAddress()),
                http.value("failuresPerMinute", count(1, MANY), usual.failuresPerMinute())),
            tls(http.section("tls")),
            clusterCa,
            http.value("trustedProxies", networks(), List.of()));
    if (!settings.loopback() && settings.tokens().isEmpty()) {
      http.wrong(
          "host",
          "is '%s', which others can reach; give http.tokens, or bind to 127.0.0.1"
              .formatted(settings.host()));
    }
    return settings;
  }

  private static List<Token> tokens(ConfigSection http) {
    List<Token> tokens = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ConfigSection token : http.sections("tokens", "name")) {
      String name = token.required("name", text(), "who holds it", "");
      tokens.add(
          new Token(
              name,
              token.required(
                  "secret", Token.secretType(), "what its bearer sends, or the hash of it", ""),
              token.required(
                  "role", Token.rolesType(), "send, read or admin, or several", Set.of())));
      if (!name.isEmpty() && !names.add(name)) {
        http.wrong("tokens", "holds the name '" + name + "' twice; give each its own");
      }
    }
    return tokens;
  }

  /** What is wrong with the files is found before anything is started. */
  private @Nullable TlsSettings tls(ConfigSection tls) {
    @Nullable Path certificate = tls.value("certificate", file());
    @Nullable Path key = tls.value("key", file());
    if (certificate == null || key == null) {
      if (certificate != null) {
        tls.wrong("certificate", "needs a key beside it: http.tls.key");
      } else if (key != null) {
        tls.wrong("key", "needs a certificate beside it: http.tls.certificate");
      }
      return null;
    }
    TlsSettings settings = new TlsSettings(certificate, key);
    try {
      Identity.read(settings);
    } catch (BadTlsFile e) {
      tls.wrong(e.isKey() ? "key" : "certificate", e.getMessage());
    }
    if (Identity.isOpenToOthers(key)) {
      warnings.add(
          new ServerConfig.Warning(
              "http.tls.key: everybody on this machine can read %s.".formatted(key),
              "Run: chmod o-r " + key));
    }
    return settings;
  }

  /** The settings of the queue as a whole stand beside those of delivery. */
  private static QueueSettings queue(ConfigSection delivery) {
    return QueueSettings.DEFAULTS.with(
        s -> {
          s.onMissingAccount =
              delivery.value(
                  "onMissingAccount", choice(OnMissingAccount.class), s.onMissingAccount);
          s.drainOnStartup = delivery.value("drainOnStartup", flag(), s.drainOnStartup);
          s.drainBudget = delivery.value("drainBudget", duration(NONE), s.drainBudget);
          s.maxQueueDepth = delivery.value("maxQueueDepth", amount(1), s.maxQueueDepth);
          s.maxAccountDepth = delivery.value("maxAccountDepth", amount(1), s.maxAccountDepth);
          s.maxLaneDepth = delivery.value("maxLaneDepth", amount(1), s.maxLaneDepth);
          s.keepDelivered = delivery.value("keepDelivered", duration(NONE), s.keepDelivered);
          s.keepDeadLetters = delivery.value("keepDeadLetters", duration(NONE), s.keepDeadLetters);
          s.pruneInterval = delivery.value("pruneInterval", duration(TICK), s.pruneInterval);
          s.shutdownGrace = delivery.value("shutdownGrace", duration(NONE), s.shutdownGrace);
        });
  }

  /** A channel reads its own settings, and says itself what is wrong with them. */
  private void askChannels(PostriderConfig engine, Map<String, ConfigSection> accounts) {
    if (!sources.problems.isEmpty()) {
      return;
    }
    for (AccountConfig account : engine.accounts()) {
      @Nullable Channel channel = channels.get(account.channel());
      @Nullable ConfigSection section = accounts.get(account.id());
      if (channel != null && section != null) {
        try {
          channel.checkAccount(account);
          channel.capabilities(account);
        } catch (IllegalArgumentException e) {
          sources.wrong(section.source(), section.path() + ":", String.valueOf(e.getMessage()));
        }
      }
    }
  }

  /** The settings of the process as a whole stand beside those of accounts. */
  private static InboundQueueSettings inboundQueue(ConfigSection inbound) {
    InboundQueueSettings usual = InboundQueueSettings.DEFAULTS;
    return new InboundQueueSettings(
        inbound.value("maxDepth", amount(1), usual.maxDepth()),
        inbound.value("concurrency", count(1, MANY), usual.concurrency()),
        inbound.value("handlerLease", duration(SECOND), usual.handlerLease()));
  }

  // ---- reminders

  private ReminderSettings reminders(ConfigSection reminders) {
    Pace usual = ReminderSettings.DEFAULTS.pace();
    int perMinute =
        reminders.value(
            "perMinute", count(1, MANY), usual.limits().getOrDefault(Duration.ofMinutes(1), 1));
    int burst = reminders.value("burst", count(1, MANY), usual.burst());
    ReminderSettings settings =
        ReminderSettings.DEFAULTS.with(
            s -> {
              s.groupConcurrency =
                  reminders.value("groupConcurrency", count(1, MANY), s.groupConcurrency);
              s.runConcurrency =
                  reminders.value("runConcurrency", count(1, MANY), s.runConcurrency);
              s.grace = reminders.value("grace", duration(NONE), s.grace);
              s.shortestGap = reminders.value("shortestGap", duration(NONE), s.shortestGap);
              s.longestGap = reminders.value("longestGap", duration(NONE), s.longestGap);
              s.errorSample = reminders.value("errorSample", count(1, MANY), s.errorSample);
              s.errorRatio = reminders.value("errorRatio", ratio(), s.errorRatio);
              s.zone = reminders.value("timezone", zone(), s.zone);
              s.pace = Pace.perMinute(perMinute).burst(burst);
              s.accounts = reader.ceilings;
            });
    if (settings.shortestGap().compareTo(settings.longestGap()) > 0) {
      reminders.wrong("shortestGap", "must not be longer than longestGap");
    }
    return settings;
  }

  // ---- alerts

  private static AlertSettings alerts(ConfigSection section, Set<String> accounts) {
    AlertSettings usual = AlertSettings.OFF;
    AlertSettings alerts =
        new AlertSettings(
            section.value("account", text()),
            section.value("to", text()),
            section.value("webhook", receiver()),
            section.value("webhookSecret", signingSecret()),
            section.value("digest", duration(NONE), usual.digest()),
            section.value("accountDown", durationOrOff(NONE), usual.accountDown()),
            section.value("deaf", durationOrOff(NONE), usual.deaf()),
            section.value("oldestWaiting", durationOrOff(SECOND), usual.oldestWaiting()),
            section.value("deadLetters", flag(), usual.deadLetters()),
            section.value("runEnded", flag(), usual.runEnded()));
    @Nullable String account = alerts.account();
    if (account != null && !accounts.contains(account)) {
      section.wrong(
          "account", "'" + account + "' is not configured" + NearestName.hint(account, accounts));
    } else if (account != null && alerts.to() == null) {
      section.wrong("account", "needs a chat beside it, such as to: 12345");
    } else if (alerts.to() != null && account == null) {
      section.wrong("to", "needs an account beside it that sends to it");
    } else if (alerts.webhook() != null && alerts.webhookSecret() == null) {
      section.wrong(
          "webhook",
          "needs a webhookSecret beside it (whsec_ and then base64), which signs what is posted;"
              + " make one with: echo whsec_$(openssl rand -base64 24)");
    } else if (!alerts.on() && !alerts.equals(usual)) {
      section.wrong(
          "says what to tell but not whom: give account and to, or webhook and webhookSecret");
    }
    return alerts;
  }
}
