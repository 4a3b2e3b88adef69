package dev.postrider.channels.email;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.email.MailSession.Security;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.RememberedToken;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.message.Receipt;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.net.ssl.SSLException;
import org.eclipse.angus.mail.util.MailConnectException;
import org.jspecify.annotations.Nullable;

/**
 * One account at its mail server. Each letter has a connection of its own, so that what happens to
 * it says something about that letter alone. Thread-safe; blocks in real time.
 */
final class EmailLink implements Link {
  private static final String TOKEN = "oauth";

  private final InstantSource clock;
  private final Memory memory;
  private final String host;
  private final int port;
  private final Security security;
  private final MailLogin login;
  private final OutgoingMail.Sender sender;
  private final Session session;
  private final SmtpVerdict verdict;
  private final @Nullable Mailbox mailbox;

  /** How often the time for an answer may pass until one to the final dot is given up. */
  private final int answers;

  EmailLink(Settings settings, InstantSource clock, Memory memory) {
    this(settings, clock, memory, new Properties());
  }

  /**
   * @param tls how TLS is done, if not the usual way
   */
  EmailLink(Settings settings, InstantSource clock, Memory memory, Properties tls) {
    this.clock = clock;
    this.memory = memory;
    host = settings.required("host");
    security = Security.of(settings, "security", Security.STARTTLS);
    port = MailSession.port(settings, "port", security == Security.TLS ? 465 : 587);
    TokenSource tokens =
        MailLogin.tokens(
            settings,
            clock,
            new RememberedToken(memory, TOKEN, clock, settings.text("oauthRefreshToken", "")));
    login = MailLogin.smtp(settings, tokens);
    sender = sender(settings);
    Duration timeout = MailSession.positive(settings, "timeout", Duration.ofSeconds(60));
    Duration dot = MailSession.positive(settings, "dotTimeout", Duration.ofMinutes(10));
    if (dot.compareTo(timeout) < 0) {
      throw settings.wrong("dotTimeout", "must not be shorter than timeout, which is " + timeout);
    }
    answers = (int) dot.plus(timeout).minusNanos(1).dividedBy(timeout);
    session = MailSession.of("smtp", security, settings, timeout, tls);
    session.getProperties().put("mail.smtp.localhost", sender.domain());
    login.configure("smtp", session.getProperties());
    verdict = new SmtpVerdict(MailSession.positive(settings, "throttle", Duration.ofMinutes(1)));
    mailbox =
        settings.text("imapHost", "").isEmpty()
            ? null
            : new Mailbox(settings, timeout, sender, MailLogin.imap(settings, tokens), clock, tls);
  }

  static OutgoingMail.Sender sender(Settings settings) {
    InternetAddress from = Mailboxes.parse(settings.required("from"));
    if (from == null) {
      throw settings.wrong("from", "is not an address such as Shop <shop@example.org>");
    }
    String address = from.getAddress();
    String domain = settings.text("domain", address.substring(address.lastIndexOf('@') + 1));
    if (!domain.matches("[A-Za-z0-9.-]{1,253}")) {
      throw settings.wrong("domain", "is not a domain such as example.org");
    }
    return new OutgoingMail.Sender(
        from,
        replyTo(settings),
        domain,
        settings.text("subject", "{line}"),
        settings.flag("autoSubmitted", true));
  }

  private static @Nullable InternetAddress replyTo(Settings settings) {
    String given = settings.text("replyTo", "");
    InternetAddress address = given.isEmpty() ? null : Mailboxes.parse(given);
    if (address == null && !given.isEmpty()) {
      throw settings.wrong("replyTo", "is not an address such as Shop <shop@example.org>");
    }
    return address;
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    InternetAddress to = Mailboxes.parse(dispatch.to());
    if (to == null) {
      return new Outcome.Rejected(Blame.TARGET, "to is not the address of one mailbox");
    }
    Instant now = clock.instant();
    return connected(
        false,
        submission -> {
          OutgoingMail letter =
              new OutgoingMail(session, sender, to, dispatch, answered(dispatch), now);
          submission.send(letter, dispatch.key());
          return new Outcome.Delivered(
              new Receipt(letter.id(), true), Map.of(), List.of(letter.thread().kept(now)));
        });
  }

  /** What is said once we are logged in. */
  @FunctionalInterface
  private interface Dialogue {
    Outcome hold(SmtpSubmission submission) throws MessagingException;
  }

  /**
   * @param again whether a login was refused before. A token that was good can be revoked; nothing
   *     was sent then, and with another it may go
   */
  private Outcome connected(boolean again, Dialogue dialogue) {
    String secret;
    try {
      secret = login.secret();
    } catch (MailLogin.Unavailable e) {
      return e.outcome();
    }
    SmtpSubmission submission = new SmtpSubmission(session, security == Security.TLS, answers);
    Outcome outcome;
    try {
      submission.connect(host, port, login.user(), secret);
      return dialogue.hold(submission);
    } catch (MessagingException e) {
      outcome = outcome(submission, Secrets.of(secret == null ? "" : secret), e);
    } finally {
      hangUp(submission);
    }
    boolean refused =
        outcome instanceof Outcome.AccountBroken
            && submission.stage() == SmtpSubmission.Stage.HELLO
            && login.refused(secret);
    return refused && !again ? connected(true, dialogue) : outcome;
  }

  private @Nullable MailThread answered(Dispatch dispatch) {
    String given = dispatch.message().replyToId();
    String id = given == null ? null : MessageIds.parse(given);
    return id == null ? null : MailThread.recall(memory, id);
  }

  private Outcome outcome(SmtpSubmission submission, Secrets secrets, MessagingException failure) {
    SmtpSubmission.Refusal refusal = submission.refusal();
    if (refusal != null) {
      return verdict.of(
          submission.stage(),
          submission.isOnlyRecipient(),
          new SmtpSubmission.Refusal(
              refusal.code(), refusal.status(), secrets.scrub(refusal.text())));
    }
    String cause = secrets.scrub(describe(failure));
    if (failure instanceof AuthenticationFailedException && submission.getLastReturnCode() > 0) {
      // Nobody refused, but the two have no way in common to say who one is.
      return new Outcome.AccountBroken(cause);
    }
    if (submission.stage() == SmtpSubmission.Stage.HELLO && isNoConnection(failure)) {
      return new Outcome.Unreachable(cause);
    }
    return submission.stage() == SmtpSubmission.Stage.DOT
        ? new Outcome.Unknown(cause)
        : new Outcome.NotSent(cause);
  }

  /** Nobody there, or nobody to be trusted. */
  private static boolean isNoConnection(Throwable failure) {
    Throwable cause =
        failure instanceof MessagingException mail ? mail.getNextException() : failure.getCause();
    return failure instanceof ConnectException
        || failure instanceof UnknownHostException
        || failure instanceof MailConnectException
        || failure instanceof SSLException
        || (cause != null && isNoConnection(cause));
  }

  private static String describe(MessagingException failure) {
    Exception cause = failure.getNextException();
    String text = String.valueOf(failure.getMessage()).strip().replaceAll("\\s+", " ");
    return cause == null ? text : text + ": " + cause;
  }

  private static void hangUp(SmtpSubmission submission) {
    try {
      submission.close();
    } catch (MessagingException _) {
      // There is nothing left to end.
    }
  }

  @Override
  public Probe probe() {
    String self = sender.from().getAddress();
    return Probe.of(connected(false, _ -> Outcome.delivered(self)), self);
  }

  @Override
  public boolean listens() {
    return mailbox != null;
  }

  @Override
  public void listen(InboundSink inlet) throws Exception {
    if (mailbox != null) {
      mailbox.listen(inlet);
    }
  }
}
