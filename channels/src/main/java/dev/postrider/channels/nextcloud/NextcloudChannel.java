package dev.postrider.channels.nextcloud;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Bots of Nextcloud Talk. Files go out as links: Talk takes none of a bot. */
public final class NextcloudChannel implements Channel {
  private static final Pattern CONVERSATION = Pattern.compile("[a-z0-9]{4,30}");
  private static final Pattern ADDRESS =
      Pattern.compile("https?://\\S+/call/([a-z0-9]{4,30})(?:[/?#]\\S*)?");

  private static final Pace SERVER = Pace.perSecond(5).burst(10);
  private static final Pace CHAT = Pace.perSecond(1).burst(3);

  @Override
  public String name() {
    return "nextcloud-talk";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("baseUrl", true, false, "the server, such as https://cloud.example.org"),
        new Setting("secret", false, true, "the secret that occ talk:bot:install was given"),
        new Setting("webhookSecret", false, true, "another name for secret"),
        new Setting("conversation", false, false, "one that the bot is in; checks ask there"),
        new Setting("tolerance", false, false, "how old what Talk tells may be; 1h"),
        new Setting("user", false, false, "a user who can read what the bot cannot"),
        new Setting("appPassword", false, true, "an app password of that user"),
        new Setting("settle", false, false, "how long to wait before a lost message counts; 3s"));
  }

  /** Talk counts characters as PHP's multibyte functions do. */
  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.MATTERMOST, TextLimit.of(32_000, Unit.CODE_POINTS))
        .paced(SERVER, _ -> CHAT, 4);
  }

  /** The token of a conversation, which is also the end of its address. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    Matcher address = ADDRESS.matcher(chat);
    String token = address.matches() ? address.group(1) : chat;
    if (!isConversation(token)) {
      throw new InvalidInput(
          "to",
          "is not the token of a conversation: small letters and digits, as at the end of its"
              + " address https://cloud.example.org/call/n3xtc10ud");
    }
    return token;
  }

  static boolean isConversation(String token) {
    return CONVERSATION.matcher(token).matches();
  }

  /** The one that the account names for checks. */
  static @Nullable String conversation(Settings settings) {
    String token = settings.text("conversation", "");
    if (!token.isEmpty() && !isConversation(token)) {
      throw settings.wrong("conversation", "is not the token of a conversation, as n3xtc10ud");
    }
    return token.isEmpty() ? null : token;
  }

  @Override
  public void check(Message message, Plan plan) {
    NextcloudRequest.check(message, plan);
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    Settings settings = Settings.of(account);
    String secret = settings.text("secret", settings.text("webhookSecret", ""));
    return secret.isBlank()
        ? null
        : new NextcloudHook(secret, settings.duration("tolerance", Duration.ofHours(1)));
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new NextcloudInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new NextcloudLink(
        Settings.of(context.config()), context.scheduler(), context.memory(), new SecureRandom());
  }
}
