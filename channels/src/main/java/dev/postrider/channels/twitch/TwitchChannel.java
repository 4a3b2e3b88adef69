package dev.postrider.channels.twitch;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Twitch chat: {@code to} is the broadcaster whose chat it is. */
public final class TwitchChannel implements Channel {
  private static final TextLimit TEXT = TextLimit.of(500, Unit.UTF16);

  /** Twitch drops a repeat for 30 seconds; the last ones are left for the way there. */
  private static final Duration REMEMBERS = TwitchLink.SAME_TEXT.minusSeconds(5);

  private static final Duration HALF_MINUTE = Duration.ofSeconds(30);
  private static final Pattern NAME = Pattern.compile("[#@]?([a-z0-9][a-z0-9_]{1,24})");
  private static final Pattern ID = Pattern.compile("[1-9]\\d{0,18}");

  /** Twitch's limits for kinds of accounts: what goes at once and what follows stay within them. */
  private enum Standing {
    ORDINARY(within(20), Pace.perSecond(1)),
    MODERATOR(within(100), Pace.perSecond(3).burst(5)),
    VERIFIED(within(7500), Pace.perSecond(1).and(HALF_MINUTE, 19));

    final Pace account;
    final Pace chat;

    Standing(Pace account, Pace chat) {
      this.account = account;
      this.chat = chat;
    }

    private static Pace within(int inHalfMinute) {
      int atOnce = Math.max(5, inHalfMinute / 20);
      return Pace.UNLIMITED.and(Duration.ofSeconds(30), inHalfMinute - atOnce).burst(atOnce);
    }

    static Standing of(Settings settings) {
      String value = settings.text("standing", "ordinary");
      for (Standing one : values()) {
        if (one.name().toLowerCase(Locale.ROOT).equals(value)) {
          return one;
        }
      }
      throw settings.wrong("standing", "is none of ordinary, moderator and verified");
    }
  }

  @Override
  public String name() {
    return "twitch";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("clientId", true, false, "the app's client id"),
        new Setting("clientSecret", false, true, "the app's secret"),
        new Setting(
            "refreshToken", false, true, "of the bot's authorisation: its tokens are renewed"),
        new Setting("token", false, true, "an access token as it stands, which is not renewed"),
        new Setting("senderId", false, false, "the bot's user id; only for an app's own token"),
        new Setting(
            "standing", false, false, "ordinary, moderator or verified: how fast; ordinary"),
        new Setting("listenTo", false, false, "the chats to hear, by name or user id; none"),
        new Setting("baseUrl", false, false, "Helix; https://api.twitch.tv/helix"),
        new Setting("oauthUrl", false, false, "who gives tokens; https://id.twitch.tv"),
        new Setting("eventsubUrl", false, false, "the socket; wss://eventsub.wss.twitch.tv/ws"),
        new Setting("keepalive", false, false, "how often Twitch says that it is there; 30s"),
        PermanentErrors.SETTING);
  }

  /** Refuses an account that could be several, or none. */
  @Override
  public void checkAccount(AccountConfig account) {
    Settings settings = Settings.of(account);
    boolean fixed = account.text("token") != null;
    boolean renewed = account.text("refreshToken") != null;
    boolean secret = account.text("clientSecret") != null;
    if (fixed && renewed) {
      throw settings.wrong(
          "token", "and refreshToken are both given; keep refreshToken to have tokens renewed");
    }
    if (!fixed && !renewed && !secret) {
      throw settings.wrong(
          "refreshToken",
          "is missing; give clientSecret and refreshToken to be a bot, or clientSecret and"
              + " senderId to send with the app's own token, or a token as it stands");
    }
    if (!fixed && !renewed && account.text("senderId") == null) {
      throw settings.wrong(
          "senderId",
          "is missing: with the app's own token the bot must be named; or give refreshToken");
    }
    Standing.of(settings);
    listenTo(settings);
  }

  static List<String> listenTo(Settings settings) {
    return settings.texts("listenTo").stream()
        .map(
            chat -> {
              try {
                return chat(chat);
              } catch (InvalidInput e) {
                throw settings.wrong("listenTo", "holds what is no name and no user id");
              }
            })
        .distinct()
        .toList();
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Standing standing = Standing.of(Settings.of(account));
    Capabilities text =
        Capabilities.of(Dialects.PLAIN, TEXT)
            .withOptions(TwitchRequest.OPTIONS)
            .paced(standing.account, _ -> standing.chat, 8);
    // Moderators may repeat themselves: nothing is dropped.
    return standing == Standing.MODERATOR ? text : text.remembering(REMEMBERS);
  }

  /** A user id, or {@code #} and a name. */
  @Override
  public String canonical(AccountConfig account, String to) {
    return chat(to);
  }

  private static String chat(String to) {
    String chat = to.strip().toLowerCase(Locale.ROOT);
    if (ID.matcher(chat).matches()) {
      return chat;
    }
    Matcher name = NAME.matcher(chat);
    if (!name.matches()) {
      throw new InvalidInput(
          "to", "must be the broadcaster's name, as in twitch.tv/name, or their user id");
    }
    return "#" + name.group(1);
  }

  @Override
  public void check(Message message, Plan plan) {
    TwitchRequest.check(message);
  }

  @Override
  public Link open(AccountContext context) {
    checkAccount(context.config());
    return new TwitchLink(context);
  }
}
