package dev.postrider.channels.discord;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;

/** Every way of sending against a platform that misbehaves. */
class DiscordFaultsTest {
  abstract static class Matrix extends FaultMatrix {
    /** Discord says of a 502 that nobody was there to process the request. */
    @Override
    protected Class<? extends Outcome> onServerError(int status) {
      return status == 502 ? Outcome.Unreachable.class : super.onServerError(status);
    }

    @Override
    protected Channel channel() {
      return new DiscordChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("dc", "discord").set("token", "s.e.cret").set("baseUrl", baseUrl);
    }

    @Override
    protected Dispatch part(TestAccount account) {
      return account.part("42", "hello");
    }

    @Override
    protected Reply.Answer success() {
      return Reply.json(200, "{\"id\":\"1\",\"content\":\"hello\"}");
    }

    @Override
    protected List<Reply> hollowSuccesses() {
      return Stream.concat(
              super.hollowSuccesses().stream(), Stream.of(Reply.text(204, "text/plain", "")))
          .toList();
    }
  }

  @Nested
  class Text extends Matrix {}

  @Nested
  class Files extends Matrix {
    @Override
    protected Dispatch part(TestAccount account) {
      return super.part(account).carrying(List.of(Held.file("a.pdf", null, 100_000)));
    }
  }

  @Nested
  class Webhook extends Matrix {
    @Override
    protected Channel channel() {
      return new DiscordWebhookChannel();
    }

    @Override
    protected AccountConfig account(String baseUrl) {
      return AccountConfig.of("dc", "discord-webhook").set("url", baseUrl + "/webhooks/1/secret");
    }
  }

  @Nested
  class FollowUp extends Matrix {
    @Override
    protected Dispatch part(TestAccount account) {
      return account.part(
          Message.to("dc", "42")
              .text("hello")
              .channelData(
                  Map.of("interaction", Map.of("applicationId", "5", "token", "secret-token"))));
    }
  }
}
