package dev.postrider.channels.matrix;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;

class MatrixFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new MatrixChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("mx", "matrix")
        .set("plainInEncryptedRooms", true)
        .set("token", "syt-very-secret")
        .set("baseUrl", baseUrl);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("!room:example.org", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.json(200, "{\"event_id\":\"$1\"}");
  }
}
