package dev.postrider.channels.nostr;

import dev.postrider.channels.Settings;
import dev.postrider.config.Network;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account's settings.
 *
 * @param chosenQuorum of how many relays have to take an event; null for most of them
 * @param lookupRelays where lists of inbox relays are looked for besides
 * @param sendWithoutInbox whether those who have no such list are written to on our own relays
 */
record NostrSettings(
    NostrKey key,
    List<URI> relays,
    @Nullable Integer chosenQuorum,
    List<URI> lookupRelays,
    boolean sendWithoutInbox,
    boolean copyToSelf,
    boolean publishInbox,
    boolean mentions,
    List<Network> allowedNetworks,
    Duration timeout,
    Duration idle) {

  static NostrSettings of(Settings settings) {
    List<URI> relays = relays(settings, "relays");
    if (relays.isEmpty()) {
      throw settings.wrong("relays", "is missing; name one or more, such as wss://nos.lol");
    }
    Integer quorum = settings.count("quorum");
    if (quorum != null && quorum > relays.size()) {
      throw settings.wrong(
          "quorum", "is " + quorum + ", but there are only " + relays.size() + " in relays");
    }
    return new NostrSettings(
        key(settings),
        relays,
        quorum,
        relays(settings, "lookupRelays"),
        settings.flag("sendWithoutInbox", false),
        settings.flag("copyToSelf", true),
        settings.flag("publishInbox", false),
        settings.flag("mentions", false),
        networks(settings),
        settings.duration("timeout", Duration.ofSeconds(30)),
        settings.duration("idle", Duration.ofSeconds(60)));
  }

  private static NostrKey key(Settings settings) {
    String text = settings.required("privateKey");
    String hex = NostrNames.secretKey(text);
    if (hex == null) {
      throw settings.wrong(
          "privateKey",
          text.strip().startsWith("npub")
              ? "is a public key (npub1…); give the secret one, which begins with nsec1"
              : "is not a secret key: nsec1… or 64 hexadecimal digits");
    }
    try {
      return NostrKey.of(HexFormat.of().parseHex(hex));
    } catch (IllegalArgumentException e) {
      throw settings.wrong("privateKey", "is not a secret key of secp256k1");
    }
  }

  private static List<URI> relays(Settings settings, String key) {
    return settings.texts(key).stream()
        .map(
            text ->
                RelayAddress.of(text)
                    .orElseThrow(
                        () ->
                            settings.wrong(
                                key, "holds something that is no relay, such as wss://nos.lol")))
        .distinct()
        .toList();
  }

  private static List<Network> networks(Settings settings) {
    try {
      return settings.texts("allowedNetworks").stream().map(Network::parse).toList();
    } catch (IllegalArgumentException e) {
      throw settings.wrong(
          "allowedNetworks", "holds something that is no network such as 10.0.0.0/8");
    }
  }

  /** How many of our own relays must take an event. */
  int quorum() {
    return quorumOf(relays.size());
  }

  /** How many of so many relays must take an event. */
  int quorumOf(int count) {
    return chosenQuorum == null ? count / 2 + 1 : Math.min(chosenQuorum, count);
  }
}
