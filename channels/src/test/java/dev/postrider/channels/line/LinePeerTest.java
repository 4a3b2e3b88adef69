package dev.postrider.channels.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.peers.PrismPeer;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole requests, headers too, against what Prism makes of LINE's own description. */
@VerifiedAgainst(value = "Prism 5.16.0 with LINE's API description", channels = "line")
class LinePeerTest {
  private static final String ANN = "U4af4980629000000000000000000abcd";
  private static final LineChannel CHANNEL = new LineChannel();
  private static final Duration LONG = Duration.ofMinutes(5);

  private static NpmPeer prism;

  @BeforeAll
  static void start() throws Exception {
    prism = PrismPeer.start("line/messaging-api.yml");
  }

  @AfterAll
  static void stop() throws Exception {
    if (prism != null) {
      prism.close();
    }
  }

  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("shop", "line")
              .set("token", "long-lived-token")
              .set("channelSecret", "channel-secret")
              .set("previewImageUrl", "https://example.org/play.png")
              .set("baseUrl", prism.baseUrl()));

  private Dispatch part(Message.Builder builder) {
    Message message = builder.build();
    Plan plan =
        Planner.plan(
            new MessageId(UUID.fromString("01990000-0000-7000-8000-000000000001")),
            message,
            CHANNEL.capabilities(account.config()),
            _ -> Optional.empty());
    CHANNEL.check(message, plan);
    List<PartFile> files =
        plan.parts().getFirst().media().stream()
            .map(file -> new PartFile(file, null, null))
            .toList();
    return new Dispatch(plan.origin(), message, plan, 0, PartState.PENDING, files);
  }

  static List<Message.Builder> messages() {
    return List.of(
        Message.to("shop", ANN).text("Hi").silent(true),
        Message.to("shop", ANN)
            .text("x".repeat(9_000))
            .media(
                List.of(
                    Media.at("https://example.org/a.jpg"),
                    Media.at("https://example.org/b.mp4"),
                    Media.at("https://example.org/c.m4a"))),
        Message.to("shop", ANN)
            .text("Sure?")
            .channelData(
                Map.of(
                    "sender",
                    Map.of("name", "Ann"),
                    "sticker",
                    Map.of("packageId", "446", "stickerId", "1988"),
                    "quickReply",
                    Map.of(
                        "items",
                        List.of(
                            Map.of(
                                "type",
                                "action",
                                "action",
                                Map.of("type", "message", "label", "Yes", "text", "yes")))))));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void what_is_pushed_is_what_line_describes(Message.Builder message) throws Exception {
    try (Link link = CHANNEL.open(account)) {
      assertThat(link.send(part(message))).isInstanceOf(Outcome.Delivered.class);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void what_is_multicast_is_what_line_describes(Message.Builder message) {
    Dispatch part = part(message);
    List<String> users = List.of(ANN, ANN.replace("abcd", "abce"));
    HttpCall call =
        HttpCall.post(URI.create(prism.baseUrl() + "/v2/bot/message/multicast"))
            .bearer("long-lived-token")
            .header("X-Line-Retry-Key", LineRequest.retryKey(part.key()))
            .json(LineRequest.of(part, "https://example.org/play.png", null).multicast(users));
    try (HttpSender http = new HttpSender(LONG, LONG, Secrets.of())) {
      assertThat(http.send(call))
          .isInstanceOfSatisfying(
              HttpResult.Response.class,
              it -> assertThat(it.status()).as(it.body()).isEqualTo(200));
    }
  }

  @Test
  void a_reply_is_what_line_describes() throws Exception {
    account
        .memory()
        .write(ReplyTokens.remember(ANN, "m1", "token-1", account.scheduler().instant()));
    try (Link link = CHANNEL.open(account)) {
      assertThat(link.send(part(Message.to("shop", ANN).text("Hi").turnId("turn-1"))))
          .isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(account.memory().read(ANN, "reply:m1")).as("the token is used").isEmpty();
  }

  @Test
  void the_answers_to_a_probe_are_understood() throws Exception {
    try (Link link = CHANNEL.open(account)) {
      assertThat(link.probe())
          .isInstanceOfSatisfying(
              Probe.Healthy.class,
              it -> assertThat(it.identity()).contains("Example name", "500 of 1000"));
    }
  }

  @Test
  void a_request_that_line_does_not_describe_is_refused() {
    try (HttpSender http = new HttpSender(LONG, LONG, Secrets.of())) {
      HttpCall call =
          HttpCall.post(URI.create(prism.baseUrl() + "/v2/bot/message/push"))
              .bearer("long-lived-token");
      for (HttpCall wrong :
          List.of(
              call.json(Map.of("to", ANN)),
              call.json(Map.of("to", ANN, "messages", List.of())),
              call.header("X-Line-Retry-Key", "no uuid")
                  .json(
                      Map.of(
                          "to", ANN, "messages", List.of(Map.of("type", "text", "text", "x")))))) {
        assertThat(http.send(wrong))
            .isInstanceOfSatisfying(
                HttpResult.Response.class, it -> assertThat(it.status()).isBetween(400, 499));
      }
    }
  }
}
