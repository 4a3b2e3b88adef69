package dev.postrider.channels.email;

import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the mail server, for one letter. It knows how far it got, which the library's
 * exceptions do not tell: whether the final dot may have gone out, and what the server had refused
 * before it hung up. One thread.
 */
final class SmtpSubmission extends SMTPTransport {
  /** How far a letter got. */
  enum Stage {
    HELLO,
    SENDER,
    RECIPIENT,
    DATA,
    /** The final dot is on its way: from now on the server may have the letter. */
    DOT
  }

  /**
   * What the server said when it refused.
   *
   * @param status the enhanced code (RFC 3463), such as 5.1.1; empty if there is none
   */
  record Refusal(int code, String status, String text) {
    private static final Pattern STATUS =
        Pattern.compile("\\d{3}[ -](\\d\\.\\d{1,3}\\.\\d{1,3})\\b");

    static Refusal of(int code, String response) {
      Matcher status = STATUS.matcher(response);
      String line = response.strip().replaceAll("\\s+", " ");
      return new Refusal(code, status.lookingAt() ? status.group(1) : "", line);
    }
  }

  private final int answers;
  private Stage stage = Stage.HELLO;
  private @Nullable Refusal refusal;
  private boolean onlyRecipient = true;

  /**
   * @param answers how often the time for an answer may pass until one to the final dot is given up
   */
  SmtpSubmission(Session session, boolean tls, int answers) {
    super(session, null, "smtp", tls);
    this.answers = answers;
  }

  Stage stage() {
    return stage;
  }

  /** The first refusal of the stage it got to; what follows it is only tidying up. */
  @Nullable Refusal refusal() {
    return refusal;
  }

  void send(OutgoingMail letter, String key) throws MessagingException {
    if (supportsExtension("DSN")) {
      letter.setMailExtension("ENVID=" + key);
    }
    Address[] recipients = letter.getAllRecipients();
    onlyRecipient = recipients.length == 1;
    sendMessage(letter, recipients);
  }

  /** Whether a recipient that was refused can only be the chat. */
  boolean isOnlyRecipient() {
    return onlyRecipient;
  }

  private void enter(Stage next) {
    stage = next;
    refusal = null;
  }

  /** What a server does that does not know EHLO. */
  @Override
  protected void helo(String domain) throws MessagingException {
    enter(Stage.HELLO);
    super.helo(domain);
  }

  @Override
  protected void mailFrom() throws MessagingException {
    enter(Stage.SENDER);
    super.mailFrom();
  }

  @Override
  protected void rcptTo() throws MessagingException {
    enter(Stage.RECIPIENT);
    super.rcptTo();
  }

  @Override
  protected OutputStream data() throws MessagingException {
    enter(Stage.DATA);
    return super.data();
  }

  @Override
  protected void finishData() throws IOException, MessagingException {
    enter(Stage.DOT);
    super.finishData();
  }

  /**
   * A server may take long over a letter it has read, and to give up then would be to send it twice
   * (RFC 5321, 4.5.3.2.6).
   */
  private int response() throws MessagingException {
    for (int waited = 1; ; waited++) {
      try {
        return super.readServerResponse();
      } catch (MessagingException e) {
        boolean silent = e.getNextException() instanceof SocketTimeoutException;
        if (stage != Stage.DOT || !silent || waited >= answers) {
          throw e;
        }
      }
    }
  }

  @Override
  protected int readServerResponse() throws MessagingException {
    int code = response();
    if (code >= 400 && refusal == null) {
      refusal = Refusal.of(code, getLastServerResponse());
    }
    return code;
  }
}
