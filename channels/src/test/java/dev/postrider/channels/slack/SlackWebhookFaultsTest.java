package dev.postrider.channels.slack;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;

class SlackWebhookFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new SlackWebhookChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("sl", "slack-webhook").set("url", baseUrl + "/services/T1/B1/secret");
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("ops", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.text(200, "text/html", "ok");
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return List.of(
        Reply.html(200, "<h1>Welcome to our hotel</h1>"),
        Reply.text(200, "text/plain", ""),
        Reply.text(200, "text/plain", "invalid_payload"),
        new Reply.HalfAnswer(success()));
  }
}
