package dev.postrider.channels.googlechat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

class GoogleChatFaultsTest {
  private abstract static class Faults extends FaultMatrix {
    @Override
    protected Channel channel() {
      return new GoogleChatChannel();
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(200, "{\"name\":\"spaces/AAAAroom/messages/M1.M1\",\"text\":\"hello\"}");
    }

    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(FakeGoogle.SPACE, "hello");
    }
  }

  @Nested
  class App extends Faults {
    private final FakeGoogle google = new FakeGoogle(); // gives tokens, whatever Chat does

    @AfterEach
    void stop() {
      google.close();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return google.app().set("baseUrl", baseUrl);
    }
  }

  @Nested
  class Webhook extends Faults {
    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("gc", "googlechat")
          .set("webhookUrl", baseUrl + "/v1/" + FakeGoogle.SPACE + "/messages?key=k&token=t");
    }
  }
}
