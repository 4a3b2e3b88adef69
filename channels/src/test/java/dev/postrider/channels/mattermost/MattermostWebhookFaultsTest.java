package dev.postrider.channels.mattermost;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.stream.Stream;

class MattermostWebhookFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new MattermostChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("mm", "mattermost").set("webhookUrl", baseUrl + "/hooks/abc");
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("default", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.text(200, "text/plain", "ok");
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return Stream.concat(
            super.hollowSuccesses().stream(),
            Stream.of(Reply.text(200, "text/plain", ""), Reply.text(200, "text/plain", "okay")))
        .toList();
  }
}
