package dev.postrider.channels.mattermost;

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
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Mattermost: a bot, or a person, with a token; or an incoming webhook. */
public final class MattermostChannel implements Channel {
  /**
   * A post may have 16383 code points. A text of nothing but {@code @all} grows by a fifth when
   * that is kept from calling everybody.
   */
  private static final TextLimit TEXT = TextLimit.of(13_600, Unit.CODE_POINTS);

  /** Mattermost knows a key again for 30 seconds; the last ones are left for the way there. */
  private static final Duration REMEMBERS = Duration.ofSeconds(25);

  /** Half of what a server that limits at all allows by default: files and names are asked for. */
  private static final Pace ACCOUNT = Pace.perSecond(5).burst(50);

  private static final Pace CHAT = Pace.perSecond(5).burst(10);

  private static final int FILES = 5;

  /** The ids of more do not fit into a post. */
  private static final int MOST_FILES = 10;

  private static final Rule ANY_FILE = new Rule(Set.of(), 100L << 20, false);

  private static final String USER = "user:";
  private static final String CHANNEL = "channel:";
  private static final Pattern NAME = Pattern.compile("@[a-z0-9._-]{1,64}");
  private static final Pattern CHANNEL_NAME = Pattern.compile("[#~]?([a-z0-9._-]{1,64})");

  /** Where an incoming webhook posts if it is not told where. */
  static final String DEFAULT = "default";

  @Override
  public String name() {
    return "mattermost";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting(
            "baseUrl", false, false, "the site's address, such as " + MattermostApi.EXAMPLE),
        new Setting("token", false, true, "the bot's token, or a personal access token"),
        new Setting(
            "webhookUrl", false, true, "an incoming webhook, in place of baseUrl and token"),
        new Setting("filesPerPost", false, false, "how many files a post may have; 5, at most 10"),
        new Setting("websocket", false, false, "whether to listen over a socket; false"),
        new Setting("idle", false, false, "how long a socket may be quiet; 30s"),
        new Setting(
            "webhookSecret", false, true, "the tokens of outgoing webhooks and slash commands"),
        new Setting("userId", false, false, "our own id, whose posts outgoing webhooks repeat"),
        new Setting("tolerance", false, false, "how old what a webhook tells may be; 1h"),
        new Setting("settle", false, false, "how long to wait before a lost post counts; 3s"));
  }

  /** Whether the account is an incoming webhook. */
  static boolean isWebhook(AccountConfig account) {
    return account.text("webhookUrl") != null;
  }

  /** Refuses an account that is neither a bot nor a webhook, or both. */
  @Override
  public void checkAccount(AccountConfig account) {
    Settings settings = Settings.of(account);
    boolean bot = account.text("token") != null;
    if (bot == isWebhook(account)) {
      throw settings.wrong(
          "token",
          bot
              ? "and webhookUrl are both given; keep baseUrl and token to be a bot, or webhookUrl"
                  + " to use an incoming webhook"
              : "is missing; give baseUrl and token to be a bot, or webhookUrl to use an incoming"
                  + " webhook");
    }
    if (bot) {
      MattermostApi.site(settings);
    }
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Capabilities text =
        Capabilities.of(Dialects.MATTERMOST, TEXT)
            .withOptions(MattermostRequest.OPTIONS)
            .paced(ACCOUNT, _ -> CHAT, 8);
    return isWebhook(account) ? text : text.withMedia(media(account)).remembering(REMEMBERS);
  }

  private static MediaRules media(AccountConfig account) {
    Settings settings = Settings.of(account);
    Integer files = settings.count("filesPerPost");
    if (files != null && files > MOST_FILES) {
      throw settings.wrong("filesPerPost", "is more than Mattermost takes: at most " + MOST_FILES);
    }
    return new MediaRules(
        EnumSet.allOf(MediaKind.class).stream()
            .collect(Collectors.toMap(Function.identity(), _ -> ANY_FILE)),
        TEXT,
        files == null ? FILES : files,
        List.of(EnumSet.allOf(MediaKind.class)),
        false,
        true,
        Reuse.NONE); // a file belongs to the post it was first shown with
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    return isWebhook(account) ? webhookChat(to.strip()) : chat(to.strip());
  }

  private static String chat(String to) {
    String chat = to.startsWith(CHANNEL) ? to.substring(CHANNEL.length()) : to;
    String name = chat.toLowerCase(Locale.ROOT);
    String user = user(chat);
    if (NAME.matcher(name).matches()) {
      return name;
    }
    if (!MattermostRequest.isId(user == null ? chat : user)) {
      throw new InvalidInput(
          "to",
          "must be the id of a channel (26 letters and digits, under its \"View Info\"), or for a"
              + " person @ and the name, or user: and the id");
    }
    return chat;
  }

  private static String webhookChat(String to) {
    String name = to.toLowerCase(Locale.ROOT);
    var channel = CHANNEL_NAME.matcher(name);
    if (name.equals(DEFAULT) || NAME.matcher(name).matches()) {
      return name;
    }
    if (!channel.matches()) {
      throw new InvalidInput(
          "to",
          "must be default for the webhook's own channel, the name of a channel as in its"
              + " address, or @ and a person's name");
    }
    return "#" + channel.group(1);
  }

  /** The id of the user whom an address names, or null if it names none by id. */
  static @Nullable String user(String to) {
    return to.startsWith(USER) ? to.substring(USER.length()) : null;
  }

  /** Whether an address names a person. */
  static boolean isPerson(String to) {
    String user = user(to);
    return user == null ? NAME.matcher(to).matches() : MattermostRequest.isId(user);
  }

  @Override
  public void check(Message message, Plan plan) {
    MattermostRequest.check(message);
  }

  /** Every outgoing webhook and slash command has a token of its own. */
  @Override
  public @Nullable Hook hook(AccountConfig account) {
    Settings settings = Settings.of(account);
    List<String> tokens = settings.texts("webhookSecret");
    Duration tolerance = settings.duration("tolerance", Duration.ofHours(1));
    return tokens.isEmpty()
        ? null
        : new MattermostHook(tokens, account.text("userId", ""), tolerance);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new MattermostInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    Settings settings = Settings.of(context.config());
    checkAccount(context.config());
    return isWebhook(context.config())
        ? new MattermostWebhookLink(settings, context.scheduler())
        : new MattermostLink(settings, context.scheduler());
  }
}
