package dev.postrider.channels.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.nostr.Nip44.Unreadable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Private messages as strangers see them (NIP-59): the rumor, sealed by its author, in a wrap of a
 * key that is used once. What is random there is derived here from our secret key and the rumor, so
 * that the same part of the same message is the same wrap on every try (ADR 48). To anybody without
 * the secret key, that cannot be told from randomness.
 */
final class GiftWraps {
  /** How far back seals and wraps are dated at most. */
  static final Duration BACKDATED = Duration.ofDays(2);

  private static final byte[] SALT = "postrider nostr gift wraps 1".getBytes(UTF_8);

  private final NostrKey me;
  private final byte[] seed;

  GiftWraps(NostrKey me) {
    this.me = me;
    seed = Hkdf.extract(SALT, me.secret());
  }

  /**
   * The wrap of a rumor for one person.
   *
   * @param part what tells this part of a message from every other
   */
  NostrEvent wrap(NostrEvent rumor, String receiver, String part) {
    // With the rumor's id: another text under the same nonce would show the difference of both.
    String context = String.join("|", part, receiver, rumor.id());
    NostrEvent seal =
        NostrEvent.signed(
            me,
            backdated(rumor, context + "|seal time"),
            NostrEvent.SEAL,
            List.of(),
            Nip44.encrypt(
                rumor.json(),
                Nip44.conversationKey(me, receiver),
                derived(context + "|seal nonce")));
    NostrKey once = key(context + "|wrap key");
    return NostrEvent.signed(
        once,
        backdated(rumor, context + "|wrap time"),
        NostrEvent.GIFT_WRAP,
        List.of(List.of("p", receiver)),
        Nip44.encrypt(
            seal.json(), Nip44.conversationKey(once, receiver), derived(context + "|wrap nonce")));
  }

  private long backdated(NostrEvent rumor, String purpose) {
    long random = ByteBuffer.wrap(derived(purpose)).getLong() >>> 1;
    return rumor.createdAt() - random % BACKDATED.toSeconds();
  }

  private NostrKey key(String purpose) {
    byte[] secret = derived(purpose);
    for (int again = 1; !NostrKey.isKey(secret); again++) {
      secret = derived(purpose + "|" + again);
    }
    return NostrKey.of(secret);
  }

  private byte[] derived(String purpose) {
    return Hkdf.expand(seed, purpose.getBytes(UTF_8), 32);
  }

  /**
   * The rumor in a wrap for us.
   *
   * @throws Unreadable if it is not for us, or not from whom it says
   */
  NostrEvent unwrap(NostrEvent wrap) throws Unreadable {
    if (!wrap.isGenuine()) {
      throw new Unreadable("the wrap's signature is wrong");
    }
    NostrEvent seal = NostrEvent.read(Json.readObject(open(wrap)));
    if (seal == null || seal.kind() != NostrEvent.SEAL || !seal.isGenuine()) {
      throw new Unreadable("the seal is not signed by whom it names");
    }
    NostrEvent rumor = NostrEvent.read(Json.readObject(open(seal)));
    if (rumor == null) {
      throw new Unreadable("there is no message in the seal");
    }
    if (!rumor.publicKey().equals(seal.publicKey())) {
      throw new Unreadable("the message names another author than its seal");
    }
    return rumor;
  }

  private String open(NostrEvent event) throws Unreadable {
    byte[] key;
    try {
      key = Nip44.conversationKey(me, event.publicKey());
    } catch (IllegalArgumentException e) {
      throw new Unreadable("its public key is none");
    }
    return Nip44.decrypt(event.content(), key);
  }
}
