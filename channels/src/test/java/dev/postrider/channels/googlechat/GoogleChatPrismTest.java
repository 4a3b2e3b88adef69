package dev.postrider.channels.googlechat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.peers.PrismPeer;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Against a platform that Prism makes of Google's description: path, query and body. */
@VerifiedAgainst(value = "Prism", channels = "googlechat")
class GoogleChatPrismTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static NpmPeer prism;
  private static FakeGoogle login;

  @BeforeAll
  static void start() throws Exception {
    prism = PrismPeer.start("googlechat/chat.messages-create.openapi.json");
    login = new FakeGoogle();
  }

  @AfterAll
  static void stop() throws Exception {
    login.close();
    prism.close();
  }

  private static List<Message.Builder> messages() {
    return List.of(
        Message.to("gc", FakeGoogle.SPACE).text("hi").silent(true),
        Message.to("gc", FakeGoogle.SPACE).text("hi").threadId("order-77"),
        Message.to("gc", FakeGoogle.SPACE)
            .channelData(
                Map.of(
                    "cardsV2",
                    List.of(
                        Map.of("cardId", "a", "card", Map.of("header", Map.of("title", "T")))))));
  }

  @Test
  void what_an_app_sends_is_taken() throws Exception {
    TestAccount account = TestAccount.of(login.app().set("baseUrl", prism.baseUrl()));
    try (Link link = new GoogleChatChannel().open(account)) {
      for (Message.Builder message : messages()) {
        assertThat(link.send(account.part(message))).isInstanceOf(Outcome.Delivered.class);
      }
    }
  }

  @Test
  void what_google_does_not_describe_is_refused() {
    URI uri =
        URI.create(
            prism.baseUrl() + "/v1/" + FakeGoogle.SPACE + "/messages?messageReplyOption=PERHAPS");
    try (HttpSender http = new HttpSender(LONG, LONG, Secrets.of())) {
      assertThat(http.send(HttpCall.post(uri).bearer("x").json(Map.of("text", "hi"))))
          .isInstanceOfSatisfying(
              HttpResult.Response.class, it -> assertThat(it.status() / 100).isEqualTo(4));
    }
  }
}
