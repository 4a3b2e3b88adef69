package dev.postrider.channels.discord;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.List;

/** Webhooks into one Discord chat, or into the threads of one. */
public final class DiscordWebhookChannel implements Channel {
  private static final Pace HOOK = Pace.perMinute(30).and(Duration.ofSeconds(2), 5).burst(5);

  @Override
  public String name() {
    return "discord-webhook";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("url", true, true, "the webhook, such as " + DiscordChannel.HOOK),
        PermanentErrors.SETTING);
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return DiscordChannel.common().paced(HOOK, _ -> Pace.UNLIMITED, 1);
  }

  @Override
  public void check(Message message, Plan plan) {
    DiscordChannel.checkThread(message);
    if (message.channelData().containsKey("thread_name") && plan.parts().size() > 1) {
      throw new InvalidInput(
          "channelData.thread_name", "opens a thread with one message, and this makes several");
    }
    DiscordChannel.checkBody(
        message,
        DiscordChannel.HOOKS_MESSAGE,
        DiscordRequest.webhook(Dispatch.last(message, plan)));
  }

  @Override
  public Link open(AccountContext context) {
    return new DiscordWebhookLink(Settings.of(context.config()), context.scheduler());
  }
}
