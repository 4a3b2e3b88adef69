package dev.postrider.channels.nostr;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
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
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nostr: a key, and relays that store what it signs. Somebody's public key is a private chat with
 * them, several are a group, and {@code notes} is what the account says in public.
 */
public final class NostrChannel implements Channel {
  /** The chat of public notes. */
  static final String NOTES = "notes";

  /**
   * Encrypted twice, a text becomes nearly three times as long: so much fits into the 16 KiB that
   * the smallest relays take.
   */
  private static final TextLimit TEXT = TextLimit.of(4000, Unit.UTF8_BYTES);

  private static final Pace ACCOUNT = Pace.perSecond(5).burst(20);
  private static final Pace CHAT = Pace.perSecond(2).burst(5);

  /** Notes are dated by the second, each by one of its own, and none may be in the future. */
  private static final Pace PUBLIC = Pace.perSecond(1).burst(2);

  /** Besides us: the names of more do not fit into an address. */
  static final int MOST_PEOPLE = 8;

  @Override
  public String name() {
    return "nostr";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("privateKey", true, true, "the account's secret key: nsec1… or 64 hex digits"),
        new Setting("relays", true, false, "the account's relays, such as [wss://nos.lol]"),
        new Setting("quorum", false, false, "how many relays must take an event; most of them"),
        new Setting(
            "lookupRelays", false, false, "where people's inbox relays are looked for besides"),
        new Setting(
            "sendWithoutInbox",
            false,
            false,
            "whether who names no inbox relays is written to on ours; false"),
        new Setting("copyToSelf", false, false, "whether to keep a copy on our relays; true"),
        new Setting("publishInbox", false, false, "whether to say that relays is our inbox; false"),
        new Setting("mentions", false, false, "whether public notes that name us come in; false"),
        new Setting(
            "allowedNetworks", false, false, "private networks that inbox relays may be in"),
        new Setting("idle", false, false, "how long a relay may be quiet; 60s"));
  }

  @Override
  public void checkAccount(AccountConfig account) {
    NostrSettings.of(Settings.of(account));
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.PLAIN, TEXT)
        .withOptions(Set.of(NostrRequest.SUBJECT))
        .remembering(Capabilities.FOR_GOOD) // a repeat is the same event
        .paced(ACCOUNT, chat -> chat.equals(NOTES) ? PUBLIC : CHAT, 8);
  }

  @Override
  public String canonical(AccountConfig account, String to) {
    String name = to.strip();
    if (name.equalsIgnoreCase("note") || name.equalsIgnoreCase(NOTES)) {
      return NOTES;
    }
    List<String> people = Stream.of(name.split("[,\\s]+")).map(NostrChannel::person).toList();
    if (people.size() > MOST_PEOPLE) {
      throw new InvalidInput(
          "to", "names more than " + MOST_PEOPLE + " people; write to fewer, or in public");
    }
    return chat(people);
  }

  private static String person(String text) {
    String key = NostrNames.publicKey(text);
    if (key == null || !NostrKey.isPublicKey(key)) {
      throw new InvalidInput(
          "to",
          text.startsWith("nsec")
              ? "is a secret key; give the public one (npub1…), and tell its owner that it is known"
              : "must be a public key (npub1…, nprofile1… or 64 hexadecimal digits), several with"
                  + " commas between them for a group, or notes for public notes");
    }
    return key;
  }

  /** The name of the chat with these people, in whatever order they are named. */
  static String chat(Collection<String> publicKeys) {
    return new TreeSet<>(publicKeys)
        .stream().map(NostrNames::npub).collect(Collectors.joining(","));
  }

  /** The public keys of those whom a chat's name names. */
  static List<String> people(String chat) {
    return Stream.of(chat.split(",")).map(NostrChannel::person).toList();
  }

  @Override
  public void check(Message message, Plan plan) {
    NostrRequest.check(message);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new NostrInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new NostrLink(context);
  }
}
