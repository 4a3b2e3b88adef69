package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channels.feishu.FeishuChannel;
import dev.postrider.channels.googlechat.GoogleChatChannel;
import dev.postrider.channels.line.LineChannel;
import dev.postrider.channels.msteams.TeamsChannel;
import dev.postrider.channels.zalo.ZaloChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.AccountPace;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.sqlite.VirtualSqlite;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.testkit.engine.FakeChannel;
import dev.postrider.testkit.engine.World;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import dev.postrider.testkit.time.VirtualTime;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs through the channels whose tokens end: the platform takes each token for so many messages
 * and then no more, so that it ends several times in the middle of a run.
 */
class TokenRunTest {
  private static final int TARGETS = 120;
  private static final int MESSAGES_PER_TOKEN = 35;

  @TempDir Path folder;

  /**
   * A channel over a platform that gives tokens.
   *
   * @param account from the platform's address
   * @param chat of a target, by its number
   * @param receiver where a request says whom it is for
   * @param token how the platform gives one, by its number
   * @param refusal how it does not take one
   */
  private record Case(
      Channel channel,
      BiFunction<AccountConfig, String, AccountConfig> account,
      Function<Integer, String> chat,
      Pattern receiver,
      Function<Integer, Reply> token,
      Reply refusal,
      Reply taken) {
    @Override
    public String toString() {
      return channel.name();
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            new FeishuChannel(),
            (account, base) ->
                account.set("appId", "cli_1").set("appSecret", "s3cret").set("baseUrl", base),
            "oc_%d"::formatted,
            Pattern.compile("\"receive_id\":\"(oc_\\d+)\""),
            n -> json("{'code':0,'tenant_access_token':'token-%d','expire':7200}", n),
            Reply.json(400, "{\"code\":99991663,\"msg\":\"Invalid access token\"}"),
            json("{'code':0,'data':{'message_id':'om_1'}}")),
        new Case(
            new TeamsChannel(),
            (account, base) ->
                account
                    .set("appId", "app")
                    .set("appPassword", "s3cret")
                    .set("tenantId", "t")
                    .set("baseUrl", base)
                    .set("loginUrl", base),
            "19:%d@thread.v2"::formatted,
            Pattern.compile("/v3/conversations/(19:\\d+@thread.v2)/activities"),
            n -> json("{'access_token':'token-%d','expires_in':3600}", n),
            Reply.json(401, "{\"error\":{\"code\":\"Unauthorized\",\"message\":\"expired\"}}"),
            json("{'id':'1'}")),
        new Case(
            new GoogleChatChannel(),
            (account, base) ->
                account
                    .set("serviceAccount", googleKey())
                    .set("baseUrl", base)
                    .set("tokenUrl", base + "/token"),
            "spaces/AAAA%d"::formatted,
            Pattern.compile("/v1/(spaces/AAAA\\d+)/messages"),
            n -> json("{'access_token':'token-%d','expires_in':3599}", n),
            Reply.json(401, "{\"error\":{\"code\":401,\"status\":\"UNAUTHENTICATED\"}}"),
            json("{'name':'spaces/AAAA/messages/1'}")),
        new Case(
            new LineChannel(),
            (account, base) ->
                account.set("channelId", "17").set("channelSecret", "s3cret").set("baseUrl", base),
            "C%032x"::formatted, // groups: people would share requests
            Pattern.compile("\"to\":\"(C\\w{32})\""),
            n -> json("{'access_token':'token-%d','expires_in':900}", n),
            Reply.json(401, "{\"message\":\"Authentication failed\"}"),
            json("{'sentMessages':[{'id':'1'}]}")),
        new Case(
            new ZaloChannel(),
            (account, base) ->
                account
                    // One at a time: others wait for whoever renews, of which virtual time knows
                    // nothing, and Zalo's tokens are stored before they are used.
                    .withPace(new AccountPace(null, null, 1))
                    .set("appId", "36")
                    .set("appSecret", "s3cret")
                    .set("refreshToken", "refresh-0")
                    .set("baseUrl", base)
                    .set("oauthUrl", base),
            "25125%04d"::formatted,
            Pattern.compile("\"user_id\":\"(25125\\d{4})\""),
            n ->
                json(
                    "{'access_token':'token-%d','refresh_token':'refresh-%d','expires_in':'90000'}",
                    n, n),
            Reply.json(200, "{\"error\":-216,\"message\":\"Access token is invalid\"}"),
            json("{'error':0,'data':{'message_id':'1'}}")));
  }

  private static Reply json(String body, Object... values) {
    return Reply.json(200, body.formatted(values).replace('\'', '"'));
  }

  private static String googleKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      return ("{\"type\":\"service_account\",\"client_email\":\"a@example.org\","
              + "\"private_key\":\"%s\"}")
          .formatted(Base64.getEncoder().encodeToString(key));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** A platform that takes each token so often, and each refresh token once. */
  private static final class Platform implements AutoCloseable {
    final FakePlatform http = FakePlatform.start();
    final List<String> received = new ArrayList<>();
    final Set<String> refreshed = new HashSet<>();
    final Case one;
    int tokens;
    int taken;

    Platform(Case one) {
      this.one = one;
      http.recording(false).otherwise(this::answer);
    }

    private synchronized Reply answer(Request request) {
      if (request.path().contains("token")) {
        Matcher refresh = Pattern.compile("refresh_token=(refresh-\\d+)").matcher(request.text());
        assertThat(!refresh.find() || refreshed.add(refresh.group(1))).as("once").isTrue();
        taken = 0;
        return one.token.apply(++tokens);
      }
      String shown =
          request.headers().getOrDefault("access_token", "")
              + request.headers().getOrDefault("authorization", "").replace("Bearer ", "");
      Matcher receiver =
          one.receiver.matcher(
              URLDecoder.decode(request.path(), StandardCharsets.UTF_8) + request.text());
      if (!receiver.find()) {
        return one.taken; // a probe, or a look
      }
      if (!shown.equals("token-" + tokens) || taken == MESSAGES_PER_TOKEN) {
        return one.refusal;
      }
      taken++;
      received.add(receiver.group(1));
      return one.taken;
    }

    @Override
    public void close() {
      http.close();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_token_that_ends_in_the_middle_of_a_run_costs_nobody_a_message_and_nobody_gets_two(
      Case one) {
    try (Platform platform = new Platform(one);
        World world =
            new World(
                    it -> VirtualSqlite.open(folder.resolve("test.db"), it),
                    VirtualTime.inOrder(),
                    new FakeChannel(),
                    1)
                .with(one.channel)
                .configure(
                    config ->
                        config.account(
                            one.account.apply(
                                AccountConfig.of("shop", one.channel.name()),
                                platform.http.baseUrl())))) {
      world.start();
      Reminders reminders =
          Reminders.open(world.postrider(), ReminderSettings.DEFAULTS, new SplittableRandom(1));
      List<String> chats = IntStream.range(0, TARGETS).mapToObj(one.chat::apply).toList();
      Reminder.Builder notice =
          Reminder.named("notice")
              .account("shop")
              .zone(ZoneId.of("UTC"))
              .window(null)
              .targets(chats.stream().map(Target::to).toList())
              .messages(List.of(Content.text("Hello all")));
      UUID run = reminders.fire(reminders.create(notice).id()).run().id();

      world.pass(Duration.ofMinutes(10));

      assertThat(platform.tokens).as("tokens").isBetween(4, 8);
      assertThat(platform.received).containsExactlyInAnyOrderElementsOf(chats);
      assertThat(reminders.runs().find(run).orElseThrow().run().status())
          .isEqualTo(RunStatus.SUCCESS);
      List<RunTarget> targets =
          reminders.runs().targets(run, RunTargetFilter.ALL, null, TARGETS).items();
      assertThat(targets)
          .hasSize(TARGETS)
          .allSatisfy(
              target ->
                  assertThat(world.message(target.messages().getFirst()).attempts())
                      .as("nobody is charged for it")
                      .isOne());
    }
  }
}
