package dev.postrider.channels.feishu;

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
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Feishu and Lark: an app with a bot, or the webhook of a group's custom bot. */
public final class FeishuChannel implements Channel {
  /** Of 30 KB for a card, in which a quotation mark takes four bytes; 20 KB for a webhook. */
  private static final TextLimit TEXT = TextLimit.of(8_000, Unit.UTF8_BYTES);

  private static final Pace APP = Pace.perSecond(50).and(Duration.ofMinutes(1), 1_000);
  private static final Pace CHAT = Pace.perSecond(5);
  private static final Pace CUSTOM_BOT = Pace.perSecond(5).and(Duration.ofMinutes(1), 100);

  /** Feishu remembers an hour, by its own clock. */
  private static final Duration REMEMBERS = Duration.ofMinutes(55);

  private static final long MB = 1 << 20;
  private static final Rule SOUND = new Rule(Set.of("audio/ogg", "audio/opus"), 30 * MB, false);

  private static final MediaRules MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(
                  Set.of(
                      "image/jpeg",
                      "image/png",
                      "image/webp",
                      "image/gif",
                      "image/tiff",
                      "image/bmp",
                      "image/x-icon",
                      "image/vnd.microsoft.icon"),
                  10 * MB,
                  false),
              MediaKind.VIDEO,
              new Rule(Set.of("video/mp4"), 30 * MB, false),
              MediaKind.AUDIO,
              SOUND,
              MediaKind.VOICE,
              SOUND,
              MediaKind.DOCUMENT,
              new Rule(Set.of(), 30 * MB, false)),
          null, // a file is a message of its own
          1,
          List.of(),
          false,
          false,
          Reuse.BY_UPLOAD);

  @Override
  public String name() {
    return "feishu";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("appId", false, false, "the app's id, cli_…; or webhookUrl instead"),
        new Setting("appSecret", false, true, "the app's secret"),
        new Setting("region", false, false, "feishu (China) or lark (elsewhere); feishu"),
        new Setting("baseUrl", false, false, "the API, if it is neither region's"),
        new Setting("webhookUrl", false, true, "the address of a group's custom bot"),
        new Setting("secret", false, true, "what the custom bot wants requests signed with"),
        new Setting("markdown", false, false, "what markdown is sent as: card, or post"),
        new Setting("encryptKey", false, true, "what Feishu encrypts and signs its events with"),
        new Setting("webhookSecret", false, true, "another name for encryptKey"),
        new Setting("verificationToken", false, true, "what Feishu's events bring along"),
        new Setting("tolerance", false, false, "how old an event may be; 8h"),
        PermanentErrors.SETTING);
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Capabilities text = Capabilities.of(Dialects.FEISHU, TEXT).withOptions(FeishuContent.OPTIONS);
    // All chats are the one group behind the address.
    return isCustomBot(account)
        ? text.paced(CUSTOM_BOT, _ -> CUSTOM_BOT, 1)
        : text.withMedia(MEDIA)
            .remembering(REMEMBERS)
            .reporting(DeliveryReport.State.READ)
            .paced(APP, _ -> CHAT, 16);
  }

  static boolean isCustomBot(AccountConfig account) {
    return !account.text("webhookUrl", "").isBlank();
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return isCustomBot(account) ? Channel.super.canonical(account, to) : Receiver.of(to).id();
  }

  @Override
  public void check(Message message, Plan plan) {
    Receiver.checkMessageId("replyToId", message.replyToId());
    Receiver.checkMessageId("threadId", message.threadId());
    FeishuContent.checkChannelData(message);
    FeishuContent.of(Dispatch.last(message, plan), true);
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    return FeishuHook.of(Settings.of(account));
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new FeishuInboundFiles(account, media);
  }

  /** Refuses an account that is neither an app nor a custom bot, or both. */
  @Override
  public void checkAccount(AccountConfig account) {
    Settings settings = Settings.of(account);
    boolean app =
        !settings.text("appId", "").isBlank() || !settings.text("appSecret", "").isBlank();
    if (app == isCustomBot(account)) {
      throw settings.wrong(
          "appId",
          (app ? "and webhookUrl are both there" : "and webhookUrl are both missing")
              + ": give appId and appSecret for an app, or webhookUrl for a group's custom bot");
    }
  }

  @Override
  public Link open(AccountContext context) {
    checkAccount(context.config());
    Settings settings = Settings.of(context.config());
    return isCustomBot(context.config())
        ? new FeishuWebhookLink(settings, context.scheduler())
        : new FeishuLink(settings, context.scheduler());
  }
}
