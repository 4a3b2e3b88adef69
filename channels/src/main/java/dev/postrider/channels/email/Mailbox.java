package dev.postrider.channels.email;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.email.MailSession.Security;
import dev.postrider.channels.http.Secrets;
import dev.postrider.inbound.DeliveryReport;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessageRemovedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.UIDFolder;
import jakarta.mail.event.MessageCountAdapter;
import jakarta.mail.event.MessageCountEvent;
import jakarta.mail.event.MessageCountListener;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.search.ComparisonTerm;
import jakarta.mail.search.ReceivedDateTerm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads a folder from where it was last left, and then waits for more: with IDLE where the server
 * has it, else by looking again. The folder is opened for reading only, so nothing in it changes.
 * Thread-safe; blocks in real time.
 */
final class Mailbox {
  private final String host;
  private final int port;
  private final MailLogin login;
  private final InstantSource clock;
  private volatile Secrets secrets = Secrets.of();
  private final String folderName;
  private final Duration poll;
  private final int largest;
  private final OutgoingMail.Sender self;
  private final Session session;

  /**
   * @param self whose mails are not taken in: they are our own
   */
  Mailbox(
      Settings settings,
      Duration timeout,
      OutgoingMail.Sender self,
      MailLogin login,
      InstantSource clock,
      Properties tls) {
    Security security = Security.of(settings, "imapSecurity", Security.TLS);
    host = settings.required("imapHost");
    port = MailSession.port(settings, "imapPort", security == Security.TLS ? 993 : 143);
    folderName = settings.text("folder", "INBOX");
    poll = MailSession.positive(settings, "poll", Duration.ofMinutes(1));
    largest = Objects.requireNonNullElse(settings.count("inboundLimit"), 25 << 20);
    this.self = self;
    this.login = login;
    this.clock = clock;
    // While IDLE waits, so does a read; a connection that is dead is noticed one round later.
    session = MailSession.of("imap", security, settings, poll.plus(timeout), tls);
    login.configure("imap", session.getProperties());
  }

  /**
   * How far the folder was read. UIDs only grow, as long as their validity stays the same. If it
   * does not, they say nothing any more, but what was received long before the last mail was read
   * before; the rest is known by its Message-ID.
   *
   * @param latest when the latest mail that was read was received, in seconds since 1970
   * @param since mails received before it were read under another validity
   */
  private record Cursor(long validity, long uid, long latest, long since) {
    /** No two clocks of a mail server differ by more, and none moves mails for longer. */
    private static final long SLACK = Duration.ofDays(1).toSeconds();

    static Cursor parse(String text) {
      long[] numbers = Stream.of(text.split(":")).mapToLong(Long::parseLong).toArray();
      return new Cursor(
          numbers[0],
          numbers[1],
          numbers.length > 2 ? numbers[2] : 0,
          numbers.length > 3 ? numbers[3] : 0);
    }

    Cursor at(long read, long received) {
      return new Cursor(validity, read, Math.max(latest, received), since);
    }

    /** From the beginning of a folder that was made anew. */
    Cursor anew(long now, long other) {
      return new Cursor(other, 0, latest, (latest == 0 ? now : latest) - SLACK);
    }

    @Override
    public String toString() {
      return validity + ":" + uid + ":" + latest + (since == 0 ? "" : ":" + since);
    }
  }

  /** The folder, over a connection of its own. */
  record Reading(IMAPStore store, IMAPFolder folder) implements AutoCloseable {
    @Override
    public void close() {
      try {
        store.close();
      } catch (MessagingException _) {
        // It is gone already.
      }
    }
  }

  /** Opens the folder for whoever wants to look into it. */
  Reading open() throws MessagingException {
    IMAPStore store = (IMAPStore) session.getStore("imap");
    try {
      connect(store);
      IMAPFolder folder = (IMAPFolder) store.getFolder(folderName);
      folder.open(Folder.READ_ONLY);
      return new Reading(store, folder);
    } catch (MessagingException e) {
      store.close();
      throw e;
    }
  }

  private void connect(IMAPStore store) throws MessagingException {
    String secret = null;
    try {
      secret = login.secret();
      secrets = Secrets.of(secret == null ? "" : secret);
      store.connect(host, port, login.user(), secret);
    } catch (MailLogin.Unavailable e) {
      String cause = String.valueOf(e.getMessage());
      throw e.outcome() instanceof Outcome.AccountBroken
          ? new AuthenticationFailedException(cause)
          : new MessagingException(cause);
    } catch (AuthenticationFailedException e) {
      if (login.refused(secret)) { // a token that was good can be revoked: the next try has another
        throw new MessagingException(e.getMessage(), e);
      }
      throw e;
    }
  }

  void listen(InboundSink inlet) throws IOException, InterruptedException {
    try {
      hear(inlet);
    } catch (MessagingException | IOException e) {
      if (!Thread.currentThread().isInterrupted()) { // which also closes the connection
        String cause = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
        String told = secrets.scrub(host + ": " + cause);
        throw e instanceof AuthenticationFailedException
            ? new ListeningRefused(told) // asked often, servers lock the mailbox
            : new IOException(told, e);
      }
    }
  }

  private void hear(InboundSink inlet)
      throws MessagingException, IOException, InterruptedException {
    try (IMAPStore store = (IMAPStore) session.getStore("imap")) {
      connect(store);
      boolean told = store.hasCapability("IDLE"); // asked later, it takes a second connection
      IMAPFolder folder = (IMAPFolder) store.getFolder(folderName);
      folder.addMessageCountListener(waker(folder));
      folder.open(Folder.READ_ONLY);
      inlet.connected();
      Cursor cursor = begin(folder, inlet);
      boolean goOn = true;
      while (goOn) {
        int known = folder.getMessageCount();
        cursor = read(folder, cursor, inlet);
        // What was told while reading is not told again.
        goOn = folder.getMessageCount() > known || (told ? idle(folder) : inlet.pause(poll));
      }
    }
  }

  /** Where to read on; at the very beginning, from now on. */
  private Cursor begin(IMAPFolder folder, InboundSink inlet) throws MessagingException {
    long validity = folder.getUIDValidity();
    long now = clock.instant().getEpochSecond();
    String stored = inlet.cursor();
    if (stored == null) {
      Cursor start = new Cursor(validity, lastUid(folder), now, 0);
      inlet.take(List.of(), List.of(), start.toString());
      return start;
    }
    Cursor last = Cursor.parse(stored);
    return last.validity == validity ? last : last.anew(now, validity);
  }

  private static long lastUid(IMAPFolder folder) throws MessagingException {
    int count = folder.getMessageCount();
    return count == 0 ? 0 : folder.getUID(folder.getMessage(count));
  }

  private Cursor read(IMAPFolder folder, Cursor from, InboundSink inlet)
      throws MessagingException, IOException {
    Cursor cursor = from;
    for (Message message : unread(folder, from)) {
      long uid = message == null ? 0 : folder.getUID(message);
      if (uid > cursor.uid) { // asked for what is after the last one, a server gives the last one
        Instant received = received(message);
        cursor = cursor.at(uid, received.getEpochSecond());
        if (received.getEpochSecond() >= cursor.since) {
          take(message, received, cursor.toString(), inlet);
        }
      }
    }
    return cursor;
  }

  /** In a folder that was made anew, the server is asked for what can be new. */
  private static Message[] unread(IMAPFolder folder, Cursor from) throws MessagingException {
    if (from.uid > 0 || from.since == 0) {
      return folder.getMessagesByUID(from.uid + 1, UIDFolder.LASTUID);
    }
    Date day = new Date(from.since * 1000);
    return folder.search(new ReceivedDateTerm(ComparisonTerm.GE, day));
  }

  private static Instant received(Message message) throws MessagingException {
    Date received = message.getReceivedDate();
    return received == null ? Instant.EPOCH : received.toInstant();
  }

  private void take(Message message, Instant received, String cursor, InboundSink inlet)
      throws MessagingException, IOException {
    MimeMessage mail = fetch(message);
    if (mail == null || EmailInbound.isFrom(self.from(), mail)) {
      inlet.take(List.of(), List.of(), cursor);
      return;
    }
    DeliveryReport report = Bounce.read(mail, self.domain(), received);
    if (report != null) {
      inlet.take(List.of(), List.of(report), cursor);
      return;
    }
    MailThread thread = EmailInbound.thread(mail);
    inlet.take(
        List.of(EmailInbound.of(mail, cursor)),
        List.of(),
        cursor,
        thread == null ? List.of() : List.of(thread.kept(received)));
  }

  /** The mail, or only its head if it is too large; null if it was deleted meanwhile. */
  private @Nullable MimeMessage fetch(Message message) throws MessagingException, IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      if (message.getSize() <= largest) {
        message.writeTo(bytes);
      } else {
        for (String line : Collections.list(((MimeMessage) message).getAllHeaderLines())) {
          bytes.writeBytes((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        }
      }
    } catch (MessageRemovedException _) {
      return null;
    }
    return new MimeMessage(session, new ByteArrayInputStream(bytes.toByteArray()));
  }

  /** Waits until the server tells something, but not for long: whoever says nothing may be gone. */
  private boolean idle(IMAPFolder folder) throws MessagingException {
    CountDownLatch over = new CountDownLatch(1);
    Thread.ofVirtual().name("postrider-imap-idle").start(() -> end(folder, over));
    try {
      folder.idle(true);
    } finally {
      over.countDown();
    }
    return !Thread.currentThread().isInterrupted();
  }

  /** Again and again: what comes before IDLE has begun ends nothing. */
  private void end(IMAPFolder folder, CountDownLatch over) {
    try {
      while (!over.await(poll.toMillis(), TimeUnit.MILLISECONDS)) {
        wake(folder);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** For what the server tells before it begins to wait: the library takes that for old news. */
  private static MessageCountListener waker(IMAPFolder folder) {
    return new MessageCountAdapter() {
      @Override
      public void messagesAdded(MessageCountEvent event) {
        wake(folder);
      }
    };
  }

  /** Ends IDLE, as any command does. */
  private static void wake(IMAPFolder folder) {
    try {
      folder.doCommand(
          protocol -> {
            protocol.noop();
            return true;
          });
    } catch (MessagingException | IllegalStateException _) {
      // Whoever waits in IDLE notices too.
    }
  }
}
