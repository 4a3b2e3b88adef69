package dev.postrider.channels.xmpp;

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
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** XMPP, also known as Jabber: {@code to} is a person's address, or a room's. */
public final class XmppChannel implements Channel {
  /** With all of it escaped, less than the smallest stanza that servers take. */
  private static final TextLimit TEXT = TextLimit.of(8000, Unit.UTF16);

  private static final Pace ACCOUNT = Pace.perSecond(5).burst(20);
  private static final Pace CHAT = Pace.perSecond(1).burst(5);

  /** Servers have limits of their own, which they tell with their refusal. */
  private static final Rule ANY_FILE = new Rule(Set.of(), 100L << 20, true).uncaptioned();

  @Override
  public String name() {
    return "xmpp";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("jid", true, false, "the account, such as bot@example.org"),
        new Setting("password", true, true, "its password"),
        new Setting("host", false, false, "where to connect, if the domain's records do not say"),
        new Setting("port", false, false, "of host; 5222, with security tls 5223"),
        new Setting("security", false, false, "starttls, tls or none; starttls"),
        new Setting("nick", false, false, "our name in rooms; the first part of jid"),
        new Setting("rooms", false, false, "rooms to be in always, to hear what is said there"),
        new Setting(
            "acceptContacts", false, false, "whether people may see when we are there; false"),
        new Setting("idle", false, false, "how long the connection may be quiet; 60s"));
  }

  @Override
  public void checkAccount(AccountConfig account) {
    XmppAccount.of(Settings.of(account));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.XMPP, TEXT)
        .withMedia(
            new MediaRules(
                EnumSet.allOf(MediaKind.class).stream()
                    .collect(Collectors.toMap(Function.identity(), _ -> ANY_FILE)),
                null,
                1,
                List.of(),
                false,
                true,
                Reuse.BY_UPLOAD))
        .reporting(
            DeliveryReport.State.DELIVERED, DeliveryReport.State.READ, DeliveryReport.State.FAILED)
        .paced(ACCOUNT, _ -> CHAT, 8);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    String address = to.strip().replaceFirst("^(?i)xmpp:(//)?", "").replaceFirst("\\?.*$", "");
    Jid jid = Jid.parse(address);
    if (jid == null || jid.local().isEmpty()) {
      throw new InvalidInput(
          "to",
          "must be an address such as ann@example.org, or a room's such as"
              + " team@rooms.example.org");
    }
    return jid.toString();
  }

  @Override
  public void check(Message message, Plan plan) {
    XmppRequest.check(message);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new XmppInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new XmppLink(context);
  }
}
