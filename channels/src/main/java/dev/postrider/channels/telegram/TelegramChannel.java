package dev.postrider.channels.telegram;

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
import dev.postrider.channel.Outcome;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Telegram bots. */
public final class TelegramChannel implements Channel {
  private static final Pace BOT = Pace.perSecond(30).burst(30);
  private static final Pace GROUP = Pace.perMinute(20).and(Duration.ofSeconds(1), 1);
  private static final Pace PRIVATE = Pace.perSecond(1).burst(3);

  private static final Pattern ID = Pattern.compile("-?\\d{1,19}");
  private static final Pattern PUBLIC_NAME = Pattern.compile("@[A-Za-z0-9_]{1,64}");

  private static final long MB = 1 << 20;
  private static final MediaRules MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(Set.of("image/jpeg", "image/png", "image/webp"), 10 * MB, true),
              MediaKind.VIDEO,
              new Rule(Set.of("video/mp4", "image/gif"), 50 * MB, true),
              MediaKind.AUDIO,
              new Rule(Set.of("audio/mpeg", "audio/mp4"), 50 * MB, true),
              MediaKind.VOICE,
              new Rule(Set.of("audio/ogg", "audio/mpeg", "audio/mp4"), 50 * MB, true),
              MediaKind.DOCUMENT,
              new Rule(Set.of(), 50 * MB, true)),
          TextLimit.ofVisible(1024, Unit.UTF16),
          10,
          List.of(
              Set.of(MediaKind.IMAGE, MediaKind.VIDEO),
              Set.of(MediaKind.DOCUMENT),
              Set.of(MediaKind.AUDIO)),
          true,
          false,
          Reuse.BY_SENDING);

  @Override
  public String name() {
    return "telegram";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("token", true, true, "the bot's token, as @BotFather gave it"),
        new Setting("baseUrl", false, false, "the Bot API server; https://api.telegram.org"),
        new Setting("webhookSecret", false, true, "what Telegram must present at our webhook"),
        new Setting("polling", false, false, "whether to ask Telegram for updates; false"),
        PermanentErrors.SETTING);
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.TELEGRAM_HTML, TextLimit.ofVisible(4096, Unit.UTF16))
        .withMedia(MEDIA)
        .withOptions(TelegramRequest.OPTIONS)
        .paced(BOT, TelegramChannel::chatPace, 16);
  }

  /** Ids are numbers; public names are the same in capitals. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    if (ID.matcher(chat).matches()) {
      return new BigInteger(chat).toString();
    }
    if (PUBLIC_NAME.matcher(chat).matches()) {
      return chat.toLowerCase(Locale.ROOT);
    }
    throw new InvalidInput(
        "to", "must be the id of a chat, such as 12345 or -1001234567890, or @ and a public name");
  }

  @Override
  public void check(Message message, Plan plan) {
    if (message.channelData().isEmpty()) {
      return;
    }
    Set<String> inVain = new LinkedHashSet<>(message.channelData().keySet());
    for (int part = 0; part < plan.parts().size(); part++) {
      Dispatch dispatch = Dispatch.of(message, plan, part, TelegramRequest.OPTIONS);
      switch (TelegramRequest.of(dispatch)) {
        case TelegramRequest.Call call -> {
          Contract.SCHEMA.check(call.method(), call.fields());
          inVain.removeAll(call.names());
        }
        case TelegramRequest.Impossible(Outcome.Rejected(_, String cause)) ->
            throw new InvalidInput(
                ChosenMethod.isFor(dispatch) ? "channelData.method" : "channelData", cause);
        case TelegramRequest.Impossible _ -> inVain.clear(); // to be repaired first
      }
    }
    inVain.remove(ChosenMethod.FIELD);
    if (!inVain.isEmpty()) {
      throw new InvalidInput(
          "channelData." + inVain.iterator().next(), "is for nothing that this message has");
    }
  }

  /** Read when the first message with channel data comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "send.schema.json");
  }

  /** Groups and channels have negative ids, or a public name; people have neither. */
  private static Pace chatPace(String chat) {
    return chat.startsWith("-") || chat.startsWith("@") ? GROUP : PRIVATE;
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    String secret = account.text("webhookSecret");
    return secret == null ? null : new TelegramHook(secret);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new TelegramInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new TelegramLink(Settings.of(context.config()), context.scheduler());
  }
}
