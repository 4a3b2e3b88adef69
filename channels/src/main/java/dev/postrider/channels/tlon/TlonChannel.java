package dev.postrider.channels.tlon;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tlon Messenger, as an Urbit ship. */
public final class TlonChannel implements Channel {
  /** A message may have 256 KB; people read less. */
  private static final TextLimit TEXT = TextLimit.of(10_000, Unit.UTF16);

  private static final String NAME = "(?:[a-z]{3}|[a-z]{6}(?:--?[a-z]{6})*)";
  private static final Pattern SHIP = Pattern.compile("~?(" + NAME + ")");
  private static final Pattern PLACE = Pattern.compile("chat/~" + NAME + "/[a-z][a-z0-9-]*");
  private static final Pattern CLUB = Pattern.compile("0v[0-9a-v.]+");
  private static final Pattern MESSAGE = Pattern.compile("~" + NAME + "/[0-9.]+");

  @Override
  public String name() {
    return "tlon";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("baseUrl", true, false, "the ship's address on the web"),
        new Setting("code", true, true, "the ship's access code, which +code shows"),
        new Setting("idle", false, false, "how long the ship may be silent; 60s"));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.SIGNAL, TEXT)
        .withMedia(
            new MediaRules(
                Map.of(MediaKind.IMAGE, new Rule(Set.of(), 50L << 20, true)),
                TEXT,
                1,
                List.of(),
                false,
                true,
                Reuse.BY_ADDRESS))
        .remembering(Capabilities.FOR_GOOD)
        .paced(Pace.perSecond(5).burst(10), _ -> Pace.perSecond(1).burst(5), 8);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip().toLowerCase(Locale.ROOT);
    var ship = SHIP.matcher(chat);
    if (ship.matches()) {
      return "~" + ship.group(1);
    }
    if (!PLACE.matcher(chat).matches() && !CLUB.matcher(chat).matches()) {
      throw new InvalidInput(
          "to",
          "must be a ship such as ~sampel-palnet, a group's channel such as"
              + " chat/~sampel-palnet/general, or the id of a group message (0v…)");
    }
    return chat;
  }

  @Override
  public void check(Message message, Plan plan) {
    if (!message.channelData().isEmpty()) {
      throw new InvalidInput("channelData", "is not known to this channel; leave it out");
    }
    checkId("replyToId", message.replyToId(), message.to());
    checkId("threadId", message.threadId(), message.to());
  }

  private static void checkId(String field, @Nullable String id, String to) {
    boolean good =
        id == null
            || (TlonRequest.isChannel(to)
                ? UrbitTime.parse(id) != null
                : MESSAGE.matcher(id).matches());
    if (!good) {
      throw new InvalidInput(
          field,
          "is no message of this chat; give messageId as it came in, a number in a group's channel"
              + " and ~ship/number elsewhere");
    }
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new TlonInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new TlonLink(context);
  }
}
