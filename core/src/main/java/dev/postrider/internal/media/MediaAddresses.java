package dev.postrider.internal.media;

import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.Remembered;
import dev.postrider.store.Store;
import dev.postrider.time.Scheduler;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Addresses under which platforms fetch files in custody, for platforms that take nothing else.
 * Each is good for one file and for a while; nobody can make one without the key, which is kept in
 * the store, so that every node knows it. Thread-safe.
 */
public final class MediaAddresses {
  /** Platforms fetch again when people look later, also after a repeat a day later. */
  private static final Duration LASTS = Duration.ofHours(49);

  /** Whose memory holds the key: no account can be called so. */
  private static final String OWNER = "(postrider)";

  private static final String KEY = "media.addresses";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final @Nullable String publicUrl;
  private final Store store;
  private final Scheduler time;
  private volatile @Nullable SecretKeySpec key;

  /**
   * @param publicUrl where the world finds this server; null if it does not
   */
  public MediaAddresses(@Nullable String publicUrl, Store store, Scheduler time) {
    this.publicUrl = publicUrl;
    this.store = store;
    this.time = time;
  }

  /** Why a channel with these rules can be given no such address; null if it can. */
  public @Nullable String lacking(MediaRules rules) {
    if (publicUrl == null) {
      return "the platform takes files by address only; set http.publicUrl, so that it can fetch"
          + " them here, or give a public address instead of bytes";
    }
    return rules.reuse() == Reuse.BY_SECURE_ADDRESS && !publicUrl.startsWith("https:")
        ? "the platform fetches files over https only, and http.publicUrl is no https address; give"
            + " it one, or give a public https address instead of bytes"
        : null;
  }

  /** Whether there are such addresses at all. */
  public boolean available() {
    return publicUrl != null;
  }

  /**
   * An address of a file, good for a while; the file stays for as long. For a part that may have
   * arrived it is the same as then: a platform that knows a request by its key must see the same.
   * For an hour it is the same for all parts, so that what says the same to many looks the same.
   *
   * @param mayHaveArrivedAt when the part was first tried; null if it cannot have arrived
   */
  String named(String hash, @Nullable Instant mayHaveArrivedAt) {
    Instant tried = mayHaveArrivedAt == null ? time.instant() : mayHaveArrivedAt;
    return of(hash, tried.truncatedTo(ChronoUnit.HOURS).plus(LASTS));
  }

  /** An address of a file, good until then. */
  public String of(String hash, Instant until) {
    store.blobs().keep(hash, until);
    long expires = until.getEpochSecond();
    return "%s/media/%s?expires=%d&signature=%s"
        .formatted(publicUrl, hash, expires, HexFormat.of().formatHex(sign(hash, expires)));
  }

  /** Whether we made an address with this signature. */
  public boolean isOurs(String hash, long expires, String signature) {
    if (!available()) {
      return false;
    }
    byte[] right = HexFormat.of().formatHex(sign(hash, expires)).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(right, signature.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] sign(String hash, long expires) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key());
      return mac.doFinal((hash + "." + expires).getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }

  private SecretKeySpec key() {
    SecretKeySpec known = key;
    if (known == null) {
      known = new SecretKeySpec(HexFormat.of().parseHex(stored()), ALGORITHM);
      key = known;
    }
    return known;
  }

  /** The key in the store; of several nodes that make one, one does. */
  private String stored() {
    Instant now = time.instant();
    String there = read(now);
    if (there == null) {
      byte[] made = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(made);
      time.await(
          store.remember(
              OWNER, null, Remembered.of(null, KEY, HexFormat.of().formatHex(made)), now));
      there = read(now);
    }
    if (there == null) {
      throw new IllegalStateException("the key of media addresses was stored and is not there");
    }
    return there;
  }

  private @Nullable String read(Instant now) {
    return store.remembered(OWNER, null, KEY, now).map(Remembered::value).orElse(null);
  }
}
