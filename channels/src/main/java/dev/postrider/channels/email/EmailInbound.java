package dev.postrider.channels.email;

import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.internet.ParseException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a mail says. Anybody may have written it, so nothing in it is taken to be well-formed. */
final class EmailInbound {
  /** Mails in mails in mails: nobody reads further. */
  private static final int DEEPEST = 20;

  private @Nullable String plain;
  private @Nullable String html;
  private final List<InboundMessage.File> files = new ArrayList<>();

  private EmailInbound() {}

  /**
   * A mail as an event.
   *
   * @param place where it lies, which names it if it has no Message-ID of its own
   */
  static InboundMessage of(MimeMessage mail, String place) throws MessagingException {
    EmailInbound content = new EmailInbound();
    boolean readable = content.read(mail);
    List<String> ids = MessageIds.all(mail.getHeader("Message-ID", " "));
    String id = ids.isEmpty() ? null : ids.getFirst();
    List<String> replies = MessageIds.all(mail.getHeader("In-Reply-To", " "));
    List<String> references = MessageIds.all(mail.getHeader("References", " "));
    String reply = replies.isEmpty() ? null : replies.getFirst();
    InboundMessage.Sender sender = sender(mail);
    InternetAddress[] answers = addresses(mail, "Reply-To");
    return new InboundMessage(
        id == null ? place : id,
        readable && !isAutomatic(mail) ? Kind.MESSAGE : Kind.OTHER,
        answers.length == 1 ? answers[0].getAddress() : sender.id(),
        ChatKind.DM,
        sender,
        content.text(),
        content.files,
        id,
        reply,
        references.isEmpty() ? reply : references.getFirst(),
        date(mail),
        raw(mail, content.html));
  }

  /** What an answer to it takes over; null if it has no id to refer to. */
  static @Nullable MailThread thread(MimeMessage mail) throws MessagingException {
    List<String> ids = MessageIds.all(mail.getHeader("Message-ID", " "));
    List<String> references = MessageIds.all(mail.getHeader("References", " "));
    return ids.isEmpty()
        ? null
        : MailThread.of(
            ids.getFirst(),
            mail.getSubject(),
            references.isEmpty() ? MessageIds.all(mail.getHeader("In-Reply-To", " ")) : references);
  }

  private static @Nullable Instant date(MimeMessage mail) throws MessagingException {
    Date date = mail.getSentDate();
    return date == null ? null : date.toInstant();
  }

  /** By RFC 3834, and as bounces come: whoever answers these might never stop. */
  private static boolean isAutomatic(MimeMessage mail) throws MessagingException {
    String auto = mail.getHeader("Auto-Submitted", ";");
    return auto != null && !auto.strip().toLowerCase(Locale.ROOT).startsWith("no")
        || Bounce.isNotice(mail);
  }

  private static InboundMessage.Sender sender(MimeMessage mail) throws MessagingException {
    InternetAddress[] all = addresses(mail, "From");
    String from = mail.getHeader("From", ",");
    return all.length == 0
        ? new InboundMessage.Sender(from == null ? "" : from, null)
        : new InboundMessage.Sender(all[0].getAddress(), all[0].getPersonal());
  }

  /** Whether we wrote it ourselves: whoever answers that might never stop. */
  static boolean isFrom(InternetAddress self, MimeMessage mail) throws MessagingException {
    InternetAddress[] from = addresses(mail, "From");
    return from.length == 1 && self.getAddress().equalsIgnoreCase(from[0].getAddress());
  }

  private static InternetAddress[] addresses(MimeMessage mail, String header)
      throws MessagingException {
    String all = mail.getHeader(header, ",");
    try {
      return all == null ? new InternetAddress[0] : InternetAddress.parseHeader(all, false);
    } catch (AddressException _) {
      return new InternetAddress[0];
    }
  }

  private static Map<String, Object> raw(MimeMessage mail, @Nullable String html)
      throws MessagingException {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (Header header : Collections.list(mail.getAllHeaders())) {
      headers.computeIfAbsent(header.getName(), _ -> new ArrayList<>()).add(header.getValue());
    }
    Map<String, Object> raw = new LinkedHashMap<>();
    raw.put("headers", headers);
    if (html != null) {
      raw.put("html", html);
    }
    return raw;
  }

  // ---- content

  private @Nullable String text() {
    return plain == null && html != null ? HtmlText.of(html) : plain;
  }

  /** Whether all of it could be read; if not, what could be is kept. */
  private boolean read(MimeMessage mail) {
    try {
      read(mail, "", 0);
      return true;
    } catch (MessagingException | IOException | IllegalArgumentException _) {
      return false;
    }
  }

  /**
   * @param place the part's number as IMAP counts, such as 2.1
   */
  private void read(Part part, String place, int depth) throws MessagingException, IOException {
    if (part.isMimeType("multipart/*") && part.getContent() instanceof Multipart all) {
      for (int i = 0; i < all.getCount() && depth < DEEPEST; i++) {
        String inside = place.isEmpty() ? "" + (i + 1) : place + "." + (i + 1);
        read(all.getBodyPart(i), inside, depth + 1);
      }
      return;
    }
    boolean attached = Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition());
    if (!attached && plain == null && part.isMimeType("text/plain")) {
      plain = words(part);
    } else if (!attached && html == null && part.isMimeType("text/html")) {
      html = words(part);
    } else {
      files.add(file(part, place));
    }
  }

  private static String words(Part part) throws MessagingException, IOException {
    try (InputStream bytes = part.getInputStream()) {
      return new String(bytes.readAllBytes(), charset(part)).replace("\r\n", "\n").strip();
    }
  }

  private static Charset charset(Part part) throws MessagingException {
    try {
      String name = new ContentType(part.getContentType()).getParameter("charset");
      return name == null ? StandardCharsets.UTF_8 : Charset.forName(MimeUtility.javaCharset(name));
    } catch (ParseException | IllegalArgumentException _) {
      return StandardCharsets.UTF_8;
    }
  }

  private static InboundMessage.File file(Part part, String place)
      throws MessagingException, IOException {
    String type =
        part.getContentType().replaceFirst(";(?s).*", "").strip().toLowerCase(Locale.ROOT);
    String name = part.getFileName();
    try (InputStream bytes = part.getInputStream()) {
      return new InboundMessage.File(
          MediaTypes.kind(type).label(),
          place.isEmpty() ? "1" : place,
          null,
          name == null ? null : MimeUtility.decodeText(name),
          type,
          bytes.transferTo(OutputStream.nullOutputStream()));
    }
  }
}
