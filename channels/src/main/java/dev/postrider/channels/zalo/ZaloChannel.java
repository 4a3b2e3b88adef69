package dev.postrider.channels.zalo;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dialect;
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
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Zalo: a bot if the account has a token, an Official Account if it has an app. */
public final class ZaloChannel implements Channel {
  static final TextLimit TEXT = TextLimit.of(2000, Unit.UTF16);

  private static final long MB = 1 << 20;

  /** Zalo publishes no limits for bots. */
  private static final Pace BOT = Pace.perSecond(5).burst(5);

  /** An app may make 4,000 requests a minute; how many an Official Account, depends on its plan. */
  private static final Pace OA = Pace.perSecond(10).burst(20);

  private static final Pace CHAT = Pace.perSecond(1).burst(3);

  private static final MediaRules BOT_MEDIA =
      new MediaRules(
          Map.of(MediaKind.IMAGE, new Rule(Set.of("image/jpeg", "image/png"), 5 * MB, true)),
          TEXT,
          1,
          List.of(),
          false,
          true,
          Reuse.BY_ADDRESS);

  private static final Set<String> OA_DOCUMENTS =
      Set.of(
          "application/pdf",
          "application/msword",
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
          "text/csv");

  private static final MediaRules OA_MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(Set.of("image/jpeg", "image/png"), MB, false),
              MediaKind.VIDEO, // what Zalo calls a GIF, and only that
              new Rule(Set.of("image/gif"), 5 * MB, false),
              MediaKind.DOCUMENT,
              new Rule(OA_DOCUMENTS, 5 * MB, false).uncaptioned()),
          TEXT,
          1,
          List.of(),
          true,
          true,
          Reuse.BY_UPLOAD);

  @Override
  public String name() {
    return "zalo";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("token", false, true, "a bot's token; instead of an app"),
        new Setting("webhookSecret", false, true, "what Zalo must present at a bot's webhook"),
        new Setting("polling", false, false, "whether to ask Zalo for a bot's updates; false"),
        new Setting("markup", false, false, "how a bot's texts are written: plain; or styles"),
        new Setting("appId", false, false, "the app of an Official Account; instead of a token"),
        new Setting("appSecret", false, true, "the app's secret key"),
        new Setting("refreshToken", false, true, "the first refresh token, of an authorisation"),
        new Setting("oaSecretKey", false, true, "what Zalo signs an app's webhooks with"),
        new Setting("oaId", false, false, "the Official Account, if its app has several"),
        new Setting("baseUrl", false, false, "the API; Zalo's own, of bots or of OAs"),
        new Setting("oauthUrl", false, false, "who gives tokens; https://oauth.zaloapp.com"),
        PermanentErrors.SETTING);
  }

  /** Whether the account is an Official Account. */
  static boolean isOa(AccountConfig account) {
    return account.text("token", "").isEmpty() && !account.text("appId", "").isEmpty();
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    if (!isOa(account)) {
      return Capabilities.of(dialect(account), TEXT)
          .withMedia(BOT_MEDIA)
          .withOptions(BotRequest.OPTIONS)
          .paced(BOT, _ -> CHAT, 8);
    }
    Capabilities oa =
        Capabilities.of(Dialects.PLAIN, TEXT).withMedia(OA_MEDIA).paced(OA, _ -> CHAT, 16);
    return account.text("oaSecretKey", "").isEmpty()
        ? oa
        : oa.reporting(DeliveryReport.State.DELIVERED, DeliveryReport.State.READ);
  }

  private static Dialect dialect(AccountConfig account) {
    return account.text("markup", "plain").equals("styles") ? Dialects.SIGNAL : Dialects.PLAIN;
  }

  /** People have long numbers on an Official Account; on a bot, chats have words without spaces. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    if (isOa(account) && !chat.matches("\\d{1,30}")) {
      throw new InvalidInput(
          "to",
          "must be the id of a person as the Official Account knows them, such as"
              + " 2512523625412515; it comes with what they write, and is no phone number");
    }
    if (!chat.matches("[^\\s\\p{Cntrl}]{1,128}")) {
      throw new InvalidInput(
          "to", "must be the id of a chat, such as 6ede9afa66b88fe6d6a9; it comes with messages");
    }
    return chat;
  }

  /** What is in the channel data tells bots and Official Accounts apart; the account does later. */
  @Override
  public void check(Message message, Plan plan) {
    if (message.channelData().isEmpty()) {
      return;
    }
    boolean oa = message.channelData().keySet().stream().anyMatch(OaRequest.OWN::contains);
    Contract.SCHEMA.check(oa ? "oa" : "bot", message.channelData());
    for (int part = 0; part < plan.parts().size(); part++) {
      Dispatch dispatch = Dispatch.of(message, plan, part, BotRequest.OPTIONS);
      if (oa) {
        OaRequest.of(dispatch);
      } else {
        BotRequest.of(dispatch);
      }
    }
  }

  /** Read when the first message with channel data comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "send.schema.json");
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    if (isOa(account)) {
      String key = account.text("oaSecretKey", "");
      return key.isEmpty()
          ? null
          : new OaHook(account.text("appId", ""), key, account.text("oaId", ""));
    }
    String secret = account.text("webhookSecret", "");
    return secret.isEmpty() ? null : new BotHook(secret);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new ZaloInboundFiles(account, media);
  }

  /** Refuses an account that is neither a bot nor an Official Account, or both. */
  @Override
  public void checkAccount(AccountConfig account) {
    Settings settings = Settings.of(account);
    boolean bot = isBot(settings);
    boolean oa =
        List.of("appId", "appSecret", "refreshToken", "oaSecretKey").stream()
            .anyMatch(key -> !settings.text(key, "").isEmpty());
    if (bot == oa) {
      throw settings.wrong(
          "token",
          bot
              ? "is there beside appId, appSecret, refreshToken or oaSecretKey: give token for a"
                  + " bot, or the others for an Official Account"
              : "is missing: give token for a bot, or appId, appSecret and refreshToken for an"
                  + " Official Account");
    }
  }

  private static boolean isBot(Settings settings) {
    return !settings.text("token", "").isEmpty();
  }

  @Override
  public Link open(AccountContext context) {
    checkAccount(context.config());
    Settings settings = Settings.of(context.config());
    return isBot(settings)
        ? new BotLink(settings, context.scheduler())
        : new OaLink(settings, context.scheduler(), context.memory());
  }
}
