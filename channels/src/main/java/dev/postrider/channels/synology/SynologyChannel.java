package dev.postrider.channels.synology;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
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
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Synology Chat: an incoming webhook, which has its channel, or a bot, which writes to people. */
public final class SynologyChannel implements Channel {
  private static final TextLimit TEXT = TextLimit.of(2_000, Unit.UTF16);

  /** A NAS takes one post at a time, whoever posts it. */
  private static final Pace NAS = Pace.perSecond(2).burst(1);

  /** The NAS fetches what it is to show. */
  private static final Rule ANY_FILE = new Rule(Set.of(), 32L << 20, true);

  private static final MediaRules MEDIA =
      new MediaRules(
          EnumSet.allOf(MediaKind.class).stream()
              .collect(Collectors.toMap(Function.identity(), _ -> ANY_FILE)),
          TEXT,
          1,
          List.of(),
          false,
          true,
          Reuse.BY_ADDRESS);

  @Override
  public String name() {
    return "synology-chat";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("webhookUrl", false, true, "the address of an incoming webhook"),
        new Setting("baseUrl", false, false, "for a bot: DSM, as https://nas.example.org:5001"),
        new Setting("token", false, true, "for a bot: its token"),
        new Setting(
            "webhookSecret", false, true, "the token of what posts to us, or several; token"),
        new Setting("tolerance", false, false, "how old what Chat posts to us may be; 1h"));
  }

  /** Refuses an account that is neither a bot nor a webhook, or both. */
  @Override
  public void checkAccount(AccountConfig account) {
    ChatAddress.isBot(Settings.of(account));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.SYNOLOGY, TEXT).withMedia(MEDIA).paced(NAS, _ -> NAS, 1);
  }

  @Override
  public @Nullable SharedPace sharedPace(AccountConfig account) {
    String nas = ChatAddress.nas(account);
    return nas == null ? null : new SharedPace(nas, NAS);
  }

  /** A bot's is a user, by number or name; a webhook has one channel, whatever one calls it. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    if (!isBot(account)) {
      return chat;
    }
    if (chat.matches("0*[1-9]\\d{0,17}")) {
      return chat.replaceFirst("^0+", "");
    }
    if (chat.matches("@\\s*\\S.*")) {
      return "@" + chat.substring(1).strip().toLowerCase(Locale.ROOT);
    }
    throw new InvalidInput(
        "to", "must be a user of Chat: @name, or the number as user_list has it");
  }

  private static boolean isBot(AccountConfig account) {
    return !account.text("token", "").isBlank();
  }

  @Override
  public void check(Message message, Plan plan) {
    SynologyRequest.check(message);
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    List<String> tokens = new ArrayList<>(Settings.of(account).texts("webhookSecret"));
    if (isBot(account)) {
      tokens.add(ChatAddress.unquoted(account.text("token", "")));
    }
    Duration tolerance = Settings.of(account).duration("tolerance", Duration.ofHours(1));
    return tokens.isEmpty() ? null : new SynologyHook(tokens, isBot(account), tolerance);
  }

  @Override
  public Link open(AccountContext context) {
    return new SynologyLink(Settings.of(context.config()), context.scheduler());
  }
}
