package dev.postrider.channels.slack;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import java.util.List;

/** Slack's incoming webhooks: an address that posts to one channel. */
public final class SlackWebhookChannel implements Channel {
  @Override
  public String name() {
    return "slack-webhook";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("url", true, true, "the webhook's address; who knows it can post"));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    // All chats are the one channel behind the address, so the account is paced like a chat.
    return Capabilities.of(Dialects.SLACK, SlackChannel.TEXT)
        .withOptions(SlackRequest.OPTIONS)
        .paced(SlackChannel.CHAT, _ -> SlackChannel.CHAT, 1);
  }

  @Override
  public void check(Message message, Plan plan) {
    SlackRequest.checkExtras(message, SlackRequest.WEBHOOK_EXTRAS);
  }

  @Override
  public Link open(AccountContext context) {
    return new SlackWebhookLink(Settings.of(context.config()), context.scheduler());
  }
}
