package dev.postrider.channels.email;

import dev.postrider.problem.InvalidInput;
import jakarta.mail.internet.InternetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a message may say of its mail, in {@code channelData}.
 *
 * @param subject null for the account's
 * @param unsubscribe where its reader can have no more of them, by RFC 2369 and 8058
 * @param autoSubmitted null for the account's
 */
record MailOptions(
    @Nullable String subject,
    List<InternetAddress> cc,
    List<InternetAddress> bcc,
    List<InternetAddress> replyTo,
    @Nullable String unsubscribe,
    @Nullable Boolean autoSubmitted) {

  static final Set<String> NAMES =
      Set.of("subject", "cc", "bcc", "replyTo", "listUnsubscribe", "autoSubmitted");

  private static final int MOST = 50;

  /**
   * Reads channel data.
   *
   * @throws InvalidInput naming the field
   */
  static MailOptions of(Map<String, @Nullable Object> data) {
    for (String name : data.keySet()) {
      if (!NAMES.contains(name)) {
        throw new InvalidInput(
            "channelData." + name,
            "is not known here; known are " + String.join(", ", NAMES.stream().sorted().toList()));
      }
    }
    return new MailOptions(
        one(data, "subject", String.class, "a text"),
        mailboxes(data, "cc"),
        mailboxes(data, "bcc"),
        mailboxes(data, "replyTo"),
        unsubscribe(one(data, "listUnsubscribe", String.class, "an address")),
        one(data, "autoSubmitted", Boolean.class, "true or false"));
  }

  private static <T> @Nullable T one(
      Map<String, @Nullable Object> data, String name, Class<T> type, String what) {
    Object value = data.get(name);
    if (value != null && !type.isInstance(value)) {
      throw new InvalidInput("channelData." + name, "must be " + what);
    }
    return type.cast(value);
  }

  private static List<InternetAddress> mailboxes(Map<String, @Nullable Object> data, String name) {
    String field = "channelData." + name;
    List<?> all =
        switch (data.get(name)) {
          case null -> List.of();
          case List<?> many -> many;
          case Object one -> List.of(one);
        };
    if (all.size() > MOST) {
      throw new InvalidInput(field, "must not name more than " + MOST + " mailboxes");
    }
    List<InternetAddress> found = new ArrayList<>();
    for (Object each : all) {
      InternetAddress address = each instanceof String text ? Mailboxes.parse(text) : null;
      if (address == null) {
        throw new InvalidInput(
            field, "must be an address such as ann@example.org, or a list of such");
      }
      found.add(address);
    }
    return found;
  }

  private static @Nullable String unsubscribe(@Nullable String address) {
    if (address == null) {
      return null;
    }
    try {
      URI uri = new URI(address);
      boolean known = String.valueOf(uri.getScheme()).matches("(?i)https|mailto");
      if (known && address.length() <= 900 && address.chars().allMatch(c -> c < 0x7f)) {
        return address;
      }
    } catch (URISyntaxException _) {
      // Told below: what is wrong with it is of no use without knowing what it should be.
    }
    throw new InvalidInput(
        "channelData.listUnsubscribe", "must be an address that begins with https:// or mailto:");
  }
}
