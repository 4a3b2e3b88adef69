package dev.postrider.channels.twitch;

import static dev.postrider.channels.twitch.FakeTwitch.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.peers.PrismPeer;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.channels.twitch.TwitchLogin.Session;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole requests, headers too, against what Prism makes of a description of Twitch's API. */
@VerifiedAgainst(
    value = "Prism 5.16.0 with an unofficial description of Twitch's API",
    channels = "twitch")
class TwitchPeerTest {
  private static final TwitchChannel CHANNEL = new TwitchChannel();
  private static final VendorSchema SCHEMA =
      new VendorSchema(TwitchPeerTest.class, "requests.schema.json");

  private static NpmPeer prism;
  private static FakeTwitch twitch;

  @BeforeAll
  static void start() throws Exception {
    twitch = new FakeTwitch(InstantSource.system());
    prism = PrismPeer.start("twitch/chat.openapi.json");
  }

  @AfterAll
  static void stop() throws Exception {
    twitch.close();
    if (prism != null) {
      prism.close();
    }
  }

  private final TestAccount account =
      TestAccount.of(twitch.account().set("baseUrl", prism.baseUrl()));

  static List<Message.Builder> messages() {
    return List.of(
        Message.to("tw", ANN).text("Hello, world! twitchdevHype"),
        Message.to("tw", ANN).text("yes").replyToId("abc-123-def"),
        Message.to("tw", ANN).text("only here").channelData(Map.of("for_source_only", true)));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void what_is_sent_is_what_is_described(Message.Builder message) throws Exception {
    try (Link link = CHANNEL.open(account)) {
      assertThat(link.send(account.part(message)))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class,
              it -> assertThat(it.receipt().id()).isEqualTo("abc-123-def"));
    }
    Session bot = new Session("t", FakeTwitch.BOT, "rider", null);
    assertThat(
            SCHEMA.validate(
                "SendChatMessageBody",
                Json.tree(TwitchRequest.body(account.part(message), ANN, bot))))
        .isEmpty();
  }

  @Test
  void what_is_subscribed_to_is_what_is_described() {
    for (String type : TwitchEvents.TYPES) {
      Map<String, Object> body =
          TwitchEvents.subscription(
              type, ANN, FakeTwitch.BOT, Map.of("method", "websocket", "session_id", "s1"));
      assertThat(SCHEMA.validate("CreateEventSubSubscriptionBody", Json.tree(body))).isEmpty();
      assertThat(asked(body)).isEqualTo(202);
    }
  }

  private static int asked(Map<String, Object> body) {
    try (HttpSender http =
        new HttpSender(Duration.ofMinutes(5), Duration.ofMinutes(5), Secrets.of())) {
      HttpCall call =
          HttpCall.post(URI.create(prism.baseUrl() + "/eventsub/subscriptions"))
              .bearer(FakeTwitch.TOKEN)
              .header("Client-Id", FakeTwitch.CLIENT)
              .json(body);
      return ((HttpResult.Response) http.send(call)).status();
    }
  }

  @Test
  void a_request_that_is_not_described_is_refused() {
    assertThat(asked(Map.of("type", "channel.chat.message"))).isBetween(400, 499);
    assertThat(asked(TwitchEvents.subscription("no.such.type", ANN, "1", Map.of("method", "x"))))
        .isBetween(400, 499);
    assertThat(SCHEMA.validate("SendChatMessageBody", Json.tree(Map.of("message", "x"))))
        .isNotEmpty();
  }

  @Test
  void a_name_is_looked_up_as_described() throws Exception {
    try (Link link = CHANNEL.open(account)) {
      assertThat(link.send(account.part("#twitchdev", "x"))).isInstanceOf(Outcome.Delivered.class);
    }
  }
}
