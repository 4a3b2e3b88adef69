package dev.postrider.channels.bluebubbles;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.imessage.ChatGuid;
import dev.postrider.channels.imessage.IMessageLimits;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** iMessage through a BlueBubbles server. */
public final class BlueBubblesChannel implements Channel {
  @Override
  public String name() {
    return "bluebubbles";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting(
            "baseUrl", true, false, "the server's address, such as " + BlueBubblesApi.EXAMPLE),
        new Setting("password", true, true, "the server's password"),
        new Setting(
            "method", false, false, "how to send: apple-script, or private-api; apple-script"),
        new Setting(
            "service",
            false,
            false,
            "what the Mac's chats are called: iMessage, or any since macOS 26; the Mac is asked"),
        new Setting("settle", false, false, "how long to wait before a lost message counts; 10s"),
        new Setting(
            "poll", false, false, "how often to ask for what no webhook told; 1m, 0s: never"),
        new Setting("webhookSecret", false, true, "the secret in the webhook's address"));
  }

  @Override
  public void checkAccount(AccountConfig account) {
    BlueBubblesApi.check(Settings.of(account));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return IMessageLimits.capabilities(4)
        .withOptions(BlueBubblesRequest.OPTIONS)
        .reporting(
            DeliveryReport.State.DELIVERED, DeliveryReport.State.READ, DeliveryReport.State.FAILED);
  }

  /** AppleScript answers when Messages has done its work: for a file, that can take minutes. */
  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    return usual.with(s -> s.attemptTimeout = BlueBubblesApi.FILE_PATIENCE);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return ChatGuid.of(to).canonical();
  }

  @Override
  public void check(Message message, Plan plan) {
    BlueBubblesRequest.check(message, plan);
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    String secret = account.text("webhookSecret");
    return secret == null ? null : new BlueBubblesHook(secret);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new BlueBubblesInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new BlueBubblesLink(context);
  }
}
