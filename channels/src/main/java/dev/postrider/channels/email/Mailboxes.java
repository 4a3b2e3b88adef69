package dev.postrider.channels.email;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.io.UnsupportedEncodingException;
import java.net.IDN;
import org.jspecify.annotations.Nullable;

/** Addresses of mailboxes, made safe for headers and commands. */
final class Mailboxes {
  private static final int LONGEST = 320;

  private Mailboxes() {}

  /** The one mailbox a text names, or null. Its domain may be written in any script. */
  static @Nullable InternetAddress parse(String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      return null;
    }
    try {
      InternetAddress[] all = InternetAddress.parse(text, true);
      return all.length == 1 && !all[0].isGroup() ? ascii(all[0]) : null;
    } catch (AddressException | UnsupportedEncodingException | IllegalArgumentException _) {
      return null;
    }
  }

  private static @Nullable InternetAddress ascii(InternetAddress given)
      throws AddressException, UnsupportedEncodingException {
    String address = given.getAddress();
    int at = address.lastIndexOf('@');
    if (at < 1 || address.length() > LONGEST) {
      return null;
    }
    String ascii = address.substring(0, at + 1) + IDN.toASCII(address.substring(at + 1));
    if (!ascii.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return null;
    }
    InternetAddress safe = new InternetAddress(ascii, given.getPersonal(), "UTF-8");
    safe.validate();
    return safe;
  }
}
