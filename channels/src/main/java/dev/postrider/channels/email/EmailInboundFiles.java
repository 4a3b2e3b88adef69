package dev.postrider.channels.email;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.FolderNotFoundException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.search.MessageIDTerm;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Properties;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.jspecify.annotations.Nullable;

/** Reads parts of mails from where the mails lie, each over a connection of its own. */
record EmailInboundFiles(AccountConfig account) implements InboundFiles {

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    Settings settings = Settings.of(account);
    if (settings.text("imapHost", "").isEmpty()) {
      throw new Unavailable(Why.GONE, "the account has no mailbox (imapHost) any more");
    }
    Duration timeout = MailSession.positive(settings, "timeout", Duration.ofSeconds(60));
    InstantSource clock = InstantSource.system();
    TokenSource tokens = MailLogin.tokens(settings, clock, TokenSource.Store.inMemory());
    Mailbox mailbox =
        new Mailbox(
            settings,
            timeout,
            EmailLink.sender(settings),
            MailLogin.imap(settings, tokens),
            clock,
            new Properties());
    String place = String.valueOf(message.media().get(index).id());
    try {
      return open(mailbox.open(), message, place);
    } catch (AuthenticationFailedException e) {
      throw new Unavailable(Why.REFUSED, told(settings, e));
    } catch (FolderNotFoundException e) {
      throw new Unavailable(Why.GONE, told(settings, e));
    } catch (MessagingException e) {
      throw new Unavailable(Why.UNREACHABLE, told(settings, e));
    }
  }

  private static String told(Settings settings, MessagingException e) {
    String cause = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
    return Secrets.of(settings.text("password", ""), settings.text("imapPassword", ""))
        .scrub("the mailbox says: " + cause);
  }

  private static Opened open(Mailbox.Reading reading, InboundMessage message, String place)
      throws MessagingException, IOException {
    try {
      Message mail = find(reading.folder(), message);
      Part part = mail == null ? null : part(mail, place);
      if (part == null) {
        throw new Unavailable(Why.GONE, "the mail is not in the mailbox any more");
      }
      return new Opened(new Closing(part.getInputStream(), reading), -1);
    } catch (MessagingException | IOException | RuntimeException e) {
      reading.close();
      throw e;
    }
  }

  /** By its Message-ID; one without is known by where it lies, as long as that holds. */
  private static @Nullable Message find(IMAPFolder folder, InboundMessage message)
      throws MessagingException {
    String id = message.messageId();
    if (id != null) {
      Message[] found = folder.search(new MessageIDTerm(id));
      return found.length == 0 ? null : found[0];
    }
    String[] numbers = message.platformId().split(":");
    return numbers[0].equals(Long.toString(folder.getUIDValidity()))
        ? folder.getMessageByUID(Long.parseLong(numbers[1]))
        : null;
  }

  /** The part at a place as IMAP counts, such as 2.1; null if there is none. */
  private static @Nullable Part part(Part mail, String place)
      throws MessagingException, IOException {
    Part part = mail;
    if (!mail.isMimeType("multipart/*")) {
      return place.equals("1") ? mail : null;
    }
    for (String number : place.split("\\.")) {
      int n = number.matches("\\d{1,4}") ? Integer.parseInt(number) : 0;
      if (!(part.isMimeType("multipart/*")
          && part.getContent() instanceof Multipart all
          && n >= 1
          && n <= all.getCount())) {
        return null;
      }
      part = all.getBodyPart(n - 1);
    }
    return part;
  }

  /** Bytes that end the connection when they are closed. */
  private static final class Closing extends FilterInputStream {
    private final Mailbox.Reading reading;

    Closing(InputStream bytes, Mailbox.Reading reading) {
      super(bytes);
      this.reading = reading;
    }

    @Override
    public void close() {
      reading.close();
    }
  }
}
