package dev.postrider.channels.telegram;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.FaultMatrix;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;

class TelegramFaultsTest extends FaultMatrix {
  @Override
  protected Channel channel() {
    return new TelegramChannel();
  }

  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("tg", "telegram").set("token", "1:x").set("baseUrl", baseUrl);
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("42", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.json(200, "{\"ok\":true,\"result\":{\"message_id\":1}}");
  }
}
