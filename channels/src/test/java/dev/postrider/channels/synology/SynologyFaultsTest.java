package dev.postrider.channels.synology;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.Map;

class SynologyFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new SynologyChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("sy", "synology-chat")
        .set("baseUrl", baseUrl)
        .set("token", FakeNas.TOKEN);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("4", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return FakeNas.success(Map.of("succ", Map.of("user_id_post_map", Map.of("4", 17))));
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return List.of(
        Reply.html(200, "<h1>Welcome to our hotel</h1>"),
        Reply.json(200, "{\"success\":tr"),
        Reply.json(200, "{}"),
        FakeNas.error(100, "unknown error"),
        new Reply.HalfAnswer(success()));
  }
}
