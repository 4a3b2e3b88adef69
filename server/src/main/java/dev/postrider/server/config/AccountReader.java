package dev.postrider.server.config;

import static dev.postrider.server.config.Type.choice;
import static dev.postrider.server.config.Type.count;
import static dev.postrider.server.config.Type.counts;
import static dev.postrider.server.config.Type.date;
import static dev.postrider.server.config.Type.duration;
import static dev.postrider.server.config.Type.durations;
import static dev.postrider.server.config.Type.flag;
import static dev.postrider.server.config.Type.fraction;
import static dev.postrider.server.config.Type.one;
import static dev.postrider.server.config.Type.receiver;
import static dev.postrider.server.config.Type.signingSecret;
import static dev.postrider.server.config.Type.size;
import static dev.postrider.server.config.Type.text;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.AccountPace;
import dev.postrider.config.ContentSettings;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.DeliverySettings.LateAction;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.NearestName;
import dev.postrider.config.Pace;
import dev.postrider.config.SessionKey;
import dev.postrider.config.Split;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.OnUnknown;
import dev.postrider.reminder.config.DailyCeilings;
import dev.postrider.reminder.estimate.Warmup;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes the settings of accounts, and those that all of them share unless they say otherwise:
 * delivery, pace and inbound.
 */
final class AccountReader {
  private static final Duration NONE = Duration.ZERO;
  private static final Duration TICK = Duration.ofMillis(1);
  private static final int MANY = 1_000_000;

  private final Map<String, Channel> channels;

  /** Where the inbound messages of accounts are pushed, as far as they are. */
  final Map<String, PushSettings> pushes = new LinkedHashMap<>();

  /** How many targets the reminders of accounts may reach in a day, as far as that is said. */
  final Map<String, DailyCeilings> ceilings = new LinkedHashMap<>();

  AccountReader(Map<String, Channel> channels) {
    this.channels = channels;
  }

  AccountConfig account(
      ConfigSection account,
      Map<String, DeliverySettings> ofChannels,
      Inbound everyInbound,
      Duration pushTimeout) {
    String id = account.required("id", text(), "its name in messages", "");
    String channel = account.required("channel", text(), "the platform", "");
    if (!channel.isEmpty() && !channels.containsKey(channel)) {
      account.wrong(
          "channel",
          "'" + channel + "' is not known" + NearestName.hint(channel, channels.keySet()));
    }
    ConfigSection pace = account.section("pace");
    AccountPace paces =
        new AccountPace(
            pace(pace), pace(pace.section("chat")), pace.value("concurrency", count(1, MANY)));
    ConfigSection text = account.section("text");
    ContentSettings content =
        new ContentSettings(
            text.value("limit", count(20, MANY)),
            text.value("mode", choice(Split.class)),
            account.section("media").value("maxSize", size(1024)));
    DeliverySettings delivery =
        delivery(account.section("delivery"))
            .apply(ofChannels.getOrDefault(channel, DeliverySettings.DEFAULTS));
    Inbound inbound = inbound(account.section("inbound"), everyInbound);
    if (inbound.pushTo() != null && inbound.pushSecret() != null) {
      pushes.put(id, new PushSettings(inbound.pushTo(), inbound.pushSecret(), pushTimeout));
    }
    DailyCeilings own = ceilings(account.section("reminders"));
    if (!own.equals(DailyCeilings.NONE)) {
      ceilings.put(id, own);
    }
    return new AccountConfig(
        id, channel, settings(account, channel), paces, content, delivery, inbound.settings());
  }

  private Map<String, Object> settings(ConfigSection account, String channel) {
    Map<String, Object> settings = new LinkedHashMap<>();
    @Nullable Channel known = channels.get(channel);
    if (known != null) {
      for (Channel.Setting setting : known.settings()) {
        @Nullable Object value = account.value(setting);
        if (value != null) {
          settings.put(setting.name(), value);
        }
      }
    }
    return settings;
  }

  /** What stands under {@code reminders} at an account. */
  private static DailyCeilings ceilings(ConfigSection reminders) {
    @Nullable Integer daily = reminders.value("dailyCeiling", count(1, MANY));
    ConfigSection warmup = reminders.section("warmup");
    @Nullable LocalDate since = warmup.value("since", date());
    @Nullable List<Integer> ceilings = warmup.value("ceilings", counts(1, MANY));
    if (since != null && ceilings != null) {
      return new DailyCeilings(daily, new Warmup(since, ceilings));
    }
    if (since != null) {
      warmup.wrong("since", "needs ceilings beside it, such as ceilings: [20, 50, 100]");
    } else if (ceilings != null) {
      warmup.wrong(
          "ceilings", "needs the account's first day beside it, such as since: 2026-11-01");
    }
    return new DailyCeilings(daily, null);
  }

  /** What a section says about delivery; the rest stays as it is. */
  static UnaryOperator<DeliverySettings> delivery(ConfigSection delivery) {
    @Nullable List<Duration> backoff = delivery.value("backoff", durations(TICK));
    @Nullable Double jitter = delivery.value("jitter", fraction());
    @Nullable Duration fastFirstRetry = delivery.value("fastFirstRetry", duration(NONE));
    @Nullable Integer maxAttempts = delivery.value("maxAttempts", count(1, MANY));
    @Nullable Duration attemptTimeout = delivery.value("attemptTimeout", duration(TICK));
    @Nullable Duration lateAfter = delivery.value("lateAfter", duration(NONE));
    @Nullable LateAction lateAction = delivery.value("lateAction", choice(LateAction.class));
    @Nullable Duration expireAfter = delivery.value("expireAfter", duration(TICK));
    @Nullable OnUnknown onUnknown = delivery.value("onUnknown", choice(OnUnknown.class));
    @Nullable OnReceiptFailed onReceiptFailed =
        delivery.value("onReceiptFailed", choice(OnReceiptFailed.class));
    @Nullable Boolean halt = delivery.value("haltLaneOnFailure", flag());
    @Nullable Boolean outage = delivery.value("outageUsesAttempts", flag());
    return usual ->
        usual.with(
            s -> {
              s.backoff = or(backoff, s.backoff);
              s.jitter = or(jitter, s.jitter);
              s.fastFirstRetry = or(fastFirstRetry, s.fastFirstRetry);
              s.maxAttempts = or(maxAttempts, s.maxAttempts);
              s.attemptTimeout = or(attemptTimeout, s.attemptTimeout);
              s.lateAfter = or(lateAfter, s.lateAfter);
              s.lateAction = or(lateAction, s.lateAction);
              s.expireAfter = or(expireAfter, s.expireAfter);
              s.onUnknown = or(onUnknown, s.onUnknown);
              s.onReceiptFailed = or(onReceiptFailed, s.onReceiptFailed);
              s.haltLaneOnFailure = or(halt, s.haltLaneOnFailure);
              s.outageUsesAttempts = or(outage, s.outageUsesAttempts);
            });
  }

  private static <T> T or(@Nullable T given, T usual) {
    return given == null ? usual : given;
  }

  /** Null if nothing is given, which leaves it to the channel. */
  static @Nullable Pace pace(ConfigSection pace) {
    Map<Duration, Integer> limits = new LinkedHashMap<>();
    limit(pace, "perSecond", Duration.ofSeconds(1), limits);
    limit(pace, "perMinute", Duration.ofMinutes(1), limits);
    limit(pace, "perHour", Duration.ofHours(1), limits);
    limit(pace, "perDay", Duration.ofDays(1), limits);
    int burst = pace.value("burst", count(1, MANY), 1);
    if (limits.isEmpty()) {
      if (pace.has("burst")) {
        pace.wrong("burst", "needs a limit beside it, such as perMinute: 40");
      }
      return null;
    }
    return new Pace(limits, burst);
  }

  private static void limit(
      ConfigSection pace, String key, Duration period, Map<Duration, Integer> limits) {
    @Nullable Integer most = pace.value(key, count(1, MANY));
    if (most != null) {
      limits.put(period, most);
    }
  }

  /** What is said about inbound messages, everywhere or for an account. */
  record Inbound(
      ConfigSection section,
      InboundSettings settings,
      @Nullable URI pushTo,
      @Nullable String pushSecret) {}

  static Inbound inbound(ConfigSection inbound, @Nullable Inbound everywhere) {
    InboundSettings usual = everywhere == null ? InboundSettings.DEFAULTS : everywhere.settings();
    InboundSettings settings =
        usual.with(
            s -> {
              s.backoff = inbound.value("backoff", durations(TICK), s.backoff);
              s.jitter = inbound.value("jitter", fraction(), s.jitter);
              s.maxAttempts = inbound.value("maxAttempts", count(1, MANY), s.maxAttempts);
              s.revivals = inbound.value("revivals", count(0, MANY), s.revivals);
              s.revivalDelay = inbound.value("revivalDelay", duration(NONE), s.revivalDelay);
              s.revivalAge = inbound.value("revivalAge", duration(NONE), s.revivalAge);
              s.session = inbound.value("session", one(SessionKey::new), s.session);
              s.keepMedia = inbound.value("keepMedia", flag(), s.keepMedia);
            });
    @Nullable URI to = inbound.value("pushTo", receiver());
    @Nullable String secret = inbound.value("pushSecret", signingSecret());
    if (secret == null && everywhere != null) {
      secret = everywhere.pushSecret();
    }
    if (to != null && secret == null) {
      inbound.wrong(
          "pushTo",
          "needs a pushSecret beside it (whsec_ and then base64), which signs what is pushed;"
              + " make one with: echo whsec_$(openssl rand -base64 24)");
    }
    return new Inbound(
        inbound, settings, to == null && everywhere != null ? everywhere.pushTo() : to, secret);
  }
}
