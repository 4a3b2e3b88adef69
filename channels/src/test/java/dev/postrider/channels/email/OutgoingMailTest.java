package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.Format;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Letters as another mail server gets them. */
class OutgoingMailTest {
  private final GreenMail server = new GreenMail(ServerSetup.SMTP.dynamicPort());
  private TestAccount account;

  @BeforeEach
  void start() {
    server.start();
    server.setUser("shop", "secret"); // GreenMail offers AUTH and checks it
    account =
        TestAccount.of(
            AccountConfig.of("mail", "email")
                .set("host", "127.0.0.1")
                .set("port", server.getSmtp().getPort())
                .set("security", "none")
                .set("username", "shop")
                .set("password", "secret")
                .set("from", "Zoës Läden <shop@example.org>"));
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private MimeMessage sent(Dispatch part) throws Exception {
    try (Link link = new EmailChannel().open(account)) {
      assertThat(link.send(part)).isInstanceOf(Outcome.Delivered.class);
    }
    MimeMessage[] received = server.getReceivedMessages();
    return received[received.length - 1];
  }

  /** A message on the way it takes in the engine. */
  private Dispatch planned(Message.Builder builder, PartFile... files) {
    Message message = builder.build();
    new EmailChannel().check(message, null);
    Capabilities can = new EmailChannel().capabilities(account.config());
    Plan plan = Planner.plan(account.part("a@b.c", "x").id(), message, can, _ -> Optional.empty());
    return new Dispatch(plan.origin(), message, plan, 0, PartState.PENDING, List.of(files));
  }

  private static Message.Builder toAnn(String text) {
    return Message.to("mail", "ann@example.net").text(text);
  }

  private static byte[] bytes(MimeMessage mail) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    mail.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void markdown_arrives_as_text_and_as_html() throws Exception {
    MimeMessage mail = sent(planned(toAnn("**Grüße** & <Küsse> 🌍\n\n.\n\n.dot")));

    assertThat(mail.isMimeType("multipart/alternative")).isTrue();
    Multipart both = (Multipart) mail.getContent();
    assertThat(both.getBodyPart(0).isMimeType("text/plain")).isTrue();
    assertThat(both.getBodyPart(0).getContent().toString())
        .contains("Grüße & ")
        .contains("🌍")
        .contains("\n.dot")
        .doesNotContain("**");
    assertThat(both.getBodyPart(1).isMimeType("text/html")).isTrue();
    assertThat(both.getBodyPart(1).getContent().toString())
        .contains("<b>Grüße</b> &amp; ")
        .contains("🌍");
  }

  @Test
  void plain_text_arrives_as_text_alone() throws Exception {
    MimeMessage mail = sent(planned(toAnn("a *b* <c>\n.").format(Format.PLAIN)));
    assertThat(mail.isMimeType("text/plain")).isTrue();
    assertThat(mail.getContent().toString().stripTrailing()).isEqualTo("a *b* <c>\r\n.");
  }

  @Test
  void html_of_the_senders_own_comes_with_what_can_be_read_in_it() throws Exception {
    MimeMessage mail = sent(planned(toAnn("<h1>Hi</h1><p>you &amp; me</p>").format(Format.NATIVE)));
    Multipart both = (Multipart) mail.getContent();
    assertThat(both.getBodyPart(0).getContent().toString().strip()).isEqualTo("Hi\r\n\r\nyou & me");
    assertThat(both.getBodyPart(1).getContent().toString()).contains("<p>you &amp; me</p>");
    assertThat(mail.getSubject()).isEqualTo("Hi");
  }

  @Test
  void names_and_subjects_of_any_script_arrive() throws Exception {
    MimeMessage mail =
        sent(
            planned(
                Message.to("mail", "Zoë \"Z\" <zoe@bücher.example>")
                    .text("x")
                    .channelData(Map.of("subject", "Größe 🌍 ".repeat(12)))));
    assertThat(mail.getSubject()).isEqualTo("Größe 🌍 ".repeat(12).strip());
    InternetAddress from = (InternetAddress) mail.getFrom()[0];
    assertThat(from.getPersonal()).isEqualTo("Zoës Läden");
    InternetAddress to = (InternetAddress) mail.getAllRecipients()[0];
    assertThat(to.getAddress()).isEqualTo("zoe@xn--bcher-kva.example");
    assertThat(new String(bytes(mail), StandardCharsets.ISO_8859_1))
        .matches("(?s)\\p{ASCII}*"); // every header and body is encoded
  }

  @Test
  void the_subject_is_the_first_line_unless_something_else_is_wanted() throws Exception {
    assertThat(sent(planned(toAnn("\n\n# Your *order*\n\nis here"))).getSubject())
        .isEqualTo("Your order");
    account = TestAccount.of(account.config().set("subject", "[{account}] {line} for {to}"));
    assertThat(sent(planned(toAnn("hi"))).getSubject()).isEqualTo("[mail] hi for ann@example.net");
    account = TestAccount.of(account.config().set("subject", ""));
    assertThat(sent(planned(toAnn("hi"))).getSubject()).isEqualTo("(no subject)");
  }

  @Test
  void a_line_break_in_a_subject_or_filename_begins_no_header() throws Exception {
    Attachment file =
        new Attachment(
            "media:" + "a".repeat(64),
            MediaKind.DOCUMENT,
            "a\r\nX-Evil: 2\r\n.txt",
            "text/plain",
            1,
            false,
            false);
    MimeMessage mail =
        sent(
            planned(
                toAnn("x").channelData(Map.of("subject", "a\r\nBcc: eve@example.com\n\n<b>")),
                new PartFile(file, null, held("x"))));
    assertThat(mail.getSubject()).isEqualTo("a Bcc: eve@example.com <b>");
    assertThat(mail.getHeader("Bcc")).isNull();
    assertThat(new String(bytes(mail), StandardCharsets.ISO_8859_1))
        .doesNotContainPattern("(?m)^X-Evil");
    assertThat(server.getReceivedMessages()).hasSize(1);
  }

  @Test
  void no_line_is_longer_than_smtp_allows() throws Exception {
    MimeMessage mail =
        sent(
            planned(
                toAnn("**" + "x".repeat(5_000) + "** " + "ü".repeat(5_000))
                    .channelData(Map.of("subject", "y".repeat(5_000)))
                    .replyToId("<" + "r".repeat(390) + "@x>")
                    .threadId("<" + "t".repeat(390) + "@x>")));
    String raw = new String(bytes(mail), StandardCharsets.ISO_8859_1);
    assertThat(raw.lines().mapToInt(String::length).max().orElseThrow()).isLessThanOrEqualTo(998);
    assertThat(mail.getSubject()).hasSize(200);
    assertThat(((Multipart) mail.getContent()).getBodyPart(0).getContent().toString())
        .contains("x".repeat(5_000))
        .contains("ü".repeat(5_000));
  }

  @Test
  void a_reply_refers_to_what_it_answers_and_to_where_that_began() throws Exception {
    MimeMessage mail =
        sent(planned(toAnn("x").replyToId("<b@example.net>").threadId("a@example.net")));
    assertThat(mail.getHeader("In-Reply-To", null)).isEqualTo("<b@example.net>");
    assertThat(mail.getHeader("References", null).split("\\s+"))
        .containsExactly("<a@example.net>", "<b@example.net>");

    mail = sent(planned(toAnn("x").replyToId("<b@example.net>").threadId("<b@example.net>")));
    assertThat(mail.getHeader("References", null)).isEqualTo("<b@example.net>");

    mail = sent(planned(toAnn("x")));
    assertThat(mail.getHeader("References")).isNull();
  }

  private static PartFile.Bytes held(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    return new PartFile.Bytes() {
      @Override
      public long size() {
        return content.length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(content);
      }
    };
  }

  @Test
  void files_arrive_whole_with_their_names() throws Exception {
    String large = "bytes ".repeat(100_000);
    Attachment image =
        new Attachment("media:x", MediaKind.IMAGE, "größe 1.png", "image/png", 1, false, false);
    Attachment nameless =
        new Attachment("media:y", MediaKind.DOCUMENT, null, "application/pdf", 1, false, false);
    MimeMessage mail =
        sent(
            planned(
                toAnn("**see**"),
                new PartFile(image, null, held(large)),
                new PartFile(nameless, null, held("two"))));

    assertThat(mail.isMimeType("multipart/mixed")).isTrue();
    Multipart parts = (Multipart) mail.getContent();
    assertThat(parts.getCount()).isEqualTo(3);
    assertThat(parts.getBodyPart(0).isMimeType("multipart/alternative")).isTrue();
    Part first = parts.getBodyPart(1);
    assertThat(first.getDisposition()).isEqualTo(Part.ATTACHMENT);
    assertThat(MimeUtility.decodeText(first.getFileName())).isEqualTo("größe 1.png");
    assertThat(first.isMimeType("image/png")).isTrue();
    assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(large);
    assertThat(parts.getBodyPart(2).getFileName()).isEqualTo("document.pdf");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nobody",
        "a@b@c",
        "a@example.org, b@example.org",
        "a@example.org\r\nRCPT TO:<eve@example.com>",
        "a@example.org\n",
        "friends: a@example.org;",
        "grüße@example.org",
        "@example.org",
        "a@"
      })
  void what_is_not_one_mailbox_is_refused_before_it_is_accepted(String to) throws Exception {
    assertThatThrownBy(() -> new EmailChannel().canonical(account.config(), to))
        .isInstanceOf(InvalidInput.class);
    try (Link link = new EmailChannel().open(account)) {
      assertThat(link.send(account.part(to, "x"))).isInstanceOf(Outcome.Rejected.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a@example.org", "Ann B <a.b+c@example.org>"})
  void one_mailbox_is_enough(String to) {
    assertThatCode(() -> new EmailChannel().canonical(account.config(), to))
        .doesNotThrowAnyException();
  }

  @Test
  void ids_and_channel_data_that_no_mail_has_are_refused_before_they_are_accepted() {
    for (Message.Builder message :
        List.of(
            toAnn("x").replyToId("a b"),
            toAnn("x").threadId("<a>\r\nBcc: <eve@example.com>"),
            toAnn("x").channelData(Map.of("subjekt", "x")),
            toAnn("x").channelData(Map.of("subject", 7)),
            toAnn("x").channelData(Map.of("cc", "nobody")),
            toAnn("x").channelData(Map.of("bcc", List.of("ann@example.net", 7))),
            toAnn("x").channelData(Map.of("replyTo", "a@b.example\r\nX-Evil: 1")),
            toAnn("x").channelData(Map.of("listUnsubscribe", "http://example.org/stop")),
            toAnn("x").channelData(Map.of("listUnsubscribe", "https://example.org/> \r\nX: y")),
            toAnn("x").channelData(Map.of("autoSubmitted", "no")))) {
      assertThatThrownBy(() -> new EmailChannel().check(message.build(), null))
          .isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void copies_go_to_whom_the_message_names_and_blind_ones_are_seen_by_nobody() throws Exception {
    MimeMessage mail =
        sent(
            planned(
                toAnn("x")
                    .channelData(
                        Map.of(
                            "cc", List.of("Bob <bob@example.net>", "carl@example.net"),
                            "bcc", "dora@example.net",
                            "replyTo", "Desk <desk@example.org>"))));
    assertThat(mail.getHeader("Cc", null)).contains("bob@example.net", "carl@example.net");
    assertThat(mail.getHeader("Reply-To", null)).isEqualTo("Desk <desk@example.org>");
    assertThat(new String(bytes(mail), StandardCharsets.ISO_8859_1)).doesNotContain("dora");
    assertThat(server.getReceivedMessages()).hasSize(4);
  }

  @Test
  void answers_go_where_the_account_says() throws Exception {
    account = TestAccount.of(account.config().set("replyTo", "desk@example.org"));
    assertThat(sent(planned(toAnn("x"))).getHeader("Reply-To", null)).isEqualTo("desk@example.org");
  }

  @Test
  void mails_say_that_no_person_wrote_them_unless_one_did() throws Exception {
    assertThat(sent(planned(toAnn("x"))).getHeader("Auto-Submitted", null))
        .isEqualTo("auto-generated");
    assertThat(sent(planned(toAnn("x").replyToId("<a@b>"))).getHeader("Auto-Submitted", null))
        .isEqualTo("auto-replied");
    Dispatch byHand = planned(toAnn("x").channelData(Map.of("autoSubmitted", false)));
    assertThat(sent(byHand).getHeader("Auto-Submitted")).isNull();
    account = TestAccount.of(account.config().set("autoSubmitted", false));
    assertThat(sent(planned(toAnn("x"))).getHeader("Auto-Submitted")).isNull();
  }

  @Test
  void a_reader_is_told_how_to_hear_no_more() throws Exception {
    Map<String, Object> page = Map.of("listUnsubscribe", "https://example.org/stop?ann");
    MimeMessage mail = sent(planned(toAnn("x").channelData(page)));
    assertThat(mail.getHeader("List-Unsubscribe", null))
        .isEqualTo("<https://example.org/stop?ann>");
    assertThat(mail.getHeader("List-Unsubscribe-Post", null))
        .isEqualTo("List-Unsubscribe=One-Click");

    Map<String, Object> letter = Map.of("listUnsubscribe", "mailto:stop@example.org");
    mail = sent(planned(toAnn("x").channelData(letter)));
    assertThat(mail.getHeader("List-Unsubscribe-Post")).isNull();
  }

  @Test
  void an_answer_has_the_subject_of_what_it_answers_and_its_whole_thread() throws Exception {
    account
        .memory()
        .write(
            MailThread.of("<3@x>", "Your\r\n order", List.of("<1@x>", "<2@x>"))
                .kept(account.scheduler().instant()));

    MimeMessage mail = sent(planned(toAnn("It is here").replyToId("<3@x>")));

    assertThat(mail.getSubject()).isEqualTo("Re: Your order");
    assertThat(mail.getHeader("In-Reply-To", null)).isEqualTo("<3@x>");
    assertThat(mail.getHeader("References", null).split("\\s+"))
        .containsExactly("<1@x>", "<2@x>", "<3@x>");
    Dispatch named = planned(toAnn("x").replyToId("3@x").channelData(Map.of("subject", "Other")));
    assertThat(sent(named).getSubject()).isEqualTo("Other");
  }

  @Test
  void what_we_sent_can_be_answered_as_well() throws Exception {
    Dispatch first = planned(toAnn("Re: lunch").replyToId("<1@x>"));
    try (Link link = new EmailChannel().open(account)) {
      Outcome.Delivered sent = (Outcome.Delivered) link.send(first);
      sent.memory().forEach(account.memory()::write);
      MimeMessage mail = sent(planned(toAnn("And dinner").replyToId(sent.receipt().id())));
      assertThat(mail.getSubject()).isEqualTo("Re: lunch");
      assertThat(mail.getHeader("References", null).split("\\s+"))
          .containsExactly("<1@x>", sent.receipt().id());
    }
  }

  @Test
  void of_a_threadthread_the_beginning_and_the_end_are_named() {
    List<String> thread =
        java.util.stream.IntStream.range(0, 50).mapToObj(i -> "<" + i + "@x>").toList();
    assertThat(MailThread.of("<50@x>", "x", thread).references())
        .hasSize(20)
        .startsWith("<0@x>", "<32@x>")
        .endsWith("<49@x>", "<50@x>");
  }
}
