package dev.postrider.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Against a Telegram that somebody else wrote, behind a proxy of a third party that refuses what
 * the published contract does not allow.
 */
@VerifiedAgainst(value = "telegram-test-api 4.2.1 behind Prism", channels = "telegram")
class TelegramPeerTest {
  private static final String TOKEN = "123456:abc";
  private static final Duration LONG = Duration.ofSeconds(30);

  private static NpmPeer peer;
  private static String behind;
  private static TestAccount account;
  private static Link link;
  private static HttpSender http;

  @BeforeAll
  static void start() throws Exception {
    peer = NpmPeer.start("prism", "telegram.js", "Prism is listening", "{port}");
    Matcher address = Pattern.compile("behind (\\S+)").matcher(peer.said());
    assertThat(address.find()).isTrue();
    behind = address.group(1);
    account =
        TestAccount.of(
            AccountConfig.of("tg", "telegram")
                .set("token", TOKEN)
                .set("baseUrl", peer.baseUrl())
                .set("polling", "true"));
    link = new TelegramChannel().open(account);
    http = new HttpSender(LONG, LONG, Secrets.of());
  }

  @AfterAll
  static void stop() throws Exception {
    link.close();
    http.close();
    peer.close();
  }

  /** What a person's side of the platform says. */
  private static JsonNode person(String call, Map<String, ?> body) {
    HttpResult result = http.send(HttpCall.post(URI.create(behind + "/" + call)).json(body));
    return Objects.requireNonNull(Json.readObject(((HttpResult.Response) result).body()));
  }

  @Test
  void a_text_with_markup_buttons_and_a_reply_is_taken_and_can_be_read_back() throws Exception {
    Message.Builder message =
        Message.to("tg", "42")
            .text("Hi & bye")
            .replyToId("1")
            .silent(true)
            .channelData(
                Map.of(
                    "reply_markup",
                    Map.of(
                        "inline_keyboard",
                        List.of(List.of(Map.of("text", "Yes", "callback_data", "y"))))));
    Dispatch part = account.markup(message, "<b>Hi</b> &amp; bye");

    assertThat(link.send(part)).isInstanceOf(Outcome.Delivered.class);
    assertThat(person("getUpdatesHistory", Map.of("token", TOKEN)).toString())
        .contains("<b>Hi</b> &amp; bye");
  }

  @Test
  void what_the_contract_does_not_allow_is_refused() throws Exception {
    Dispatch part =
        account.part(Message.to("tg", "42").text("x").channelData(Map.of("nonsense", 1)));

    assertThat(link.send(part)).isNotInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void the_bot_is_known() throws Exception {
    assertThat(link.probe()).isInstanceOf(Probe.Healthy.class);
  }

  @Test
  void what_a_person_writes_comes_in() throws Exception {
    person(
        "sendMessage",
        Map.of(
            "botToken",
            TOKEN,
            "from",
            Map.of("id", 7, "first_name", "Ann"),
            "chat",
            Map.of("id", 7, "type", "private"),
            "date",
            1763222400,
            "text",
            "hello bot"));
    TestInlet inlet = new TestInlet(null, 1);

    try {
      link.listen(inlet);
    } finally {
      Thread.interrupted(); // set by the inlet when it had enough
    }

    InboundMessage arrival = inlet.arrivals().getFirst();
    assertThat(arrival.text()).isEqualTo("hello bot");
    assertThat(arrival.chat()).isEqualTo("7");
    assertThat(arrival.sender().name()).isEqualTo("Ann");
  }
}
