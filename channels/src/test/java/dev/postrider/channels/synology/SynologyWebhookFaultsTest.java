package dev.postrider.channels.synology;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;

class SynologyWebhookFaultsTest extends SynologyFaultsTest {
  @Override
  protected AccountConfig account(String baseUrl) {
    return AccountConfig.of("sy", "synology-chat")
        .set(
            "webhookUrl",
            baseUrl
                + "/webapi/entry.cgi?api=SYNO.Chat.External&method=incoming&version=2&token=%22"
                + FakeNas.TOKEN
                + "%22");
  }

  @Override
  protected Dispatch part(TestAccount account) {
    return account.part("ops", "hello");
  }

  @Override
  protected Reply.Answer success() {
    return Reply.json(200, "{\"success\":true}");
  }
}
