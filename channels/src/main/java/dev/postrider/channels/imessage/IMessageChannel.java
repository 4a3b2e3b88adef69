package dev.postrider.channels.imessage;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import java.time.Duration;
import java.util.List;

/** iMessage on the Mac that Postrider runs on. */
public final class IMessageChannel implements Channel {
  @Override
  public String name() {
    return "imessage";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("command", false, false, "what to run; [imsg, rpc]"),
        new Setting("service", false, false, "for people: auto, imessage or sms; auto"),
        new Setting("transport", false, false, "auto, bridge or applescript; auto"),
        new Setting("timeout", false, false, "how long one request may take; 3m"),
        new Setting("settle", false, false, "how long to wait before a lost message counts; 5s"),
        new Setting("idle", false, false, "how often to ask whether imsg still works; 1m"),
        new Setting(
            "attachments",
            false,
            false,
            "where Messages keeps files; ~/Library/Messages/Attachments"));
  }

  @Override
  public void checkAccount(AccountConfig account) {
    IMessageSettings.of(account);
  }

  /** The program works on one request after the other. */
  @Override
  public Capabilities capabilities(AccountConfig account) {
    return IMessageLimits.capabilities(1);
  }

  /** A little more than the program is waited for. */
  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    Duration patience = IMessageSettings.PATIENCE.multipliedBy(3);
    return usual.with(s -> s.attemptTimeout = patience);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return IMessageAddress.of(to).canonical();
  }

  @Override
  public void check(Message message, Plan plan) {
    IMessageRequest.check(message, plan);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new IMessageInboundFiles(IMessageSettings.of(account).attachments());
  }

  @Override
  public Link open(AccountContext context) {
    return new IMessageLink(context);
  }
}
