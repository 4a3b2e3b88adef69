package dev.postrider.channels.nostr;

import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A secret key on secp256k1, and what is done with it. The arithmetic is libsecp256k1's. Signatures
 * are BIP-340's without added randomness, so that the same event is signed the same way.
 */
final class NostrKey {
  private static final HexFormat HEX = HexFormat.of();
  private static final byte EVEN = 2;

  private final byte[] secret;
  private final String publicKey;

  private NostrKey(byte[] secret) {
    this.secret = secret;
    byte[] point = curve().pubkeyCreate(secret);
    publicKey = HEX.formatHex(point, 1, 33);
  }

  /** Whether the bytes are a key: all but one of 2^127 are. */
  static boolean isKey(byte[] secret) {
    return curve().secKeyVerify(secret);
  }

  /**
   * @throws IllegalArgumentException if it is zero or too large to be a key
   */
  static NostrKey of(byte[] secret) {
    if (!isKey(secret)) {
      throw new IllegalArgumentException("these bytes are no secret key");
    }
    return new NostrKey(secret.clone());
  }

  /** Whether the 64 hexadecimal digits are somebody's public key: half of all are none. */
  static boolean isPublicKey(String hex) {
    try {
      return curve().pubkeyParse(point(hex)).length > 0;
    } catch (Secp256k1Exception e) {
      return false;
    }
  }

  /** Of the two points with this x coordinate, the one that BIP-340 means. */
  private static byte[] point(String hex) {
    byte[] point = new byte[33];
    point[0] = EVEN;
    System.arraycopy(HEX.parseHex(hex), 0, point, 1, 32);
    return point;
  }

  /** The x coordinate, in hexadecimal digits. */
  String publicKey() {
    return publicKey;
  }

  byte[] sign(byte[] hash) {
    return curve().signSchnorr(hash, secret, null);
  }

  static boolean verify(byte[] signature, byte[] hash, byte[] publicKey) {
    try {
      return curve().verifySchnorr(signature, hash, publicKey);
    } catch (Secp256k1Exception | IllegalArgumentException e) {
      return false; // not a point of the curve, or not a signature by its length
    }
  }

  /**
   * What only the two of us can compute: the x coordinate of the other's point times this key.
   *
   * @throws IllegalArgumentException if the other key is no point of the curve
   */
  byte[] sharedWith(String otherPublicKey) {
    try {
      byte[] other = curve().pubkeyParse(point(otherPublicKey));
      byte[] shared = curve().pubKeyTweakMul(other, secret);
      return Arrays.copyOfRange(shared, 1, 33);
    } catch (Secp256k1Exception e) {
      throw new IllegalArgumentException("the public key is no point of the curve", e);
    }
  }

  /** Raw key material, to derive from. */
  byte[] secret() {
    return secret.clone();
  }

  private static Secp256k1 curve() {
    return CurveLibrary.curve();
  }

  @Override
  public String toString() {
    return "NostrKey[" + publicKey + "]";
  }
}
