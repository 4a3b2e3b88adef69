package dev.postrider.channels.email;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Format;
import jakarta.activation.DataHandler;
import jakarta.activation.DataSource;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimePart;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.eclipse.angus.mail.smtp.SMTPMessage;
import org.jspecify.annotations.Nullable;

/** One part as a mail. It has the same Message-ID on every try. */
final class OutgoingMail extends SMTPMessage {
  private static final int LONGEST_SUBJECT = 200;

  private final String id;
  private final MailThread thread;

  /**
   * Who writes: what an account's letters have in common.
   *
   * @param replyTo where answers are to go, if not to {@code from}
   * @param automatic whether no person writes them
   */
  record Sender(
      InternetAddress from,
      @Nullable InternetAddress replyTo,
      String domain,
      String subject,
      boolean automatic) {}

  /**
   * @param answered the thread of the mail that this one answers, if it is known
   */
  OutgoingMail(
      Session session,
      Sender sender,
      InternetAddress to,
      Dispatch dispatch,
      @Nullable MailThread answered,
      Instant now)
      throws MessagingException {
    super(session);
    id = MessageIds.of(dispatch.key(), sender.domain);
    MailOptions options = MailOptions.of(dispatch.message().channelData());
    setFrom(sender.from);
    setRecipient(Message.RecipientType.TO, to);
    address(sender, options);
    String subject = subject(sender, options, dispatch, answered);
    setSubject(subject, "UTF-8");
    setSentDate(Date.from(now));
    List<String> references = references(dispatch, answered);
    refer(dispatch, references);
    thread = MailThread.of(id, subject, references);
    declare(sender, options, dispatch);
    setNotifyOptions(NOTIFY_FAILURE);
    setReturnOption(RETURN_HDRS);
    write(dispatch);
    saveChanges();
  }

  String id() {
    return id;
  }

  /** What an answer to it takes over. */
  MailThread thread() {
    return thread;
  }

  @Override
  protected void updateMessageID() throws MessagingException {
    setHeader("Message-ID", id);
  }

  // ---- headers

  private void address(Sender sender, MailOptions options) throws MessagingException {
    setRecipients(Message.RecipientType.CC, options.cc().toArray(InternetAddress[]::new));
    setRecipients(Message.RecipientType.BCC, options.bcc().toArray(InternetAddress[]::new));
    if (!options.replyTo().isEmpty()) {
      setReplyTo(options.replyTo().toArray(InternetAddress[]::new));
    } else if (sender.replyTo != null) {
      setReplyTo(new InternetAddress[] {sender.replyTo});
    }
  }

  /**
   * Says by RFC 3834 that a machine writes, so that no machine answers; and how to hear no more.
   */
  private void declare(Sender sender, MailOptions options, Dispatch dispatch)
      throws MessagingException {
    if (Objects.requireNonNullElse(options.autoSubmitted(), sender.automatic)) {
      setHeader(
          "Auto-Submitted",
          dispatch.message().replyToId() == null ? "auto-generated" : "auto-replied");
    }
    String unsubscribe = options.unsubscribe();
    if (unsubscribe != null) {
      setHeader("List-Unsubscribe", "<" + unsubscribe + ">");
      if (unsubscribe.regionMatches(true, 0, "https:", 0, 6)) {
        setHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
      }
    }
  }

  private static String subject(
      Sender sender, MailOptions options, Dispatch dispatch, @Nullable MailThread answered) {
    String reply = answered == null ? "" : answered.answer();
    String subject =
        options.subject() != null
            ? options.subject()
            : !reply.isEmpty()
                ? reply
                : sender
                    .subject
                    .replace("{account}", dispatch.message().account())
                    .replace("{to}", dispatch.to())
                    .replace("{line}", firstLine(dispatch));
    String line = oneLine(subject);
    return line.isEmpty() ? "(no subject)" : line;
  }

  private static String firstLine(Dispatch dispatch) {
    return Objects.requireNonNullElse(plain(dispatch), "")
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .orElse("");
  }

  /** Nothing that could begin another header, and short enough for a line without a break. */
  private static String oneLine(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
    return line.codePointCount(0, line.length()) <= LONGEST_SUBJECT
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST_SUBJECT - 1)) + "…";
  }

  private static List<String> references(Dispatch dispatch, @Nullable MailThread answered) {
    return answered != null
        ? answered.references()
        : Stream.of(id(dispatch.threadId()), id(dispatch.message().replyToId()))
            .filter(Objects::nonNull)
            .distinct()
            .toList();
  }

  private void refer(Dispatch dispatch, List<String> references) throws MessagingException {
    String reply = id(dispatch.message().replyToId());
    if (reply != null) {
      setHeader("In-Reply-To", reply);
    }
    if (!references.isEmpty()) {
      setHeader("References", String.join("\r\n ", references));
    }
  }

  private static @Nullable String id(@Nullable String given) {
    return given == null ? null : MessageIds.parse(given);
  }

  // ---- body

  private void write(Dispatch dispatch) throws MessagingException {
    if (dispatch.cargo().isEmpty()) {
      words(this, dispatch);
      return;
    }
    MimeMultipart all = new MimeMultipart("mixed");
    if (dispatch.text() != null) {
      MimeBodyPart words = new MimeBodyPart();
      words(words, dispatch);
      all.addBodyPart(words);
    }
    for (PartFile file : dispatch.cargo()) {
      all.addBodyPart(attached(file));
    }
    setContent(all);
  }

  private static void words(MimePart part, Dispatch dispatch) throws MessagingException {
    String plain = Objects.requireNonNullElse(plain(dispatch), "");
    if (!dispatch.isMarkup()) {
      text(part, plain, "plain");
      return;
    }
    MimeMultipart both = new MimeMultipart("alternative");
    String html = "<!DOCTYPE html>\n<html><body>\n" + dispatch.text() + "\n</body></html>\n";
    for (var form : List.of(List.of(plain, "plain"), List.of(html, "html"))) {
      MimeBodyPart one = new MimeBodyPart();
      text(one, form.getFirst(), form.getLast());
      both.addBodyPart(one);
    }
    part.setContent(both);
  }

  /** What the letter says without markup; of a sender's own HTML, what can be read in it. */
  private static @Nullable String plain(Dispatch dispatch) {
    if (!dispatch.isMarkup()) {
      return dispatch.text();
    }
    String plain = dispatch.part().plain();
    return plain != null && dispatch.message().format() == Format.NATIVE
        ? HtmlText.of(plain)
        : plain;
  }

  /** Quoted-printable breaks every line before it is too long for SMTP. */
  private static void text(MimePart part, String text, String subtype) throws MessagingException {
    part.setText(text, "UTF-8", subtype);
    part.setHeader("Content-Transfer-Encoding", "quoted-printable");
  }

  private static MimeBodyPart attached(PartFile cargo) throws MessagingException {
    Attachment file = cargo.attachment();
    String name =
        file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
    MimeBodyPart part = new MimeBodyPart();
    part.setDataHandler(new DataHandler(new Held(cargo)));
    part.setFileName(oneLine(name));
    part.setDisposition(Part.ATTACHMENT);
    part.setHeader("Content-Transfer-Encoding", "base64");
    return part;
  }

  /** A file, read when it is sent. */
  private record Held(PartFile cargo) implements DataSource {
    @Override
    public InputStream getInputStream() throws IOException {
      return Objects.requireNonNull(cargo.bytes()).open();
    }

    @Override
    public OutputStream getOutputStream() {
      throw new UnsupportedOperationException("a file to send is not written to");
    }

    @Override
    public String getContentType() {
      return Objects.requireNonNullElse(cargo.attachment().type(), MediaTypes.UNKNOWN);
    }

    @Override
    public String getName() {
      return "";
    }
  }
}
