package dev.postrider.channels.msteams;

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
import dev.postrider.channels.http.Json;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Microsoft Teams: a bot, or a Workflows webhook that posts to one channel. */
public final class TeamsChannel implements Channel {
  /** Of the 28 KB of UTF-16 that every Teams takes, less what stands around the text. */
  private static final TextLimit TEXT = TextLimit.of(12_000, Unit.UTF16);

  /** More than this no Teams takes, all in all. */
  private static final int LARGEST = 100 << 10;

  /**
   * To one conversation Teams takes 7 in a second, 8 in two, 60 in thirty. This keeps all three: in
   * any time at most 4 and 1.8 a second. The 1,800 of an hour are left to its answers.
   */
  static final Pace CONVERSATION = Pace.UNLIMITED.and(Duration.ofSeconds(30), 54).burst(4);

  /** To one tenant 50 in a second. */
  static final Pace TENANT = Pace.perSecond(40).burst(10);

  /** All chats are the one behind the address. */
  private static final Pace WEBHOOK = Pace.perSecond(1).burst(4);

  private static final MediaRules MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(Set.of("image/png", "image/jpeg", "image/gif"), 1 << 20, true).inlined(),
              MediaKind.DOCUMENT, // a link in the text
              new Rule(Set.of(), 100 << 20, true)),
          TEXT,
          1,
          List.of(),
          false,
          true,
          Reuse.BY_ADDRESS);

  @Override
  public String name() {
    return "msteams";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("appId", false, false, "the bot's app id (client id); or webhookUrl"),
        new Setting("appPassword", false, true, "a client secret of the app, its value"),
        new Setting(
            "tenantId", false, false, "the directory of a single-tenant bot; none for others"),
        new Setting("webhookUrl", false, true, "a Workflows webhook, instead of a bot"),
        new Setting(
            "baseUrl",
            false,
            false,
            "where chats are served that have not said; https://smba.trafficmanager.net/teams"),
        new Setting(
            "serviceHosts", false, false, "hosts besides Microsoft's that get the bot's token"),
        new Setting("loginUrl", false, false, "Entra ID; https://login.microsoftonline.com"),
        new Setting("openIdUrl", false, false, "where Microsoft publishes the keys it signs with"),
        PermanentErrors.SETTING);
  }

  /** Refuses an account that is neither a bot nor a webhook, or both. */
  @Override
  public void checkAccount(AccountConfig account) {
    isWebhook(account);
  }

  /** Whether it is the small way; refuses both at once, and neither. */
  private static boolean isWebhook(AccountConfig account) {
    boolean webhook = account.settings().containsKey("webhookUrl");
    boolean bot = account.settings().containsKey("appId");
    if (webhook == bot) {
      throw Settings.of(account)
          .wrong(
              "appId and webhookUrl",
              webhook
                  ? "are both there: give appId and appPassword for a bot, or webhookUrl for a"
                      + " Workflows webhook"
                  : "are both missing: give appId and appPassword for a bot, or webhookUrl for a"
                      + " Workflows webhook");
    }
    return webhook;
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Capabilities all = Capabilities.of(Dialects.TEAMS, TEXT).withMedia(MEDIA);
    return account.settings().containsKey("webhookUrl")
        ? all.paced(WEBHOOK, _ -> WEBHOOK, 1)
        : all.withOptions(TeamsRequest.OPTIONS)
            .reporting(DeliveryReport.State.READ)
            .paced(TENANT, _ -> CONVERSATION, 16);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return account.settings().containsKey("webhookUrl") ? to.strip() : TeamsAddress.canonical(to);
  }

  @Override
  public void check(Message message, Plan plan) {
    String thread = message.threadId();
    if (thread != null && !thread.matches("\\d+")) {
      throw new InvalidInput(
          "threadId", "is not the id of a thread's first message, such as 1612345678901");
    }
    if (message.channelData().isEmpty()) {
      return;
    }
    Contract.SCHEMA.check("Activity", message.channelData());
    int size = 2 * Json.write(message.channelData()).length();
    if (size > LARGEST) {
      throw new InvalidInput(
          "channelData",
          "has %d bytes as UTF-16; Teams takes at most %d, with the text".formatted(size, LARGEST));
    }
    String missing =
        Mentions.in(message.channelData().get("entities"))
            .missing(
                plan.parts().stream()
                    .map(part -> Objects.requireNonNullElse(part.text(), ""))
                    .toList());
    if (missing != null) {
      throw new InvalidInput(
          "channelData.entities", "mentions " + missing + ", which does not stand in the text");
    }
  }

  /** Read when the first message with channel data comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "activity.schema.json");
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    return isBot(account) ? new TeamsHook(Settings.of(account)) : null;
  }

  @Override
  public @Nullable InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return isBot(account) ? new TeamsInboundFiles(account, media) : null;
  }

  /** What is half a bot is refused when it is opened. */
  private static boolean isBot(AccountConfig account) {
    return account.settings().containsKey("appId")
        && account.settings().containsKey("appPassword")
        && !account.settings().containsKey("webhookUrl");
  }

  @Override
  public Link open(AccountContext context) {
    Settings settings = Settings.of(context.config());
    return isWebhook(context.config())
        ? new WorkflowLink(settings, context.scheduler())
        : new TeamsLink(settings, context.scheduler(), context.memory());
  }
}
