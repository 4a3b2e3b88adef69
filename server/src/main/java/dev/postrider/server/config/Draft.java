package dev.postrider.server.config;

import dev.postrider.config.AccountPace;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.ContentSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.config.InboundQueueSettings;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig.OnUnavailable;
import dev.postrider.config.QueueSettings;
import dev.postrider.config.Split;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration while it is read; starts as the defaults. */
final class Draft extends DeliveryDraft {
  String store = "sqlite:postrider-data/postrider.db";
  OnUnavailable onUnavailable = OnUnavailable.REFUSE;
  EncryptionKeys encryptionKeys = EncryptionKeys.OFF;
  final Changes<QueueSettings.Draft> queue = new Changes<>();
  final Map<String, Channel> channels = new LinkedHashMap<>();
  final List<Account> accounts = new ArrayList<>();
  final Media media = new Media();
  final Cluster cluster = new Cluster();
  final Http http = new Http();
  final Logging logging = new Logging();
  final Inbound inbound = new Inbound();
  final Desk desk = new Desk();
  final ReminderDraft reminders = new ReminderDraft();
  final Alerts alerts = new Alerts();
  final Health health = new Health();

  static final class Channel extends DeliveryDraft {
    final Limits pace = new Limits();
  }

  static final class Account extends DeliveryDraft {
    final Place place;
    String id = "";
    String channel = "";
    final Map<String, Object> settings = new LinkedHashMap<>();
    final Limits pace = new Limits();
    final Limits chatPace = new Limits();
    @Nullable Integer concurrency;
    @Nullable Integer textLimit;
    @Nullable Split textMode;
    @Nullable Long mediaLimit;
    final Inbound inbound = new Inbound();
    final ReminderDraft.OfAccount reminders = new ReminderDraft.OfAccount();

    Account(Place place) {
      this.place = place;
    }

    AccountPace pace() {
      return new AccountPace(pace.pace(), chatPace.pace(), concurrency);
    }

    ContentSettings content() {
      return new ContentSettings(textLimit, textMode, mediaLimit);
    }
  }

  /** A pace, as far as it was given. */
  static final class Limits {
    final Map<Duration, Integer> limits = new LinkedHashMap<>();
    @Nullable Integer burst;

    /** Null if nothing was given, which leaves it to the channel. */
    @Nullable Pace pace() {
      return limits.isEmpty() ? null : new Pace(limits, burst == null ? 1 : burst);
    }
  }

  static final class Media {
    long maxSize = MediaSettings.DEFAULTS.largest();
    Duration keepUnused = MediaSettings.DEFAULTS.keepUnused();
    Duration fetchTimeout = MediaSettings.DEFAULTS.fetchTimeout();
    int maxRedirects = MediaSettings.DEFAULTS.maxRedirects();
    List<Network> allowedNetworks = MediaSettings.DEFAULTS.allowedNetworks();

    MediaSettings settings() {
      return new MediaSettings(maxSize, keepUnused, fetchTimeout, maxRedirects, allowedNetworks);
    }
  }

  static final class Cluster {
    @Nullable String node;
    @Nullable URI address;
    Duration heartbeat = ClusterSettings.HEARTBEAT;
    Duration lease = ClusterSettings.LEASE;
    @Nullable Path ca;
  }

  static final class Http {
    String host = "127.0.0.1";
    int port = 8080;
    long bodyLimit = 1 << 20;
    long batchLimit = 16 << 20;
    Duration bodyTimeout = Duration.ofSeconds(60);
    Duration headerTimeout = HttpLimits.DEFAULT.headerTimeout();
    Duration writeTimeout = HttpLimits.DEFAULT.writeTimeout();
    long bodiesLimit = HttpLimits.DEFAULT.bodiesLimit();
    int connections = HttpLimits.DEFAULT.connections();
    int connectionsPerAddress = HttpLimits.DEFAULT.connectionsPerAddress();
    int failuresPerMinute = HttpLimits.DEFAULT.failuresPerMinute();
    List<Network> trustedProxies = List.of();
    @Nullable Path certificate;
    @Nullable Path key;
    final List<TokenDraft> tokens = new ArrayList<>();
  }

  static final class TokenDraft {
    String name = "";
    String secret = "";
    Set<Role> roles = Set.of();
  }

  static final class Logging {
    LogFormat format = LogFormat.TEXT;
    LogLevel level = LogLevel.INFO;
  }

  /** What was said about handing out, everywhere or for an account. */
  static final class Inbound {
    final Changes<InboundSettings.Draft> settings = new Changes<>();
    @Nullable URI pushTo;
    @Nullable String pushSecret;
  }

  static final class Health {
    Optional<Duration> oldestWaiting = HealthSettings.DEFAULTS.oldestWaiting();
    long diskFree = HealthSettings.DEFAULTS.diskFree();
  }

  static final class Alerts {
    @Nullable String account;
    @Nullable String to;
    @Nullable URI webhook;
    @Nullable String webhookSecret;
    Duration digest = Duration.ofMinutes(1);
    Optional<Duration> accountDown = Optional.of(Duration.ofMinutes(5));
    Optional<Duration> deaf = Optional.of(Duration.ofMinutes(5));
    Optional<Duration> oldestWaiting = Optional.of(Duration.ofMinutes(15));
    boolean deadLetters = true;
    boolean runEnded = true;

    AlertSettings settings() {
      return new AlertSettings(
          account,
          to,
          webhook,
          webhookSecret,
          digest,
          accountDown,
          deaf,
          oldestWaiting,
          deadLetters,
          runEnded);
    }
  }

  static final class Desk {
    long maxDepth = InboundQueueSettings.DEFAULTS.maxDepth();
    int concurrency = InboundQueueSettings.DEFAULTS.concurrency();
    Duration handlerLease = InboundQueueSettings.DEFAULTS.handlerLease();
    Duration pushTimeout = Duration.ofSeconds(30);

    InboundQueueSettings settings() {
      return new InboundQueueSettings(maxDepth, concurrency, handlerLease);
    }
  }
}
