package dev.postrider.channels.telegram;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Capabilities.TextUnit;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channels.Settings;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import java.time.Duration;
import java.util.List;

/** Telegram bots. */
public final class TelegramChannel implements Channel {
  private static final Pace BOT = Pace.perSecond(30).burst(30);
  private static final Pace GROUP = Pace.perMinute(20).and(Duration.ofSeconds(1), 1);
  private static final Pace PRIVATE = Pace.perSecond(1).burst(3);

  @Override
  public String name() {
    return "telegram";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("token", true, true, "the bot's token, as @BotFather gave it"),
        new Setting("baseUrl", false, false, "the Bot API server; https://api.telegram.org"),
        new Setting("webhookSecret", false, true, "what Telegram must present at our webhook"),
        new Setting("permanentErrors", false, false, "error texts (regex) that end a message"),
        new Setting("connectTimeout", false, false, "how long connecting may take; 10s"),
        new Setting("timeout", false, false, "how long a request may take in all; 30s"));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return new Capabilities(
        4096, TextUnit.UTF16, true, false, false, BOT, TelegramChannel::chatPace, 16);
  }

  /** Groups and channels have negative ids, or a public name; people have neither. */
  private static Pace chatPace(String chat) {
    return chat.startsWith("-") || chat.startsWith("@") ? GROUP : PRIVATE;
  }

  @Override
  public Link open(AccountContext context) {
    return new TelegramLink(Settings.of(context.config()), context.scheduler());
  }
}
