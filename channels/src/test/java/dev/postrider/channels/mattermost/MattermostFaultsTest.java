package dev.postrider.channels.mattermost;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.stream.Stream;

class MattermostFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new MattermostChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("mm", "mattermost")
        .set("token", FakeMattermost.TOKEN)
        .set("baseUrl", baseUrl);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part(FakeMattermost.TOWN, "hello");
  }

  @Override
  protected Reply.Answer success() {
    return FakeMattermost.json(201, java.util.Map.of("id", FakeMattermost.id("post")));
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return Stream.concat(
            super.hollowSuccesses().stream(),
            Stream.of(
                Reply.json(201, "{}"),
                Reply.json(201, "{\"id\":\"\"}"),
                Reply.json(200, "[]"),
                Reply.json(204, "")))
        .toList();
  }
}
