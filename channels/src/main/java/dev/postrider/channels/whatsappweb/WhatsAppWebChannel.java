package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
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
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A phone's WhatsApp, paired with a bridge: WAHA, or GOWA. */
public final class WhatsAppWebChannel implements Channel {
  /** What an old account can bear; faster ones are banned sooner or later. */
  private static final Pace ACCOUNT = Pace.perMinute(40);

  private static final Pace CHAT = Pace.perSecond(1).burst(3);
  private static final int CHATS_AT_ONCE = 3;
  private static final int NEW_CHATS = 20;
  private static final double JITTER = 0.5;
  private static final double MOST_JITTER = 10;
  private static final Duration WARMUP = Duration.ofDays(7);
  private static final long MB = 1 << 20;

  private static final MediaRules MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(Set.of("image/jpeg", "image/png"), 16 * MB, false),
              MediaKind.VIDEO,
              new Rule(Set.of(), 64 * MB, false),
              MediaKind.AUDIO,
              new Rule(Set.of(), 16 * MB, false).uncaptioned(),
              MediaKind.VOICE,
              new Rule(Set.of(), 16 * MB, false).uncaptioned(),
              MediaKind.DOCUMENT,
              new Rule(Set.of(), 100 * MB, false)),
          TextLimit.of(1024, Unit.UTF16),
          1,
          List.of(),
          false,
          true,
          Reuse.NONE);

  @Override
  public String name() {
    return "whatsapp-web";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("bridge", false, false, "waha or gowa; waha"),
        new Setting("baseUrl", false, false, "where the bridge is; " + WahaBridge.USUAL),
        new Setting("apiKey", false, true, "WAHA's key"),
        new Setting("session", false, false, "WAHA's name of the paired account; default"),
        new Setting("username", false, false, "GOWA's user, if it has one"),
        new Setting("password", false, true, "GOWA's password"),
        new Setting("deviceId", false, false, "GOWA's device, if it holds several accounts"),
        new Setting("webhookSecret", false, true, "what the bridge signs webhooks with"),
        new Setting(
            "newChatsPerDay",
            false,
            false,
            "how many people may be written to for the first time on a day; " + NEW_CHATS),
        new Setting(
            "warmup",
            false,
            false,
            "how long an account that is new here is slowed down, from a tenth of its pace on; 7d"),
        new Setting(
            "jitter",
            false,
            false,
            "by up to this fraction intervals are longer than the pace asks for; 0.5"),
        new Setting(
            "catchUp", false, false, "how often the history is read for what was not told; 5m"),
        new Setting("settle", false, false, "how long to wait before a look-up; 3s"),
        new Setting("statusInterval", false, false, "how often the bridge is asked how it is; 15s"),
        PermanentErrors.SETTING);
  }

  @Override
  public void checkAccount(AccountConfig account) {
    Settings settings = Settings.of(account);
    newChatsPerDay(settings);
    jitter(settings);
    warmup(settings);
    if (isGowa(settings)) {
      refuse(settings, "apiKey", "session");
      GowaBridge.device(settings);
    } else {
      refuse(settings, "username", "password", "deviceId");
      settings.required("apiKey");
      WahaBridge.session(settings);
    }
  }

  private static void refuse(Settings settings, String... keys) {
    for (String key : keys) {
      if (!settings.text(key, "").isEmpty()) {
        throw settings.wrong(
            key,
            "is not for this bridge: apiKey and session are WAHA's, username, password and"
                + " deviceId are GOWA's (bridge: gowa)");
      }
    }
  }

  static boolean isGowa(Settings settings) {
    return switch (settings.text("bridge", "waha")) {
      case "waha" -> false;
      case "gowa" -> true;
      default -> throw settings.wrong("bridge", "is neither waha nor gowa");
    };
  }

  static Bridge bridge(AccountConfig account, InstantSource clock) {
    Settings settings = Settings.of(account);
    return isGowa(settings)
        ? new GowaBridge(settings, clock)
        : new WahaBridge(account.id(), settings, clock);
  }

  static Duration warmup(Settings settings) {
    return settings.duration("warmup", WARMUP);
  }

  static double jitter(Settings settings) {
    Double jitter = settings.number("jitter");
    if (jitter != null && !(jitter >= 0 && jitter <= MOST_JITTER)) {
      throw settings.wrong("jitter", "is not a fraction from 0 to " + (int) MOST_JITTER);
    }
    return jitter == null ? JITTER : jitter;
  }

  static int newChatsPerDay(Settings settings) {
    Integer count = settings.count("newChatsPerDay");
    return count == null ? NEW_CHATS : count;
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    boolean gowa = isGowa(Settings.of(account));
    Capabilities all =
        Capabilities.of(Dialects.WHATSAPP, TextLimit.of(4000, Unit.UTF16))
            .withMedia(MEDIA)
            .withOptions(gowa ? GowaBridge.OPTIONS : WahaRequest.OPTIONS)
            .reporting(DeliveryReport.State.values())
            .paced(ACCOUNT, _ -> CHAT, CHATS_AT_ONCE)
            .unevenly(jitter(Settings.of(account)));
    return gowa ? all : all.remembering(Capabilities.FOR_GOOD);
  }

  /** What WhatsApp refuses after it was accepted, because the account is closed, goes out later. */
  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    return usual.with(
        it -> {
          it.onReceiptFailed = OnReceiptFailed.RETRY;
          it.expireAfter = Duration.ofDays(3); // a restriction may last as long
        });
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return Jid.canonical(to);
  }

  @Override
  public void check(Message message, Plan plan) {
    Set<String> unknown = new TreeSet<>(message.channelData().keySet());
    unknown.removeAll(WahaRequest.OPTIONS);
    unknown.removeAll(GowaBridge.OPTIONS);
    if (!unknown.isEmpty()) {
      throw new InvalidInput(
          "channelData." + unknown.iterator().next(),
          "is not known; known are mentions, linkPreview and linkPreviewHighQuality (WAHA),"
              + " mentions and duration (GOWA)");
    }
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    Settings settings = Settings.of(account);
    String secret = settings.text("webhookSecret", "");
    if (secret.isEmpty()) {
      return null;
    }
    boolean gowa = isGowa(settings);
    String mine = gowa ? GowaBridge.device(settings) : WahaBridge.session(settings);
    return new WhatsAppWebHook(secret, gowa, mine);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new WhatsAppWebInboundFiles(account, media);
  }

  @Override
  public boolean takesLogin(AccountConfig account) {
    return true;
  }

  @Override
  public Link open(AccountContext context) {
    return new WhatsAppWebLink(context);
  }
}
