package dev.postrider.channels.msteams;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

class TeamsFaultsTest {
  @Nested
  class Bot extends FaultMatrix {
    private final FakeTeams teams = new FakeTeams();

    @AfterEach
    void stop() {
      teams.close();
    }

    @Override
    protected Channel channel() {
      return new TeamsChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return teams.account().set("baseUrl", baseUrl);
    }

    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("19:general@thread.tacv2", "hello");
    }

    @Override
    protected Reply.Answer success() {
      return FakeTeams.sent("1700000000001");
    }
  }

  @Nested
  class Webhook extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new TeamsChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("flow", "msteams")
          .set("webhookUrl", baseUrl + "/workflows/1/triggers/manual/paths/invoke?sig=s3cr3t");
    }

    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("ops", "hello");
    }

    @Override
    protected Reply.Answer success() {
      return Reply.text(202, "text/plain", "");
    }

    @Override
    protected List<Reply> hollowSuccesses() {
      return List.of(
          Reply.html(200, "<h1>Welcome to our hotel</h1>"),
          Reply.text(200, "text/plain", "Webhook Bad Payload: no cards"),
          new Reply.HalfAnswer(Reply.text(200, "text/plain", "1")));
    }
  }
}
