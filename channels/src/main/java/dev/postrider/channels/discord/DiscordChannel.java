package dev.postrider.channels.discord;

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
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Discord bots. */
public final class DiscordChannel implements Channel {
  static final String BASE = "https://discord.com/api/v10";
  static final String HOOK = "https://discord.com/api/webhooks/1234/abcd";

  /** Discord's names for what is sent, in its own description. */
  static final String BOTS_MESSAGE = "MessageCreateRequest";

  static final String HOOKS_MESSAGE = "IncomingWebhookRequestPartial";

  /** Discord speaks of a few minutes. */
  private static final Duration REMEMBERS = Duration.ofMinutes(2);

  private static final Pace BOT = Pace.perSecond(50).burst(50);
  private static final Pace CHAT = Pace.UNLIMITED.and(Duration.ofSeconds(5), 5).burst(5);
  private static final String USER = "user:";

  private static final long MB = 1 << 20;
  private static final int FILES = 10;

  @Override
  public String name() {
    return "discord";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("token", true, true, "the bot's token, as the developer portal gave it"),
        new Setting("baseUrl", false, false, "Discord's API; " + BASE),
        new Setting("gateway", false, false, "whether to listen over a socket; false"),
        new Setting("intents", false, false, "what to listen to, as a number; 37376"),
        new Setting("publicKey", false, false, "the application's, for its interactions"),
        new Setting("signatureAge", false, false, "how old an interaction may be; 5m"),
        PrivateCommands.SETTING,
        PermanentErrors.SETTING);
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return common().remembering(REMEMBERS).paced(BOT, _ -> CHAT, 16);
  }

  /** What bots and webhooks can do. */
  static Capabilities common() {
    TextLimit text = TextLimit.of(2000, Unit.UTF16);
    Rule anything = new Rule(Set.of(), 10 * MB, false);
    Set<MediaKind> kinds = Set.of(MediaKind.values());
    MediaRules media =
        new MediaRules(
            Arrays.stream(MediaKind.values())
                .collect(Collectors.toMap(Function.identity(), _ -> anything)),
            text,
            FILES,
            List.of(kinds),
            false,
            true,
            Reuse.NONE,
            24 * MB); // a request may have 25, of which the text and its extras need some
    return Capabilities.of(Dialects.DISCORD, text)
        .withMedia(media)
        .withOptions(DiscordRequest.OPTIONS);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    String user = user(chat);
    if (!Snowflake.is(user == null ? chat : user)) {
      throw new InvalidInput("to", "must be the id of a channel, or user: and the id of a user");
    }
    return chat;
  }

  @Override
  public void check(Message message, Plan plan) {
    checkThread(message);
    Dispatch last = Dispatch.last(message, plan);
    if (Interaction.of(message) != null) {
      checkBody(message, HOOKS_MESSAGE, DiscordRequest.followUp(last));
    } else {
      checkBody(message, BOTS_MESSAGE, DiscordRequest.message(last));
    }
  }

  static void checkThread(Message message) {
    String thread = message.threadId();
    if (thread != null && !Snowflake.is(thread)) {
      throw new InvalidInput("threadId", "must be the id of a thread");
    }
  }

  static void checkBody(Message message, String definition, DiscordRequest request) {
    if (!message.channelData().isEmpty()) {
      Contract.SCHEMA.check(definition, request.fields());
      if (!request.hasContent()) {
        throw new InvalidInput(
            "channelData", "is nothing to be seen by itself; add a text, a file or embeds");
      }
    }
  }

  /** Read when the first message with channel data comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "messages.schema.json");
  }

  /** The user whom an address names, or null if it names a chat. */
  static @Nullable String user(String to) {
    return to.startsWith(USER) ? to.substring(USER.length()) : null;
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    return account.text("publicKey") == null ? null : new DiscordHook(Settings.of(account));
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new DiscordInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new DiscordLink(Settings.of(context.config()), context);
  }
}
