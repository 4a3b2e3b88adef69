package dev.postrider.server.config;

import static dev.postrider.server.config.Type.address;
import static dev.postrider.server.config.Type.amount;
import static dev.postrider.server.config.Type.choice;
import static dev.postrider.server.config.Type.count;
import static dev.postrider.server.config.Type.counts;
import static dev.postrider.server.config.Type.date;
import static dev.postrider.server.config.Type.duration;
import static dev.postrider.server.config.Type.durationOrOff;
import static dev.postrider.server.config.Type.durations;
import static dev.postrider.server.config.Type.encryptionKeys;
import static dev.postrider.server.config.Type.file;
import static dev.postrider.server.config.Type.flag;
import static dev.postrider.server.config.Type.fraction;
import static dev.postrider.server.config.Type.networks;
import static dev.postrider.server.config.Type.one;
import static dev.postrider.server.config.Type.ratio;
import static dev.postrider.server.config.Type.receiver;
import static dev.postrider.server.config.Type.signingSecret;
import static dev.postrider.server.config.Type.size;
import static dev.postrider.server.config.Type.text;
import static dev.postrider.server.config.Type.zone;

import dev.postrider.channel.Channel;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.DeliverySettings.LateAction;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.PostriderConfig.OnUnavailable;
import dev.postrider.config.QueueSettings;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.config.SessionKey;
import dev.postrider.config.Split;
import dev.postrider.message.OnUnknown;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.server.config.Section.Slot;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Every key there is. A key added here is checked, overridable and shown without further work. */
final class Schema {
  private static final Duration NONE = Duration.ZERO;
  private static final Duration TICK = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MANY = 1_000_000;

  private final Map<String, Channel> channels;

  Schema(Map<String, Channel> channels) {
    this.channels = channels;
  }

  Section<Draft> root() {
    Section<Draft.Channel> channel =
        new Section<Draft.Channel>()
            .nested("pace", limits(new Section<>(), pace -> pace), draft -> draft.pace)
            .nested("delivery", delivery(new Section<>()), draft -> draft);
    return new Section<Draft>()
        .value("store", text(), (draft, value) -> draft.store = value)
        .nested(
            "storage",
            new Section<Draft>()
                .value(
                    "onUnavailable",
                    choice(OnUnavailable.class),
                    (draft, value) -> draft.onUnavailable = value)
                .add(
                    "encryptionKey",
                    new Slot.Value<>(
                        encryptionKeys(),
                        false,
                        true,
                        "encrypts contents in the store",
                        (draft, value) -> draft.encryptionKeys = value)),
            draft -> draft)
        .nested("media", media(), draft -> draft.media)
        .nested("cluster", cluster(), draft -> draft.cluster)
        .nested("http", http(), draft -> draft.http)
        .nested("logging", logging(), draft -> draft.logging)
        .nested("delivery", queue(delivery(new Section<>())), draft -> draft)
        .add(
            "channels",
            new Slot.Named<>(
                channels.keySet(),
                channel,
                (draft, name) -> draft.channels.computeIfAbsent(name, _ -> new Draft.Channel())))
        .add(
            "accounts",
            new Slot.Listed<>(
                "id",
                item -> account(channels.get(String.valueOf(item.text("channel")))),
                (draft, item) -> {
                  Draft.Account account = new Draft.Account(item.place());
                  draft.accounts.add(account);
                  return account;
                }))
        .nested("inbound", desk(inbound(new Section<>(), draft -> draft.inbound)), draft -> draft)
        .nested("reminders", reminders(), draft -> draft.reminders)
        .nested("alerts", alerts(), draft -> draft.alerts)
        .nested("health", health(), draft -> draft.health);
  }

  private static Section<Draft.Health> health() {
    return new Section<Draft.Health>()
        .value(
            "oldestWaiting", durationOrOff(SECOND), (draft, value) -> draft.oldestWaiting = value)
        .value("diskFree", size(0), (draft, value) -> draft.diskFree = value);
  }

  private static Section<Draft.Alerts> alerts() {
    return new Section<Draft.Alerts>()
        .value("account", text(), (draft, value) -> draft.account = value)
        .value("to", text(), (draft, value) -> draft.to = value)
        .value("webhook", receiver(), (draft, value) -> draft.webhook = value)
        .add(
            "webhookSecret",
            new Slot.Value<>(
                signingSecret(),
                false,
                true,
                "signs what is posted",
                (draft, value) -> draft.webhookSecret = value))
        .value("digest", duration(NONE), (draft, value) -> draft.digest = value)
        .value("accountDown", durationOrOff(NONE), (draft, value) -> draft.accountDown = value)
        .value("deaf", durationOrOff(NONE), (draft, value) -> draft.deaf = value)
        .value(
            "oldestWaiting", durationOrOff(SECOND), (draft, value) -> draft.oldestWaiting = value)
        .value("deadLetters", flag(), (draft, value) -> draft.deadLetters = value)
        .value("runEnded", flag(), (draft, value) -> draft.runEnded = value);
  }

  private static Section<Draft.Media> media() {
    return new Section<Draft.Media>()
        .value("maxSize", size(1024), (draft, value) -> draft.maxSize = value)
        .value("keepUnused", duration(TICK), (draft, value) -> draft.keepUnused = value)
        .value("fetchTimeout", duration(TICK), (draft, value) -> draft.fetchTimeout = value)
        .value("maxRedirects", count(0, 20), (draft, value) -> draft.maxRedirects = value)
        .value("allowedNetworks", networks(), (draft, value) -> draft.allowedNetworks = value);
  }

  private static Section<Draft.Cluster> cluster() {
    return new Section<Draft.Cluster>()
        .value("node", text(), (draft, value) -> draft.node = value)
        .value("address", address(), (draft, value) -> draft.address = value)
        .value("heartbeat", duration(TICK), (draft, value) -> draft.heartbeat = value)
        .value("lease", duration(TICK), (draft, value) -> draft.lease = value)
        .value("ca", file(), (draft, value) -> draft.ca = value);
  }

  private static Section<Draft.Http> http() {
    return new Section<Draft.Http>()
        .value("host", text(), (draft, value) -> draft.host = value)
        .value("port", count(0, 65_535), (draft, value) -> draft.port = value)
        .value("bodyLimit", size(1024), (draft, value) -> draft.bodyLimit = value)
        .value("batchLimit", size(1024), (draft, value) -> draft.batchLimit = value)
        .value("bodyTimeout", duration(TICK), (draft, value) -> draft.bodyTimeout = value)
        .value("headerTimeout", duration(TICK), (draft, value) -> draft.headerTimeout = value)
        .value("writeTimeout", duration(TICK), (draft, value) -> draft.writeTimeout = value)
        .value("bodiesLimit", size(1024), (draft, value) -> draft.bodiesLimit = value)
        .value("connections", count(1, 1_000_000), (draft, value) -> draft.connections = value)
        .value(
            "connectionsPerAddress",
            count(1, 1_000_000),
            (draft, value) -> draft.connectionsPerAddress = value)
        .value(
            "failuresPerMinute",
            count(1, 1_000_000),
            (draft, value) -> draft.failuresPerMinute = value)
        .value("trustedProxies", networks(), (draft, value) -> draft.trustedProxies = value)
        .nested(
            "tls",
            new Section<Draft.Http>()
                .value("certificate", file(), (draft, value) -> draft.certificate = value)
                .value("key", file(), (draft, value) -> draft.key = value),
            draft -> draft)
        .add(
            "tokens",
            new Slot.Listed<>(
                "name",
                _ -> token(),
                (draft, _) -> {
                  Draft.TokenDraft token = new Draft.TokenDraft();
                  draft.tokens.add(token);
                  return token;
                }));
  }

  private static Section<Draft.TokenDraft> token() {
    return new Section<Draft.TokenDraft>()
        .required("name", text(), "who holds it", (draft, value) -> draft.name = value)
        .add(
            "secret",
            new Slot.Value<>(
                Token.secretType(),
                true,
                true,
                "what its bearer sends, or the hash of it",
                (draft, value) -> draft.secret = value))
        .required(
            "role",
            Token.rolesType(),
            "send, read or admin, or several",
            (draft, value) -> draft.roles = value);
  }

  private static Section<Draft.Logging> logging() {
    return new Section<Draft.Logging>()
        .value("format", choice(LogFormat.class), (draft, value) -> draft.format = value)
        .value("level", choice(LogLevel.class), (draft, value) -> draft.level = value);
  }

  /** What stands under {@code inbound}, everywhere and at an account. */
  private static <D> Section<D> inbound(Section<D> section, Function<D, Draft.Inbound> of) {
    return section
        .value("backoff", durations(TICK), handOut(of, (s, value) -> s.backoff = value))
        .value("jitter", fraction(), handOut(of, (s, value) -> s.jitter = value))
        .value("maxAttempts", count(1, MANY), handOut(of, (s, value) -> s.maxAttempts = value))
        .value("revivals", count(0, MANY), handOut(of, (s, value) -> s.revivals = value))
        .value("revivalDelay", duration(NONE), handOut(of, (s, value) -> s.revivalDelay = value))
        .value("revivalAge", duration(NONE), handOut(of, (s, value) -> s.revivalAge = value))
        .value("session", one(SessionKey::new), handOut(of, (s, value) -> s.session = value))
        .value("pushTo", receiver(), (draft, value) -> of.apply(draft).pushTo = value)
        .add(
            "pushSecret",
            new Slot.Value<>(
                signingSecret(),
                false,
                true,
                "signs what is pushed",
                (draft, value) -> of.apply(draft).pushSecret = value));
  }

  private static <D, T> BiConsumer<D, T> handOut(
      Function<D, Draft.Inbound> of, BiConsumer<InboundSettings.Draft, T> set) {
    return (draft, value) -> of.apply(draft).settings.add(settings -> set.accept(settings, value));
  }

  private static Section<ReminderDraft> reminders() {
    return new Section<ReminderDraft>()
        .value("groupConcurrency", count(1, MANY), inRuns((s, value) -> s.groupConcurrency = value))
        .value("runConcurrency", count(1, MANY), inRuns((s, value) -> s.runConcurrency = value))
        .value("perMinute", count(1, MANY), (draft, value) -> draft.perMinute = value)
        .value("burst", count(1, MANY), (draft, value) -> draft.burst = value)
        .value("grace", duration(NONE), inRuns((s, value) -> s.grace = value))
        .value("shortestGap", duration(NONE), inRuns((s, value) -> s.shortestGap = value))
        .value("longestGap", duration(NONE), inRuns((s, value) -> s.longestGap = value))
        .value("errorSample", count(1, MANY), inRuns((s, value) -> s.errorSample = value))
        .value("errorRatio", ratio(), inRuns((s, value) -> s.errorRatio = value))
        .value("timezone", zone(), inRuns((s, value) -> s.zone = value));
  }

  private static <T> BiConsumer<ReminderDraft, T> inRuns(
      BiConsumer<ReminderSettings.Draft, T> set) {
    return (draft, value) -> draft.settings.add(settings -> set.accept(settings, value));
  }

  /** What stands under {@code reminders} at an account. */
  private static Section<ReminderDraft.OfAccount> ceilings() {
    return new Section<ReminderDraft.OfAccount>()
        .value("dailyCeiling", count(1, MANY), (draft, value) -> draft.dailyCeiling = value)
        .nested(
            "warmup",
            new Section<ReminderDraft.OfAccount>()
                .value("since", date(), (draft, value) -> draft.since = value)
                .value("ceilings", counts(1, MANY), (draft, value) -> draft.ceilings = value),
            draft -> draft);
  }

  /** The settings of the process as a whole stand beside those of accounts. */
  private static Section<Draft> desk(Section<Draft> section) {
    return section
        .value("maxDepth", amount(1), (draft, value) -> draft.desk.maxDepth = value)
        .value("concurrency", count(1, MANY), (draft, value) -> draft.desk.concurrency = value)
        .value("handlerLease", duration(SECOND), (draft, value) -> draft.desk.handlerLease = value)
        .value("pushTimeout", duration(TICK), (draft, value) -> draft.desk.pushTimeout = value);
  }

  /** The settings of the queue as a whole stand beside those of delivery. */
  private static Section<Draft> queue(Section<Draft> section) {
    return section
        .value(
            "onMissingAccount",
            choice(OnMissingAccount.class),
            inQueue((queue, value) -> queue.onMissingAccount = value))
        .value("drainOnStartup", flag(), inQueue((queue, value) -> queue.drainOnStartup = value))
        .value("drainBudget", duration(NONE), inQueue((queue, value) -> queue.drainBudget = value))
        .value("maxQueueDepth", amount(1), inQueue((queue, value) -> queue.maxQueueDepth = value))
        .value(
            "maxAccountDepth", amount(1), inQueue((queue, value) -> queue.maxAccountDepth = value))
        .value("maxLaneDepth", amount(1), inQueue((queue, value) -> queue.maxLaneDepth = value))
        .value(
            "keepDelivered", duration(NONE), inQueue((queue, value) -> queue.keepDelivered = value))
        .value(
            "keepDeadLetters",
            duration(NONE),
            inQueue((queue, value) -> queue.keepDeadLetters = value))
        .value(
            "pruneInterval", duration(TICK), inQueue((queue, value) -> queue.pruneInterval = value))
        .value(
            "shutdownGrace",
            duration(NONE),
            inQueue((queue, value) -> queue.shutdownGrace = value));
  }

  private static <T> BiConsumer<Draft, T> inQueue(BiConsumer<QueueSettings.Draft, T> set) {
    return (draft, value) -> draft.queue.add(queue -> set.accept(queue, value));
  }

  private static <D extends DeliveryDraft> Section<D> delivery(Section<D> section) {
    return section
        .value("backoff", durations(TICK), change((s, value) -> s.backoff = value))
        .value("jitter", fraction(), change((s, value) -> s.jitter = value))
        .value("fastFirstRetry", duration(NONE), change((s, value) -> s.fastFirstRetry = value))
        .value("maxAttempts", count(1, MANY), change((s, value) -> s.maxAttempts = value))
        .value("attemptTimeout", duration(TICK), change((s, value) -> s.attemptTimeout = value))
        .value("lateAfter", duration(NONE), change((s, value) -> s.lateAfter = value))
        .value("lateAction", choice(LateAction.class), change((s, value) -> s.lateAction = value))
        .value("expireAfter", duration(TICK), change((s, value) -> s.expireAfter = value))
        .value("onUnknown", choice(OnUnknown.class), change((s, value) -> s.onUnknown = value))
        .value("haltLaneOnFailure", flag(), change((s, value) -> s.haltLaneOnFailure = value))
        .value("outageUsesAttempts", flag(), change((s, value) -> s.outageUsesAttempts = value));
  }

  private static <D extends DeliveryDraft, T> BiConsumer<D, T> change(
      BiConsumer<DeliverySettings.Draft, T> set) {
    return (draft, value) -> draft.delivery.add(settings -> set.accept(settings, value));
  }

  private static <D> Section<D> limits(Section<D> section, Function<D, Draft.Limits> of) {
    Map<String, Duration> periods = new LinkedHashMap<>();
    periods.put("perSecond", Duration.ofSeconds(1));
    periods.put("perMinute", Duration.ofMinutes(1));
    periods.put("perHour", Duration.ofHours(1));
    periods.put("perDay", Duration.ofDays(1));
    periods.forEach(
        (key, period) ->
            section.value(
                key, count(1, MANY), (draft, value) -> of.apply(draft).limits.put(period, value)));
    return section.value("burst", count(1, MANY), (draft, value) -> of.apply(draft).burst = value);
  }

  /** The keys of an account: the common ones, and those of its channel if that is known. */
  private static Section<Draft.Account> account(@Nullable Channel channel) {
    Section<Draft.Account> section =
        new Section<Draft.Account>()
            .required("id", text(), "its name in messages", (draft, value) -> draft.id = value)
            .required("channel", text(), "the platform", (draft, value) -> draft.channel = value)
            .nested(
                "pace",
                limits(new Section<Draft.Account>(), draft -> draft.pace)
                    .value(
                        "concurrency", count(1, MANY), (draft, value) -> draft.concurrency = value)
                    .nested("chat", limits(new Section<>(), pace -> pace), draft -> draft.chatPace),
                draft -> draft)
            .nested(
                "text",
                new Section<Draft.Account>()
                    .value("limit", count(20, MANY), (draft, value) -> draft.textLimit = value)
                    .value("mode", choice(Split.class), (draft, value) -> draft.textMode = value),
                draft -> draft)
            .nested(
                "media",
                new Section<Draft.Account>()
                    .value("maxSize", size(1024), (draft, value) -> draft.mediaLimit = value),
                draft -> draft)
            .nested("delivery", delivery(new Section<>()), draft -> draft)
            .nested("inbound", inbound(new Section<>(), inbound -> inbound), draft -> draft.inbound)
            .nested("reminders", ceilings(), draft -> draft.reminders);
    if (channel != null) {
      for (Channel.Setting setting : channel.settings()) {
        section.add(
            setting.name(),
            new Slot.Open<>(
                setting.required(),
                setting.secret(),
                setting.description(),
                (draft, value) -> draft.settings.put(setting.name(), value)));
      }
    }
    return section;
  }
}
