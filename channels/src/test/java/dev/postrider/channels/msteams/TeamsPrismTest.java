package dev.postrider.channels.msteams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.peers.PrismPeer;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Against a Bot Connector that Prism makes of Microsoft's description: path, header and body. */
@VerifiedAgainst(value = "Prism", channels = "msteams")
class TeamsPrismTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static NpmPeer prism;
  private static FakeTeams login;
  private static TestAccount account;

  @BeforeAll
  static void start() throws Exception {
    prism = PrismPeer.start("msteams/botframework-channel.json");
    login = new FakeTeams();
    account = TestAccount.of(login.account().set("baseUrl", prism.baseUrl()));
  }

  @AfterAll
  static void stop() throws Exception {
    login.close();
    prism.close();
  }

  @Test
  void what_a_bot_sends_is_taken() throws Exception {
    Attachment picture =
        new Attachment("https://example.org/a.png", MediaKind.IMAGE, null, null, -1, false, false);
    try (Link link = new TeamsChannel().open(account)) {
      for (Message.Builder message : TeamsRequestTest.messages()) {
        Outcome outcome = link.send(account.part(message));
        if (message.build().to().startsWith("a:") || message.build().to().startsWith("19:")) {
          assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
        } else {
          assertThat(outcome)
              .as("a conversation with a person is opened")
              .isInstanceOfSatisfying(
                  Outcome.Repairable.class,
                  it -> assertThat(it.fix()).isInstanceOf(Fix.NewChat.class));
        }
      }
      assertThat(
              link.send(
                  account
                      .part("a:ann", "hello")
                      .carrying(List.of(new PartFile(picture, null, null)))))
          .isInstanceOf(Outcome.Delivered.class);
    }
  }

  @Test
  void what_microsoft_does_not_describe_is_refused() {
    URI uri = URI.create(prism.baseUrl() + "/v3/conversations/a%3Aann/activities");
    try (HttpSender http = new HttpSender(LONG, LONG, Secrets.of())) {
      assertThat(http.send(HttpCall.post(uri).bearer("x").json(Map.of("text", 7))))
          .isInstanceOfSatisfying(
              HttpResult.Response.class, it -> assertThat(it.status() / 100).isEqualTo(4));
    }
  }
}
