package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import jakarta.mail.Flags;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mailbox that is listened to. */
@VerifiedAgainst(value = "GreenMail 2.1.13", channels = "email")
class MailboxTest {
  private final GreenMail server =
      new GreenMail(
          new ServerSetup[] {ServerSetup.IMAP.dynamicPort(), ServerSetup.IMAPS.dynamicPort()});
  private GreenMailUser user;
  private AccountConfig config;
  private final RecordingSink sink = new RecordingSink();
  private @Nullable Thread listener;

  @BeforeEach
  void start() {
    server.start();
    user = server.setUser("shop@example.org", "shop", "secret");
    config =
        AccountConfig.of("mail", "email")
            .set("host", "127.0.0.1")
            .set("from", "shop@example.org")
            .set("username", "shop")
            .set("password", "secret")
            .set("imapHost", "127.0.0.1")
            .set("imapPort", server.getImap().getPort())
            .set("imapSecurity", "none")
            .set("poll", "2s") // news that the server forgets to tell
            .set("timeout", "30s");
  }

  @AfterEach
  void stop() throws Exception {
    hangUp();
    server.stop();
  }

  private void hangUp() throws InterruptedException {
    if (listener != null) {
      listener.interrupt();
      listener.join();
    }
  }

  /**
   * Listens as the engine does: again, when a connection was lost. A server that is slow enough may
   * leave the end of IDLE without an answer, which is found out by the time limit.
   */
  private void listen() {
    Link link = new EmailChannel().open(TestAccount.of(config));
    listener =
        Thread.startVirtualThread(
            () -> {
              boolean lost;
              do {
                try {
                  link.listen(sink);
                  lost = false;
                } catch (IOException e) {
                  lost = !Thread.currentThread().isInterrupted();
                } catch (Exception e) {
                  lost = false;
                }
              } while (lost);
            });
  }

  private CompletableFuture<Void> listenOnce() {
    Link link = new EmailChannel().open(TestAccount.of(config));
    CompletableFuture<Void> end = new CompletableFuture<>();
    listener =
        Thread.startVirtualThread(
            () -> {
              try {
                link.listen(sink);
                end.complete(null);
              } catch (Exception e) {
                end.completeExceptionally(e);
              }
            });
    return end;
  }

  private void deliver(String text) {
    deliver(text, "From: ann@example.net\nMessage-ID: <" + text + "@example.net>\n\n" + text);
  }

  private void deliver(String name, String mail) {
    try {
      user.deliver(parsed(mail));
    } catch (Exception e) {
      throw new AssertionError(name, e);
    }
  }

  private static MimeMessage mail(String text) throws MessagingException {
    return parsed("From: ann@example.net\nMessage-ID: <" + text + "@example.net>\n\n" + text);
  }

  private static MimeMessage parsed(String mail) throws MessagingException {
    return new MimeMessage(
        Session.getInstance(new Properties()),
        new ByteArrayInputStream(mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)));
  }

  private MailFolder inbox() {
    try {
      return server.getManagers().getImapHostManager().getInbox(user);
    } catch (FolderException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void what_comes_after_the_first_hello_is_heard_and_the_past_is_not() throws Exception {
    deliver("old");
    listen();
    RecordingSink.Taken start = sink.next();
    assertThat(start.arrivals()).isEmpty();
    assertThat(sink.connections).hasValue(1);
    deliver("one");
    deliver("two");
    assertThat(sink.text()).isEqualTo("one");
    RecordingSink.Taken two = sink.next();
    assertThat(two.arrivals())
        .singleElement()
        .satisfies(
            arrival -> {
              assertThat(arrival.platformId()).isEqualTo("<two@example.net>");
              assertThat(arrival.chat()).isEqualTo("ann@example.net");
            });
    assertThat(two.cursor()).matches(inbox().getUidValidity() + ":\\d+:\\d+");
    deliver("three");
    assertThat(sink.text()).isEqualTo("three");
  }

  @Test
  void what_came_while_nobody_listened_is_caught_up_with_once() throws Exception {
    listen();
    sink.next();
    deliver("one");
    assertThat(sink.text()).isEqualTo("one");
    hangUp();
    deliver("two");
    deliver("three");
    listen();
    assertThat(sink.text()).isEqualTo("two");
    assertThat(sink.text()).isEqualTo("three");
    hangUp();
    listen();
    deliver("four");
    assertThat(sink.text()).isEqualTo("four");
  }

  @Test
  void what_was_not_stored_is_handed_in_again() throws Exception {
    listen();
    sink.next();
    sink.away = true;
    deliver("one");
    listener.join(); // it threw: the engine would call again
    sink.away = false;
    listen();
    assertThat(sink.text()).isEqualTo("one");
  }

  private InboundFiles files() {
    return Objects.requireNonNull(new EmailChannel().inboundFiles(config, MediaSettings.DEFAULTS));
  }

  @Test
  void a_file_of_a_mail_is_read_from_the_mailbox() throws Exception {
    listen();
    sink.next();
    String mail =
        """
        From: ann@example.net
        Message-ID: <files@example.net>
        Subject: files
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: multipart/alternative; boundary=c

        --c
        Content-Type: text/plain

        hello
        --c
        Content-Type: application/pdf; name=a.pdf
        Content-Transfer-Encoding: base64

        JVBERi0xLjc=
        --c--
        --b
        Content-Type: text/csv; name=b.csv
        Content-Disposition: attachment

        1;2
        --b--
        """;
    user.deliver(
        new MimeMessage(
            Session.getInstance(new Properties()),
            new ByteArrayInputStream(mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8))));
    InboundMessage arrival = sink.next().arrivals().getFirst();

    assertThat(arrival.media()).hasSize(2);
    try (InboundFiles.Opened file = files().open(arrival, 0)) {
      assertThat(file.bytes()).hasContent("%PDF-1.7");
    }
    try (InboundFiles.Opened file = files().open(arrival, 1)) {
      assertThat(file.bytes()).hasContent("1;2");
    }
    assertThat(inbox().getMessages().getFirst().getFlags().contains(Flags.Flag.SEEN)).isFalse();

    inbox().deleteAllMessages();
    assertThatThrownBy(() -> files().open(arrival, 0))
        .isInstanceOfSatisfying(
            InboundFiles.Unavailable.class,
            e -> assertThat(e.why()).isEqualTo(InboundFiles.Unavailable.Why.GONE));
    config = config.set("imapPassword", "wr0ng-one");
    assertThatThrownBy(() -> files().open(arrival, 0))
        .isInstanceOfSatisfying(
            InboundFiles.Unavailable.class,
            e -> assertThat(e.why()).isEqualTo(InboundFiles.Unavailable.Why.REFUSED));
    config = config.set("imapPort", "1");
    assertThatThrownBy(() -> files().open(arrival, 0))
        .isInstanceOfSatisfying(
            InboundFiles.Unavailable.class,
            e -> assertThat(e.why()).isEqualTo(InboundFiles.Unavailable.Why.UNREACHABLE));
  }

  @Test
  void mails_stay_unread_in_the_mailbox() throws Exception {
    listen();
    sink.next();
    deliver("one");
    sink.next();
    assertThat(inbox().getMessages().getFirst().getFlags().contains(Flags.Flag.SEEN)).isFalse();
  }

  @Test
  void of_a_mailbox_that_was_made_anew_only_what_can_be_new_is_read() throws Exception {
    long now = Instant.now().getEpochSecond();
    inbox().appendMessage(mail("ancient"), new Flags(), Date.from(Instant.EPOCH));
    inbox().appendMessage(mail("new"), new Flags(), Date.from(Instant.ofEpochSecond(now)));
    inbox()
        .appendMessage(mail("old"), new Flags(), Date.from(Instant.ofEpochSecond(now - 900_000)));
    deliver("newer");
    sink.cursor = "1:4711:" + (now - 3_600);
    listen();
    assertThat(sink.text()).isEqualTo("new");
    hangUp();
    listen(); // where it was left, and no further back
    assertThat(sink.text()).isEqualTo("newer");
    assertThat(sink.cursor).startsWith(inbox().getUidValidity() + ":");
    deliver("newest");
    assertThat(sink.text()).isEqualTo("newest");
    assertThat(sink.taken).isEmpty();
  }

  @Test
  void what_an_answer_needs_is_remembered_with_the_mail() throws Exception {
    listen();
    sink.next();
    deliver(
        "one",
        "From: ann@example.net\nSubject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\nMessage-ID: <2@x>\n"
            + "In-Reply-To: <1@x>\n\none");
    sink.next();
    assertThat(sink.remembered).hasSize(1);
    TestMemory memory = new TestMemory(Instant::now);
    sink.remembered.forEach(memory::write);
    assertThat(MailThread.recall(memory, "<2@x>"))
        .isEqualTo(new MailThread("Grüße", List.of("<1@x>", "<2@x>")));
  }

  @Test
  void what_we_wrote_ourselves_is_not_taken_in() throws Exception {
    listen();
    sink.next();
    deliver("own", "From: The Shop <SHOP@example.org>\nMessage-ID: <own@x>\n\nown");
    assertThat(sink.next().arrivals()).isEmpty();
    deliver("other");
    assertThat(sink.text()).isEqualTo("other");
  }

  @Test
  void a_quiet_mailbox_is_looked_at_again_and_again_on_one_connection() throws Exception {
    config = config.set("poll", "50ms");
    CompletableFuture<Void> end = listenOnce();
    sink.next();
    for (int i = 0; i < 5; i++) {
      deliver("m" + i);
      assertThat(sink.text()).isEqualTo("m" + i);
    }
    assertThat(end).isNotDone();
  }

  @Test
  void a_server_that_tells_nothing_is_asked_again_and_again() throws Exception {
    try (ServerSocket front = withoutIdle()) {
      config = config.set("imapPort", front.getLocalPort());
      CompletableFuture<Void> end = listenOnce();
      sink.next();
      deliver("one");
      sink.rounds.release();
      assertThat(sink.text()).isEqualTo("one");
      hangUp();
      assertThat(end).isCompleted();
    }
  }

  /** The same server, but whoever asks it is not told that it can do IDLE. */
  private ServerSocket withoutIdle() throws IOException {
    ServerSocket front = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(
        () -> {
          try (Socket outside = front.accept();
              Socket inside = new Socket("127.0.0.1", server.getImap().getPort())) {
            Thread.startVirtualThread(() -> pass(outside, inside));
            pass(inside, outside);
          } catch (IOException _) {
            // One of them went away.
          }
        });
    return front;
  }

  private static void pass(Socket from, Socket to) {
    try {
      byte[] some = new byte[8_192];
      for (int n = from.getInputStream().read(some); n > 0; n = from.getInputStream().read(some)) {
        String text = new String(some, 0, n, StandardCharsets.ISO_8859_1).replace("IDLE", "XXXX");
        to.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException _) {
      // One of them went away.
    }
  }

  @Test
  void a_lost_connection_ends_the_listening_so_that_the_engine_begins_again() throws Exception {
    CompletableFuture<Void> end = listenOnce();
    sink.next();
    server.stop();
    assertThat(end).failsWithin(Duration.ofSeconds(30));
  }

  @Test
  void an_interrupted_listener_leaves() throws Exception {
    CompletableFuture<Void> end = listenOnce();
    sink.next();
    hangUp();
    assertThat(end).isDone();
  }

  @Test
  void a_bounce_is_a_report_and_nothing_else() throws Exception {
    listen();
    sink.next();
    String id = "<" + "0123456789abcdef".repeat(2) + "@example.org>";
    deliver(
        "bounce",
        """
        From: MAILER-DAEMON@mx.example.net
        Content-Type: multipart/report; report-type=delivery-status; boundary=r

        --r
        Content-Type: message/delivery-status

        Reporting-MTA: dns; mx.example.net

        Action: failed
        Status: 5.2.2
        --r
        Content-Type: text/rfc822-headers

        Message-ID: %s
        --r--
        """
            .formatted(id));
    RecordingSink.Taken bounce = sink.next();
    assertThat(bounce.arrivals()).isEmpty();
    assertThat(bounce.reports())
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.receipt()).isEqualTo(id);
              assertThat(report.state()).isEqualTo(DeliveryReport.State.FAILED);
              assertThat(report.detail()).isEqualTo("5.2.2");
            });
  }

  @Test
  void of_a_mail_that_is_too_large_only_the_head_is_read() throws Exception {
    config = config.set("inboundLimit", 500);
    listen();
    sink.next();
    deliver("large", "From: ann@example.net\nMessage-ID: <large@x>\n\n" + "x".repeat(1_000));
    InboundMessage arrival = sink.next().arrivals().getFirst();
    assertThat(arrival.platformId()).isEqualTo("<large@x>");
    assertThat(arrival.text()).isEmpty();
  }

  @Test
  void a_wrong_password_is_a_refusal_that_waits_for_a_person() {
    config = config.set("imapPassword", "wrong");
    assertThat(listenOnce())
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(ListeningRefused.class);
  }

  @Test
  void over_tls_a_certificate_nobody_vouches_for_is_not_accepted() {
    config = config.set("imapSecurity", "tls").set("imapPort", server.getImaps().getPort());
    assertThat(listenOnce()).failsWithin(Duration.ofSeconds(30));
    assertThat(sink.taken).isEmpty();
  }
}
