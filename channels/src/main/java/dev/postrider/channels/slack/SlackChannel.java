package dev.postrider.channels.slack;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Slack apps with a bot token. */
public final class SlackChannel implements Channel {
  /** Slack recommends at most 4000; beyond 40000 it cuts without a word. */
  static final TextLimit TEXT = TextLimit.of(3900, Unit.UTF16);

  static final Pace CHAT = Pace.perSecond(1).burst(3);

  private static final Pace APP = Pace.perMinute(300).burst(50);
  private static final int ALBUM = 10;

  /** Slack fetches nothing: a file given by its address is brought like any other. */
  private static final Rule ANY_FILE = new Rule(Set.of(), 1L << 30, false);

  private static final MediaRules MEDIA =
      new MediaRules(
          EnumSet.allOf(MediaKind.class).stream()
              .collect(Collectors.toMap(Function.identity(), _ -> ANY_FILE)),
          TEXT,
          ALBUM,
          List.of(EnumSet.allOf(MediaKind.class)),
          false,
          false,
          Reuse.NONE);

  @Override
  public String name() {
    return "slack";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("token", true, true, "the bot's token, xoxb-…"),
        new Setting("baseUrl", false, false, "the Web API; " + SlackApi.HOME),
        new Setting("settle", false, false, "how long to wait before a lost message counts; 3s"),
        new Setting("signingSecret", false, true, "what Slack signs its requests to us with"),
        new Setting("webhookSecret", false, true, "another name for signingSecret"),
        new Setting("tolerance", false, false, "how old a signed request may be; 5m"),
        new Setting("appToken", false, true, "xapp-…, to listen over Socket Mode"),
        new Setting("idle", false, false, "how long a socket may be quiet; 30s"));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.SLACK, TEXT)
        .withMedia(MEDIA)
        .withOptions(SlackRequest.OPTIONS)
        .paced(APP, _ -> CHAT, 16);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    if (chat.chars().anyMatch(Character::isWhitespace)) {
      throw new InvalidInput(
          "to",
          "must be the id of a conversation or person, such as C024BE91L, or a name: #general");
    }
    return chat;
  }

  @Override
  public void check(Message message, Plan plan) {
    SlackRequest.checkExtras(message, SlackRequest.POST_EXTRAS);
    if (!message.channelData().isEmpty() && !plan.parts().getLast().media().isEmpty()) {
      throw new InvalidInput(
          "channelData", "cannot ride on a file on Slack; send it as a message of its own");
    }
    SlackRequest.webhook(Dispatch.last(message, plan));
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    Settings settings = Settings.of(account);
    String secret = settings.text("signingSecret", settings.text("webhookSecret", ""));
    return secret.isBlank() ? null : SlackHook.of(settings, secret);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new SlackInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new SlackLink(Settings.of(context.config()), context.scheduler());
  }
}
