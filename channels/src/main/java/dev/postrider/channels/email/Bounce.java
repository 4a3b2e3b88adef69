package dev.postrider.channels.email;

import dev.postrider.inbound.DeliveryReport;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.internet.InternetHeaders;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A delivery status notification (RFC 3464) about a letter of ours. Which one it is tells the
 * envelope id we gave, else the headers that came back, else what the notification refers to.
 */
final class Bounce {
  private static final Pattern SERVER = Pattern.compile("(?i)\\bmailer-daemon@");

  private final String domain;
  private final Pattern ours;
  private @Nullable InternetHeaders message;
  private @Nullable InternetHeaders recipient;
  private @Nullable InternetHeaders returned;

  private Bounce(String domain) {
    this.domain = domain;
    this.ours = Pattern.compile("<[0-9a-f]{32}@" + Pattern.quote(domain) + ">");
  }

  /** What a mail reports about a letter of ours; null if it reports nothing, or on another's. */
  static @Nullable DeliveryReport read(MimeMessage mail, String domain, Instant at) {
    try {
      return isNotice(mail) && mail.getContent() instanceof Multipart parts
          ? new Bounce(domain).report(mail, parts, at)
          : null;
    } catch (MessagingException | IOException _) {
      return null;
    }
  }

  /**
   * Whether a mail server speaks. Not all of them mark their notices as such; but a person who
   * forwards one is no mail server.
   */
  static boolean isNotice(MimeMessage mail) throws MessagingException {
    if (mail.isMimeType("multipart/report")) {
      return true;
    }
    String from = mail.getHeader("From", ",");
    return mail.isMimeType("multipart/*") && from != null && SERVER.matcher(from).find();
  }

  private @Nullable DeliveryReport report(MimeMessage mail, Multipart parts, Instant at)
      throws MessagingException, IOException {
    for (int i = 0; i < parts.getCount(); i++) {
      look(parts.getBodyPart(i));
    }
    DeliveryReport.State state = state();
    String letter = letter(mail);
    boolean permanent = value(recipient, "Status").startsWith("5.");
    return state == null || letter == null
        ? null
        : new DeliveryReport(letter, state, at, detail(), permanent);
  }

  private void look(BodyPart part) throws MessagingException, IOException {
    if (part.isMimeType("message/delivery-status")) {
      try (InputStream fields = new ByteArrayInputStream(part.getInputStream().readAllBytes())) {
        message = new InternetHeaders(fields);
        do { // of several recipients, the first that failed
          recipient = new InternetHeaders(fields);
        } while (fields.available() > 0 && state() != DeliveryReport.State.FAILED);
      }
    } else if (part.isMimeType("text/rfc822-headers") || part.isMimeType("message/rfc822")) {
      returned = new InternetHeaders(part.getInputStream());
    }
  }

  private DeliveryReport.@Nullable State state() {
    return switch (value(recipient, "Action").toLowerCase(Locale.ROOT)) {
      case "failed" -> DeliveryReport.State.FAILED;
      case "delivered" -> DeliveryReport.State.DELIVERED;
      default -> null; // delayed, relayed, expanded: not the last word
    };
  }

  private @Nullable String letter(MimeMessage mail) throws MessagingException {
    String envelope = value(message, "Original-Envelope-Id");
    Optional<String> found =
        Stream.of(
                MessageIds.of(envelope, domain),
                value(returned, "Message-ID"),
                String.valueOf(mail.getHeader("In-Reply-To", " ")),
                String.valueOf(mail.getHeader("References", " ")))
            .map(ours::matcher)
            .filter(Matcher::find)
            .map(Matcher::group)
            .findFirst();
    return found.orElse(null);
  }

  private String detail() {
    String status = value(recipient, "Status");
    String said = value(recipient, "Diagnostic-Code").replaceFirst("^[A-Za-z0-9-]{1,40};\\s*", "");
    return (said.contains(status) ? said : status + " " + said).strip();
  }

  private static String value(@Nullable InternetHeaders headers, String name) {
    String value = headers == null ? null : headers.getHeader(name, " ");
    return value == null ? "" : value.replaceAll("\\s+", " ").strip();
  }
}
