package dev.postrider.channel;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the login of an account stands that a person must let in, on their phone. Codes are secrets
 * while they are valid: whoever has one can become the account's other device. So none of these
 * tells them in its {@code toString}.
 */
public sealed interface LoginState {

  /** The account has no such login: its settings say all. */
  record NotSupported() implements LoginState {}

  /**
   * Nothing more to do.
   *
   * @param identity what the platform calls the account
   */
  record LoggedIn(String identity) implements LoginState {}

  /**
   * The person scans a QR code.
   *
   * @param text what the code says; null if only its picture is known
   * @param png its picture; null if its text is known
   * @param validUntil when there will be another one; null if nobody knows
   */
  record ScanQr(@Nullable String text, byte @Nullable [] png, @Nullable Instant validUntil)
      implements LoginState {
    public ScanQr {
      if (text == null && png == null) {
        throw new IllegalArgumentException("a QR code without text or picture");
      }
    }

    public static ScanQr text(String text, @Nullable Instant validUntil) {
      return new ScanQr(text, null, validUntil);
    }

    public static ScanQr picture(byte[] png, @Nullable Instant validUntil) {
      return new ScanQr(null, png, validUntil);
    }

    @Override
    public String toString() {
      return "ScanQr[validUntil=" + validUntil + "]";
    }
  }

  /** The person types a code on the phone that was named. */
  record TypeCode(String code, @Nullable Instant validUntil) implements LoginState {
    @Override
    public String toString() {
      return "TypeCode[validUntil=" + validUntil + "]";
    }
  }

  /**
   * Neither the person nor we can do anything at the moment, but the platform or its bridge.
   *
   * @param forWhat in a sentence, such as "scanned; confirm it on the phone"
   */
  record Waiting(String forWhat) implements LoginState {}

  /** It did not work; asked again, it begins anew. */
  record Failed(String cause) implements LoginState {}
}
