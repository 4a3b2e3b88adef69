package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.ContentSettings;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.DeliverySettings.LateAction;
import dev.postrider.config.InboundQueueSettings;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig.OnUnavailable;
import dev.postrider.config.QueueSettings;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.config.SessionKey;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.OnUnknown;
import dev.postrider.reminder.config.DailyCeilings;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.Warmup;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes each setting, by file and by environment, and sees the difference. */
class EverySettingTest {

  private static final List<Arguments> SETTINGS = settings();

  static List<Arguments> changed() {
    return SETTINGS;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changed")
  void a_key_in_the_file_changes_its_setting(
      String key, String value, Function<ServerConfig, Object> seen, Object expected) {
    assertThat(seen.apply(ConfigFixture.read(""))).isNotEqualTo(expected);

    assertThat(seen.apply(ConfigFixture.read(yaml(key, value)))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changed")
  void its_variable_changes_it_too(
      String key, String value, Function<ServerConfig, Object> seen, Object expected) {
    String variable =
        "POSTRIDER_"
            + Stream.of(key.split("\\.")).map(ConfigSources::word).collect(Collectors.joining("_"));
    String plain = value.replaceAll("[\\[\\] ]", "");
    String base = "accounts: [{id: sandbox, channel: sandbox}]";

    ServerConfig config = ConfigFixture.read(base, Map.of(variable, plain));

    assertThat(seen.apply(config)).isEqualTo(expected);
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void every_known_key_is_changed_here() {
    Set<String> keys = new TreeSet<>();
    KnownKeys.of(ConfigFixture.CHANNELS.subList(0, 1)).forEach(keys::add);
    keys.removeIf(
        key ->
            key.startsWith("http.tokens.") // need each other: BadConfigTest
                || key.startsWith("http.tls.") // need files: TlsSettingsTest
                || key.equals("cluster.ca")
                || key.endsWith("pace.burst")
                || key.endsWith("chat.burst") // needs a limit beside it: below
                || key.endsWith(".pushTo") // needs a secret beside it: below
                || key.endsWith(".pushSecret")
                || key.equals("inbound.pushTimeout")
                || key.contains(".warmup.") // need each other: below
                || key.startsWith("alerts.") // need somebody to tell: below
                || key.equals("accounts.0.id")
                || key.equals("accounts.0.channel"));

    assertThat(SETTINGS.stream().map(a -> (String) a.get()[0])).containsAll(keys);
  }

  private static String yaml(String key, String value) {
    StringBuilder text = new StringBuilder();
    String indent = "";
    for (String step : key.split("\\.")) {
      if (step.equals("0")) {
        text.append("\n").append(indent).append("- id: sandbox\n");
        indent += "  ";
        text.append(indent).append("channel: sandbox");
        continue;
      }
      text.append("\n").append(indent).append(step).append(":");
      indent += "  ";
    }
    return text.append(" ").append(value).append("\n").toString();
  }

  private static List<Arguments> settings() {
    List<Arguments> all = new ArrayList<>();
    all.add(
        setting("store", "sqlite:elsewhere.db", c -> c.postrider().store(), "sqlite:elsewhere.db"));
    all.add(
        setting(
            "storage.encryptionKey",
            "[rdpIcxXw0KAv2pPxLRZ8UONmt0a5h2sXGzxNn8jqEUY,"
                + " 4lXb3mTzv0n8sQyR1cKdPeWfJhUgAiLoZkYtN6DxqVE]",
            c -> c.postrider().encryptionKeys().keys(),
            List.of(
                "rdpIcxXw0KAv2pPxLRZ8UONmt0a5h2sXGzxNn8jqEUY",
                "4lXb3mTzv0n8sQyR1cKdPeWfJhUgAiLoZkYtN6DxqVE")));
    all.add(
        setting(
            "storage.onUnavailable",
            "memory",
            c -> c.postrider().onUnavailable(),
            OnUnavailable.MEMORY));
    all.add(setting("cluster.node", "web-1", c -> c.postrider().cluster().node(), "web-1"));
    all.add(
        setting(
            "cluster.address",
            "http://web-1:8080",
            c -> c.postrider().cluster().address(),
            "http://web-1:8080"));
    all.add(
        setting(
            "cluster.heartbeat",
            "1s",
            c -> c.postrider().cluster().heartbeat(),
            Duration.ofSeconds(1)));
    all.add(
        setting(
            "cluster.lease", "30s", c -> c.postrider().cluster().lease(), Duration.ofSeconds(30)));
    all.add(setting("http.host", "localhost", c -> c.http().host(), "localhost"));
    all.add(setting("http.port", "9999", c -> c.http().port(), 9999));
    all.add(setting("http.bodyLimit", "2mb", c -> c.http().bodyLimit(), 2L << 20));
    all.add(setting("http.batchLimit", "32mb", c -> c.http().batchLimit(), 32L << 20));
    all.add(setting("http.bodyTimeout", "9s", c -> c.http().bodyTimeout(), Duration.ofSeconds(9)));
    all.add(
        setting(
            "http.headerTimeout",
            "9s",
            c -> c.http().limits().headerTimeout(),
            Duration.ofSeconds(9)));
    all.add(
        setting(
            "http.writeTimeout",
            "9s",
            c -> c.http().limits().writeTimeout(),
            Duration.ofSeconds(9)));
    all.add(setting("http.bodiesLimit", "32mb", c -> c.http().limits().bodiesLimit(), 32L << 20));
    all.add(setting("http.connections", "99", c -> c.http().limits().connections(), 99));
    all.add(
        setting(
            "http.connectionsPerAddress", "9", c -> c.http().limits().connectionsPerAddress(), 9));
    all.add(setting("http.failuresPerMinute", "9", c -> c.http().limits().failuresPerMinute(), 9));
    all.add(
        setting(
            "http.publicUrl",
            "https://postrider.example.org/",
            c -> c.postrider().media().publicUrl(),
            "https://postrider.example.org"));
    all.add(
        setting(
            "http.trustedProxies",
            "[127.0.0.1, 10.1.0.0/16]",
            c -> c.http().trustedProxies(),
            List.of(Network.parse("127.0.0.1"), Network.parse("10.1.0.0/16"))));
    all.add(setting("logging.format", "json", c -> c.logging().format(), LogFormat.JSON));
    all.add(
        setting(
            "health.oldestWaiting",
            "1h",
            c -> c.health().oldestWaiting(),
            Optional.of(Duration.ofHours(1))));
    all.add(
        setting(
            "tracing.endpoint",
            "http://127.0.0.1:4318/v1/traces",
            c -> c.tracing().endpoint(),
            URI.create("http://127.0.0.1:4318/v1/traces")));
    all.add(
        setting(
            "tracing.headers",
            "[api-key=s3cret, x-tenant=a=b]",
            c -> c.tracing().headers(),
            Map.of("api-key", "s3cret", "x-tenant", "a=b")));
    all.add(setting("tracing.sampleRatio", "0.25", c -> c.tracing().sampleRatio(), 0.25));
    all.add(setting("tracing.service", "shop", c -> c.tracing().service(), "shop"));
    all.add(setting("health.diskFree", "1GB", c -> c.health().diskFree(), 1L << 30));
    all.add(setting("logging.level", "debug", c -> c.logging().level(), LogLevel.DEBUG));
    media(all);
    all.add(setting("accounts.0.text.limit", "300", c -> content(c).textLimit() + "", "300"));
    all.add(setting("accounts.0.text.mode", "newline", c -> content(c).mode() + "", "NEWLINE"));
    all.add(
        setting("accounts.0.media.maxSize", "1mb", c -> content(c).mediaLimit() + "", "1048576"));
    for (String level : List.of("delivery", "channels.sandbox.delivery", "accounts.0.delivery")) {
      delivery(level, all);
    }
    queue(all);
    for (String level : List.of("inbound", "accounts.0.inbound")) {
      inbound(level, all);
    }
    inbound(all);
    reminders(all);
    pace("channels.sandbox.pace.", c -> c.postrider().channelPaces().get("sandbox"), all);
    pace("accounts.0.pace.", c -> account(c).pace().account(), all);
    pace("accounts.0.pace.chat.", c -> account(c).pace().chat(), all);
    all.add(setting("accounts.0.pace.concurrency", "3", c -> concurrency(c), "3"));
    return all;
  }

  private static ContentSettings content(ServerConfig config) {
    return account(config).content();
  }

  private static void media(List<Arguments> all) {
    Function<ServerConfig, MediaSettings> m = c -> c.postrider().media();
    all.add(setting("media.maxSize", "2mb", c -> m.apply(c).largest(), 2L << 20));
    all.add(setting("media.keepUnused", "1h", c -> m.apply(c).keepUnused(), Duration.ofHours(1)));
    all.add(
        setting("media.fetchTimeout", "9s", c -> m.apply(c).fetchTimeout(), Duration.ofSeconds(9)));
    all.add(setting("media.maxRedirects", "2", c -> m.apply(c).maxRedirects(), 2));
    all.add(
        setting(
            "media.allowedNetworks",
            "[10.1.0.0/16, 127.0.0.1]",
            c -> m.apply(c).allowedNetworks(),
            List.of(Network.parse("10.1.0.0/16"), Network.parse("127.0.0.1"))));
  }

  private static void delivery(String level, List<Arguments> all) {
    Function<ServerConfig, DeliverySettings> d = c -> account(c).delivery();
    String at = level + ".";
    all.add(
        setting(
            at + "backoff",
            "[1s, 2s]",
            c -> d.apply(c).backoff(),
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(2))));
    all.add(setting(at + "jitter", "0.25", c -> d.apply(c).jitter(), 0.25));
    all.add(
        setting(
            at + "fastFirstRetry",
            "500ms",
            c -> d.apply(c).fastFirstRetry(),
            Duration.ofMillis(500)));
    all.add(setting(at + "maxAttempts", "8", c -> d.apply(c).maxAttempts(), 8));
    all.add(
        setting(
            at + "attemptTimeout", "7s", c -> d.apply(c).attemptTimeout(), Duration.ofSeconds(7)));
    all.add(setting(at + "lateAfter", "3h", c -> d.apply(c).lateAfter(), Duration.ofHours(3)));
    all.add(setting(at + "lateAction", "fail", c -> d.apply(c).lateAction(), LateAction.FAIL));
    all.add(setting(at + "expireAfter", "2d", c -> d.apply(c).expireAfter(), Duration.ofDays(2)));
    all.add(setting(at + "onUnknown", "hold", c -> d.apply(c).onUnknown(), OnUnknown.HOLD));
    all.add(
        setting(
            at + "onReceiptFailed",
            "record",
            c -> d.apply(c).onReceiptFailed(),
            OnReceiptFailed.RECORD));
    all.add(setting(at + "haltLaneOnFailure", "true", c -> d.apply(c).haltLaneOnFailure(), true));
    all.add(setting(at + "outageUsesAttempts", "true", c -> d.apply(c).outageUsesAttempts(), true));
  }

  private static void queue(List<Arguments> all) {
    Function<ServerConfig, QueueSettings> q = c -> c.postrider().queue();
    all.add(
        setting(
            "delivery.onMissingAccount",
            "fail",
            c -> q.apply(c).onMissingAccount(),
            OnMissingAccount.FAIL));
    all.add(setting("delivery.drainOnStartup", "false", c -> q.apply(c).drainOnStartup(), false));
    all.add(
        setting(
            "delivery.drainBudget", "9s", c -> q.apply(c).drainBudget(), Duration.ofSeconds(9)));
    all.add(setting("delivery.maxQueueDepth", "10", c -> q.apply(c).maxQueueDepth(), 10L));
    all.add(setting("delivery.maxAccountDepth", "11", c -> q.apply(c).maxAccountDepth(), 11L));
    all.add(setting("delivery.maxLaneDepth", "12", c -> q.apply(c).maxLaneDepth(), 12L));
    all.add(
        setting(
            "delivery.keepDelivered", "1h", c -> q.apply(c).keepDelivered(), Duration.ofHours(1)));
    all.add(
        setting(
            "delivery.keepDeadLetters",
            "7d",
            c -> q.apply(c).keepDeadLetters(),
            Duration.ofDays(7)));
    all.add(
        setting(
            "delivery.pruneInterval",
            "1m",
            c -> q.apply(c).pruneInterval(),
            Duration.ofMinutes(1)));
    all.add(
        setting(
            "delivery.shutdownGrace",
            "3s",
            c -> q.apply(c).shutdownGrace(),
            Duration.ofSeconds(3)));
  }

  private static void inbound(String level, List<Arguments> all) {
    Function<ServerConfig, InboundSettings> in = c -> account(c).inbound();
    String at = level + ".";
    all.add(setting(at + "keepMedia", "true", c -> in.apply(c).keepMedia(), true));
    all.add(setting(at + "revivals", "7", c -> in.apply(c).revivals(), 7));
    all.add(
        setting(at + "revivalDelay", "9s", c -> in.apply(c).revivalDelay(), Duration.ofSeconds(9)));
    all.add(setting(at + "revivalAge", "9h", c -> in.apply(c).revivalAge(), Duration.ofHours(9)));
    all.add(
        setting(
            at + "backoff",
            "[2s, 3s]",
            c -> in.apply(c).backoff(),
            List.of(Duration.ofSeconds(2), Duration.ofSeconds(3))));
    all.add(setting(at + "jitter", "0.25", c -> in.apply(c).jitter(), 0.25));
    all.add(setting(at + "maxAttempts", "9", c -> in.apply(c).maxAttempts(), 9));
    all.add(
        setting(
            at + "session",
            "by-{sender}",
            c -> in.apply(c).session(),
            new SessionKey("by-{sender}")));
  }

  private static void inbound(List<Arguments> all) {
    Function<ServerConfig, InboundQueueSettings> queue = c -> c.postrider().inboundQueue();
    all.add(setting("inbound.maxDepth", "7", c -> queue.apply(c).maxDepth(), 7L));
    all.add(setting("inbound.concurrency", "3", c -> queue.apply(c).concurrency(), 3));
    all.add(
        setting(
            "inbound.handlerLease",
            "9s",
            c -> queue.apply(c).handlerLease(),
            Duration.ofSeconds(9)));
  }

  private static void reminders(List<Arguments> all) {
    Function<ServerConfig, ReminderSettings> r = ServerConfig::reminders;
    String at = "reminders.";
    all.add(setting(at + "groupConcurrency", "4", c -> r.apply(c).groupConcurrency(), 4));
    all.add(setting(at + "runConcurrency", "9", c -> r.apply(c).runConcurrency(), 9));
    all.add(setting(at + "perMinute", "9", c -> r.apply(c).pace(), Pace.perMinute(9).burst(5)));
    all.add(setting(at + "burst", "9", c -> r.apply(c).pace(), Pace.perMinute(40).burst(9)));
    all.add(setting(at + "grace", "2h", c -> r.apply(c).grace(), Duration.ofHours(2)));
    all.add(
        setting(at + "shortestGap", "1ms", c -> r.apply(c).shortestGap(), Duration.ofMillis(1)));
    all.add(setting(at + "longestGap", "9s", c -> r.apply(c).longestGap(), Duration.ofSeconds(9)));
    all.add(setting(at + "errorSample", "7", c -> r.apply(c).errorSample(), 7));
    all.add(setting(at + "errorRatio", "0.7", c -> r.apply(c).errorRatio(), 0.7));
    ZoneId there = ZoneId.of("Asia/Kuala_Lumpur");
    all.add(setting(at + "timezone", "Asia/Kuala_Lumpur", c -> r.apply(c).zone(), there));
    all.add(
        setting(
            "accounts.0.reminders.dailyCeiling",
            "500",
            c -> r.apply(c).accounts(),
            Map.of("sandbox", new DailyCeilings(500, null))));
  }

  private static void pace(String at, Function<ServerConfig, Pace> pace, List<Arguments> all) {
    Map.of("perSecond", 1, "perMinute", 60, "perHour", 3600, "perDay", 86_400)
        .forEach(
            (key, seconds) ->
                all.add(
                    setting(
                        at + key,
                        "7",
                        c -> String.valueOf(pace.apply(c)),
                        new Pace(Map.of(Duration.ofSeconds(seconds), 7), 1).toString())));
  }

  /** A burst means something beside a limit only, so it has a test of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"channels.sandbox.pace", "accounts.0.pace", "accounts.0.pace.chat"})
  void a_burst_widens_the_limit_beside_it(String at) {
    ServerConfig config = ConfigFixture.read(yaml(at, "{perMinute: 40, burst: 5}"));

    Pace seen =
        switch (at) {
          case "channels.sandbox.pace" -> config.postrider().channelPaces().get("sandbox");
          case "accounts.0.pace" -> account(config).pace().account();
          default -> account(config).pace().chat();
        };
    assertThat(seen).isEqualTo(Pace.perMinute(40).burst(5));
  }

  /** The first day and the ceilings mean something together only. */
  @Test
  void an_account_is_warmed_up_from_its_first_day() {
    String warmup = "{since: 2026-11-01, ceilings: [20, 50]}";

    ServerConfig config = ConfigFixture.read(yaml("accounts.0.reminders.warmup", warmup));

    assertThat(config.reminders().accounts())
        .containsExactly(
            entry(
                "sandbox",
                new DailyCeilings(null, new Warmup(LocalDate.of(2026, 11, 1), List.of(20, 50)))));
    for (String half : List.of("{since: 2026-11-01}", "{ceilings: [20]}")) {
      assertThatThrownBy(() -> ConfigFixture.read(yaml("accounts.0.reminders.warmup", half)))
          .isInstanceOf(BadConfig.class)
          .hasMessageContaining("reminders.warmup")
          .hasMessageContaining("beside it");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timezone: Mars",
        "errorRatio: 0",
        "errorRatio: much",
        "shortestGap: 2s",
        "perMinute: 0"
      })
  void a_wrong_setting_of_runs_is_named(String wrong) {
    assertThatThrownBy(() -> ConfigFixture.read("reminders: {" + wrong + "}"))
        .isInstanceOf(BadConfig.class)
        .hasMessageContaining("reminders." + wrong.split(":")[0]);
  }

  /** An address to push to needs a secret beside it, so these have a test of their own. */
  @Test
  void messages_are_pushed_to_one_address_or_to_each_accounts_own() {
    String yaml =
        """
        inbound: { pushTo: "http://localhost:9/in", pushSecret: whsec_MTIzNDU2Nzg5MDEy, \
        pushTimeout: 7s }
        accounts:
          - { id: a, channel: sandbox }
          - { id: b, channel: sandbox, inbound: { pushTo: "https://example.org/b" } }
          - { id: c, channel: sandbox, inbound: { pushSecret: whsec_b3RoZXIgc2VjcmV0 } }
        """;

    Map<String, PushSettings> pushes = ConfigFixture.read(yaml).pushes();

    URI everywhere = URI.create("http://localhost:9/in");
    String secret = "whsec_MTIzNDU2Nzg5MDEy";
    Duration timeout = Duration.ofSeconds(7);
    assertThat(pushes)
        .containsEntry("a", new PushSettings(everywhere, secret, timeout))
        .containsEntry("b", new PushSettings(URI.create("https://example.org/b"), secret, timeout))
        .containsEntry("c", new PushSettings(everywhere, "whsec_b3RoZXIgc2VjcmV0", timeout));
    assertThat(pushes.toString()).doesNotContain(secret, "whsec");
  }

  private static AccountConfig account(ServerConfig config) {
    return config.postrider().accounts().getFirst();
  }

  private static String concurrency(ServerConfig config) {
    return String.valueOf(account(config).pace().concurrency());
  }

  private static Arguments setting(
      String key, String value, Function<ServerConfig, Object> seen, Object expected) {
    return arguments(key, value, seen, expected);
  }

  static Stream<Arguments> alertKeys() {
    return Stream.of(
        alert("digest: 5m", AlertSettings::digest, Duration.ofMinutes(5)),
        alert("accountDown: 1h", AlertSettings::accountDown, Optional.of(Duration.ofHours(1))),
        alert("accountDown: off", AlertSettings::accountDown, Optional.empty()),
        alert("deaf: 1h", AlertSettings::deaf, Optional.of(Duration.ofHours(1))),
        alert("oldestWaiting: 1h", AlertSettings::oldestWaiting, Optional.of(Duration.ofHours(1))),
        alert("deadLetters: false", AlertSettings::deadLetters, false),
        alert("runEnded: false", AlertSettings::runEnded, false));
  }

  private static Arguments alert(
      String line, Function<AlertSettings, Object> seen, Object expected) {
    return arguments(line, seen, expected);
  }

  @ParameterizedTest
  @MethodSource("alertKeys")
  void what_is_alerted_can_be_changed(
      String line, Function<AlertSettings, Object> seen, Object expected) {
    String base = "alerts: {account: sandbox, to: ops";
    assertThat(seen.apply(ConfigFixture.read(base + "}").alerts())).isNotEqualTo(expected);

    assertThat(seen.apply(ConfigFixture.read(base + ", " + line + "}").alerts()))
        .isEqualTo(expected);
  }

  @Test
  void alerts_go_through_an_account_or_a_webhook_or_both() {
    String secret = "whsec_c2VjcmV0IG9mIGFsZXJ0cw==";
    AlertSettings alerts =
        ConfigFixture.read(
                "alerts: {account: sandbox, to: ops, webhook: 'https://example.org/a',"
                    + " webhookSecret: "
                    + secret
                    + "}")
            .alerts();

    assertThat(alerts.on()).isTrue();
    assertThat(alerts.account()).isEqualTo("sandbox");
    assertThat(alerts.to()).isEqualTo("ops");
    assertThat(alerts.webhook()).isEqualTo(URI.create("https://example.org/a"));
    assertThat(alerts.webhookSecret()).isEqualTo(secret);
    assertThat(alerts.toString()).doesNotContain("whsec");
    assertThat(ConfigFixture.read("").alerts().on()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{digest: 5m} | alerts says what to tell but not whom: give account and to, or webhook",
        "{account: sandbx, to: ops} | alerts.account 'sandbx' is not configured; did you mean"
            + " 'sandbox'?",
        "{account: sandbox} | alerts.account needs a chat beside it",
        "{to: ops} | alerts.to needs an account beside it",
        "{webhook: 'https://example.org'} | alerts.webhook needs a webhookSecret beside it",
        "{account: sandbox, to: ops, deaf: soon} | alerts.deaf"
      })
  void alerts_that_would_reach_nobody_are_a_mistake(String given) {
    String[] sides = given.split(" \\| ");
    assertThatThrownBy(() -> ConfigFixture.read("alerts: " + sides[0]))
        .isInstanceOf(BadConfig.class)
        .hasMessageContaining(sides[1]);
  }
}
