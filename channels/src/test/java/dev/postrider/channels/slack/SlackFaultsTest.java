package dev.postrider.channels.slack;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.stream.Stream;

class SlackFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new SlackChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("sl", "slack").set("token", "xoxb-1-secret").set("baseUrl", baseUrl);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("C1", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.json(200, "{\"ok\":true,\"channel\":\"C1\",\"ts\":\"1700000000.000100\"}");
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return Stream.concat(
            super.hollowSuccesses().stream(),
            Stream.of(
                Reply.json(200, "{\"ok\":true}"),
                Reply.json(200, "{\"ok\":\"true\",\"ts\":\"1.1\"}"),
                Reply.json(200, "{\"ok\":false,\"error\":\"channel_not_found\"}")))
        .toList();
  }
}
