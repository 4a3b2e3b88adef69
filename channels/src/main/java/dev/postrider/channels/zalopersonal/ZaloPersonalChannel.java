package dev.postrider.channels.zalopersonal;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.sidecar.SidecarChat;
import dev.postrider.channels.sidecar.SidecarLink;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A person's own Zalo account, through a sidecar that speaks for Zalo Web. */
public final class ZaloPersonalChannel implements Channel {
  private static final TextLimit TEXT = TextLimit.of(2000, TextLimit.Unit.UTF16);

  /** Zalo tells no limits and blocks accounts that do not write like people. */
  private static final Pace ACCOUNT = Pace.perMinute(20).burst(3);

  private static final Pace CHAT = Pace.perMinute(10).burst(2);

  /** Zalo tells each account its own limit; the sidecar refuses what is above it. */
  private static final Rule ANY_FILE = new Rule(Set.of(), 100L << 20, false);

  private static final MediaRules MEDIA =
      new MediaRules(
          EnumSet.allOf(MediaKind.class).stream()
              .collect(Collectors.toMap(Function.identity(), _ -> ANY_FILE)),
          null,
          1,
          List.of(),
          false,
          false,
          Reuse.NONE);

  private static final Set<String> OPTIONS = Set.of("urgency", "ttl");

  @Override
  public String name() {
    return "zalo-personal";
  }

  @Override
  public List<Setting> settings() {
    return SidecarLink.settings();
  }

  @Override
  public void checkAccount(AccountConfig account) {
    SidecarLink.command(Settings.of(account));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.SIGNAL, TEXT)
        .withMedia(MEDIA)
        .withOptions(OPTIONS)
        .reporting(State.DELIVERED, State.READ)
        .paced(ACCOUNT, _ -> CHAT, 1);
  }

  /** The engine waits a little longer than the request does. */
  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    return usual.with(it -> it.attemptTimeout = Duration.ofMinutes(2));
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    SidecarChat chat = SidecarChat.read(to);
    if (!chat.id().matches("[0-9]{1,30}")) {
      throw new InvalidInput(
          "to", "is no chat of Zalo; give the number of a person, or group: and a group's number");
    }
    return chat.name();
  }

  @Override
  public void check(Message message, Plan plan) {
    Map<String, ?> data = message.channelData();
    for (String name : data.keySet()) {
      if (!OPTIONS.contains(name)) {
        throw new InvalidInput(
            "channelData." + name, "is not known; zalo-personal takes urgency and ttl");
      }
    }
    if (data.containsKey("urgency")
        && !Set.of("important", "urgent").contains(String.valueOf(data.get("urgency")))) {
      throw new InvalidInput("channelData.urgency", "must be important or urgent");
    }
    if (data.containsKey("ttl")
        && !(data.get("ttl") instanceof Number millis
            && millis.longValue() > 0
            && millis.doubleValue() == millis.longValue())) {
      throw new InvalidInput(
          "channelData.ttl", "must be how long the message is shown, in milliseconds");
    }
  }

  /** Zalo's files have public addresses, which are fetched as a stranger would. */
  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return (message, index) ->
        new InboundFetch(Settings.of(account), Secrets.of(), media)
            .openElsewhere(message.media().get(index).url());
  }

  @Override
  public boolean takesLogin(AccountConfig account) {
    return true;
  }

  @Override
  public Link open(AccountContext context) {
    return new SidecarLink(context);
  }
}
