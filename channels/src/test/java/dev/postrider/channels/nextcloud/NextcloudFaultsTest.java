package dev.postrider.channels.nextcloud;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import java.util.List;

class NextcloudFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new NextcloudChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("nc", "nextcloud-talk")
        .set("baseUrl", baseUrl)
        .set("secret", FakeTalk.SECRET);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("n3xtc10ud", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return FakeTalk.ocs(201, null);
  }

  @Override
  protected List<Reply> hollowSuccesses() {
    return List.of(
        Reply.html(200, "<h1>Welcome to our hotel</h1>"),
        Reply.html(201, "<h1>Welcome to our hotel</h1>"),
        Reply.json(201, "{\"ocs\":{\"me"),
        Reply.json(201, "{}"),
        FakeTalk.ocs(200, null),
        new Reply.HalfAnswer(success()));
  }
}
