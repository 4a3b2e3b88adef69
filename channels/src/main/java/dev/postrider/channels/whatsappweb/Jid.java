package dev.postrider.channels.whatsappweb;

import dev.postrider.problem.InvalidInput;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of WhatsApp, as WAHA writes them: {@code digits@c.us} is a person, {@code @lid} a
 * person whose number is hidden, {@code @g.us} a group, {@code @newsletter} a channel.
 */
final class Jid {
  private static final int LONGEST_NUMBER = 15; // by E.164
  private static final Pattern FULL =
      Pattern.compile(
          "(\\d{1,30}(?:-\\d{1,20})?)(?::\\d+)?@(c\\.us|s\\.whatsapp\\.net|g\\.us|lid|newsletter)");

  private Jid() {}

  /** The one spelling of an address; null if it is none. */
  static @Nullable String of(String text) {
    Matcher full = FULL.matcher(text.strip());
    if (full.matches()) {
      String server = full.group(2).equals("s.whatsapp.net") ? "c.us" : full.group(2);
      return full.group(1) + "@" + server;
    }
    String digits = text.strip().replaceFirst("^\\+", "").replaceAll("[\\s().-]", "");
    return digits.matches("[1-9]\\d{4,14}") ? digits + "@c.us" : null;
  }

  static String canonical(String to) {
    String jid = of(to);
    if (jid == null || isNumber(jid) && user(jid).length() > LONGEST_NUMBER) {
      throw new InvalidInput(
          "to",
          "is neither a phone number with its country code, such as +49 170 1234567, nor an"
              + " address such as 491701234567@c.us, 120363041234567890@g.us (a group), …@lid or"
              + " …@newsletter");
    }
    return jid;
  }

  static boolean isNumber(String jid) {
    return jid.endsWith("@c.us");
  }

  static boolean isHidden(String jid) {
    return jid.endsWith("@lid");
  }

  static boolean isPerson(String jid) {
    return isNumber(jid) || isHidden(jid);
  }

  static boolean isGroup(String jid) {
    return jid.endsWith("@g.us");
  }

  /** What stands before the {@code @}. */
  static String user(String jid) {
    return jid.substring(0, jid.indexOf('@'));
  }

  /** As WhatsApp itself, and GOWA, write it. */
  static String onWire(String jid) {
    return isNumber(jid) ? user(jid) + "@s.whatsapp.net" : jid;
  }
}
