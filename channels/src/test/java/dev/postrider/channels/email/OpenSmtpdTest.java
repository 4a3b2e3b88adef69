package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.peers.DebianPeer;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a mail server that somebody else wrote: its own answers, and what it delivered. */
@VerifiedAgainst(value = "OpenSMTPD 6.8", channels = "email")
class OpenSmtpdTest {
  private static final int LOCAL = 60003; // as in its etc/passwd
  private static final int AWAY = 60004;

  private DebianPeer server;
  private TestAccount account;
  private Link link;

  @BeforeEach
  void start() throws Exception {
    server = DebianPeer.unpack("opensmtpd");
    server
        .folder("tmp", 0, 01777)
        .folder("var/run", 0, 0755)
        .folder("var/lib/opensmtpd/empty", 0, 0755)
        .folder("var/spool/smtpd", 0, 0711)
        .folder("home/local", LOCAL, 0700)
        .folder("home/away", AWAY, 01700) // sticky: "my mail is being rearranged, come back later"
        .start("220 mx.example.test ESMTP OpenSMTPD", "/usr/sbin/smtpd", "-d");
    account =
        TestAccount.of(
            AccountConfig.of("mail", "email")
                .set("host", "127.0.0.1")
                .set("port", server.port())
                .set("security", "none")
                .set("from", "Zoës Läden <shop@example.org>")
                .set("throttle", "7m")
                .set("timeout", "5m"));
    link = new EmailChannel().open(account);
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private Outcome sendTo(String address) throws Exception {
    return link.send(account.part(address, "hello"));
  }

  /** A message with a file, on the way it takes in the engine. */
  private Dispatch planned(Message.Builder builder, byte[] content) {
    Message message = builder.build();
    Capabilities can = new EmailChannel().capabilities(account.config());
    Plan plan = Planner.plan(account.part("a@b.c", "x").id(), message, can, _ -> Optional.empty());
    Attachment file =
        new Attachment(
            "media:x", MediaKind.IMAGE, "größe 1.png", "image/png", content.length, false, false);
    PartFile.Bytes bytes =
        new PartFile.Bytes() {
          @Override
          public long size() {
            return content.length;
          }

          @Override
          public InputStream open() {
            return new ByteArrayInputStream(content);
          }
        };
    return new Dispatch(
        plan.origin(),
        message,
        plan,
        0,
        PartState.PENDING,
        List.of(new PartFile(file, null, bytes)));
  }

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new Random(1).nextBytes(noise);
    return noise;
  }

  private List<Path> mails() throws Exception {
    Path maildir = server.path("home/local/Maildir/new");
    if (!Files.exists(maildir)) {
      return List.of();
    }
    try (Stream<Path> mails = Files.list(maildir)) {
      return mails.toList();
    }
  }

  /** The mail in the mailbox, where the server puts it after it has accepted it. */
  private MimeMessage arrived() throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (mails().isEmpty() && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertThat(mails()).hasSize(1);
    try (InputStream bytes = Files.newInputStream(mails().getFirst())) {
      return new MimeMessage(Session.getInstance(new Properties()), bytes);
    }
  }

  @Test
  void an_accepted_letter_arrives_whole() throws Exception {
    byte[] content = noise(30_000);
    Dispatch part =
        planned(
            Message.to("mail", "local@example.test")
                .text("**Grüße** & <Küsse> 🌍\n\n.\n\n.dot")
                .channelData(Map.of("subject", "Grüße 🌍")),
            content);
    String id = "<" + part.key() + "@example.org>";
    assertThat(((Outcome.Delivered) link.send(part)).receipt()).isEqualTo(new Receipt(id, true));

    MimeMessage mail = arrived();
    assertThat(mail.getMessageID()).isEqualTo(id);
    assertThat(mail.getHeader("Message-ID")).hasSize(1);
    assertThat(mail.getHeader("Received")[0]).contains("OpenSMTPD");
    assertThat(mail.getSubject()).isEqualTo("Grüße 🌍");
    assertThat(((InternetAddress) mail.getFrom()[0]).toUnicodeString())
        .contains("Zoës Läden", "<shop@example.org>");
    Multipart parts = (Multipart) mail.getContent();
    assertThat(parts.getCount()).isEqualTo(2);
    Multipart both = (Multipart) parts.getBodyPart(0).getContent();
    assertThat(both.getBodyPart(0).getContent().toString())
        .contains("Grüße & ", "🌍", "\n.dot")
        .doesNotContain("**");
    assertThat(both.getBodyPart(1).isMimeType("text/html")).isTrue();
    assertThat(both.getBodyPart(1).getContent().toString()).contains("<b>Grüße</b> &amp; ", "🌍");
    Part file = parts.getBodyPart(1);
    assertThat(MimeUtility.decodeText(file.getFileName())).isEqualTo("größe 1.png");
    assertThat(file.getInputStream().readAllBytes()).isEqualTo(content);
  }

  @Test
  void an_unknown_recipient_is_the_targets_fault_in_the_servers_own_words() throws Exception {
    assertThat(sendTo("nobody@example.test"))
        .isEqualTo(
            new Outcome.Rejected(Blame.TARGET, "550 Invalid recipient: <nobody@example.test>"));
    assertThat(sendTo("ann@elsewhere.test"))
        .isEqualTo(
            new Outcome.Rejected(Blame.TARGET, "550 Invalid recipient: <ann@elsewhere.test>"));
  }

  @Test
  void a_letter_above_the_servers_limit_is_the_messages_fault() throws Exception {
    Dispatch part = planned(Message.to("mail", "local@example.test").text("big"), noise(200_000));
    assertThat(link.send(part))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.MESSAGE,
                "554 5.3.4 Message too big for system: Transaction failed, message too big"));
    assertThat(sendTo("local@example.test")).isInstanceOf(Outcome.Delivered.class);
    assertThat(arrived().getSubject()).isEqualTo("hello");
  }

  @Test
  void a_mailbox_that_is_closed_for_now_is_not_sent_to() throws Exception {
    assertThat(sendTo("away@example.test"))
        .isEqualTo(
            new Outcome.NotSent("424 4.2.4 Mailing list expansion problem: <away@example.test>"));
  }

  @Test
  void a_mailbox_that_gets_too_much_is_paused_alone() throws Exception {
    assertThat(sendTo("busy@example.test"))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHAT,
                Duration.ofMinutes(7),
                "450 4.2.1 This mailbox gets mail too fast"));
  }

  @Test
  void a_server_that_offers_no_encryption_gets_no_letter_if_it_is_demanded() throws Exception {
    link = new EmailChannel().open(TestAccount.of(account.config().set("security", "starttls")));
    assertThat(sendTo("local@example.test")).isInstanceOf(Outcome.NotSent.class);
  }

  @Test
  void a_stopped_server_is_unreachable_and_nothing_is_sent() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("shop@example.org"));
    server.close();
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    assertThat(sendTo("local@example.test")).isInstanceOf(Outcome.Unreachable.class);
    assertThat(mails()).isEmpty();
  }
}
