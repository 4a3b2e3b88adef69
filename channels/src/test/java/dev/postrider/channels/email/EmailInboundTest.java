package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mails as they come, and what is made of them. */
class EmailInboundTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String KEY = "0123456789abcdef0123456789abcdef";

  private static MimeMessage mail(String text) {
    try {
      return new MimeMessage(
          Session.getInstance(new Properties()),
          new ByteArrayInputStream(text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)));
    } catch (MessagingException e) {
      throw new AssertionError(e);
    }
  }

  private static InboundMessage read(String text) throws Exception {
    return EmailInbound.of(mail(text), "7:1");
  }

  @Test
  void a_mail_with_everything_is_heard_whole() throws Exception {
    InboundMessage arrival =
        read(
            """
            From: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.net>
            To: shop@example.org
            Subject: Re: order
            Date: Sun, 1 Mar 2026 12:00:00 +0100
            Message-ID: <3@example.net>
            In-Reply-To: <2@example.org>
            References: <1@example.net>
             <2@example.org>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=m

            --m
            Content-Type: multipart/alternative; boundary=a

            --a
            Content-Type: text/plain; charset=iso-8859-1
            Content-Transfer-Encoding: quoted-printable

            Gr=FC=DFe
            --a
            Content-Type: text/html; charset=utf-8

            <p>Grüße</p>
            --a--
            --m
            Content-Type: image/png; name="=?UTF-8?Q?gr=C3=B6=C3=9Fe.png?="
            Content-Disposition: attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.png
            Content-Transfer-Encoding: base64

            AAECAw==
            --m
            Content-Type: text/plain; name=notes.txt
            Content-Disposition: attachment; filename=notes.txt

            notes
            --m--
            """);
    assertThat(arrival)
        .usingRecursiveComparison()
        .ignoringFields("raw")
        .isEqualTo(
            new InboundMessage(
                "<3@example.net>",
                Kind.MESSAGE,
                "zoe@example.net",
                ChatKind.DM,
                new InboundMessage.Sender("zoe@example.net", "Zoë"),
                "Grüße",
                List.of(
                    new InboundMessage.File("image", "2", null, "größe.png", "image/png", 4L),
                    new InboundMessage.File("document", "3", null, "notes.txt", "text/plain", 5L)),
                "<3@example.net>",
                "<2@example.org>",
                "<1@example.net>",
                Instant.parse("2026-03-01T11:00:00Z"),
                Map.of()));
    assertThat(arrival.raw().get("headers").toString()).contains("Subject=[Re: order]");
    assertThat(arrival.raw().get("html")).isEqualTo("<p>Grüße</p>");
  }

  @Test
  void an_answer_goes_where_the_writer_wants_it() throws Exception {
    String head = "From: Ann <ann@example.net>\nMessage-ID: <1@example.net>\n";
    InboundMessage arrival = read(head + "Reply-To: Desk <desk@example.com>\n\nhello");
    assertThat(arrival.chat()).isEqualTo("desk@example.com");
    assertThat(arrival.sender().id()).isEqualTo("ann@example.net");
    assertThat(read(head + "Reply-To: a@example.com, b@example.com\n\nhello").chat())
        .as("no single chat")
        .isEqualTo("ann@example.net");
    assertThat(read(head + "Reply-To: \n\nhello").chat()).isEqualTo("ann@example.net");
  }

  @Test
  void html_alone_is_read_as_text() throws Exception {
    InboundMessage arrival =
        read(
            """
            From: a@example.net
            Content-Type: text/html

            <html><head><title>x</title><style>p{}</style></head>
            <body><p>Hello&nbsp;<b>you</b></p><p>1 &lt; 2 &#x1F30D;<br>bye</p></body></html>
            """);
    assertThat(arrival.text()).isEqualTo("Hello you\n\n1 < 2 🌍\nbye");
  }

  @ParameterizedTest
  @CsvSource({"auto-replied, OTHER", "auto-generated; type=x, OTHER", "no, MESSAGE", "No, MESSAGE"})
  void what_machines_answer_is_kept_apart(String auto, Kind kind) throws Exception {
    assertThat(read("From: a@b.example\nAuto-Submitted: " + auto + "\n\naway").kind())
        .isEqualTo(kind);
  }

  @Test
  void a_mail_without_an_id_is_known_by_its_place() throws Exception {
    InboundMessage arrival = read("From: a@b.example\n\nhi");
    assertThat(arrival.platformId()).isEqualTo("7:1");
    assertThat(arrival.messageId()).isNull();
    assertThat(arrival.threadId()).isNull();
  }

  @Test
  void a_reply_without_references_belongs_to_what_it_answers() throws Exception {
    assertThat(read("From: a@b.example\nIn-Reply-To: <1@x>\n\nhi").threadId()).isEqualTo("<1@x>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "no header at all",
        "From: \n\nx",
        "From: <<<>>>\nDate: never\n\nx",
        "From: a@b.example\nContent-Type: ;;;\n\nx",
        "From: a@b.example\nContent-Type: multipart/mixed\n\nno boundary",
        "From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\n",
        "From: a@b.example\nContent-Type: text/plain; charset=klingon\n\nx",
        "From: a@b.example\nContent-Transfer-Encoding: rot13\n\nx",
        "From: a@b.example\nContent-Transfer-Encoding: base64\n\n!!!",
        "From: a@b.example\nContent-Disposition: ;=;\n\nx",
        "Message-ID: no brackets\nReferences: <<>> <a> <\n\nx",
      })
  void nonsense_is_kept_as_far_as_it_goes(String text) throws Exception {
    InboundMessage arrival = read(text);
    assertThat(arrival.platformId()).isNotBlank();
    assertThat(arrival.raw()).containsKey("headers");
  }

  @ParameterizedTest
  @CsvSource({"10, end", "30,", "2000,"})
  void parts_in_parts_are_read_to_a_depth(int depth, String text) throws Exception {
    StringBuilder mail = new StringBuilder("From: a@b.example\n");
    for (int i = 0; i < depth; i++) {
      mail.append("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n".formatted(i, i));
    }
    assertThat(read(mail + "\nend").text()).isEqualTo(text);
  }

  // ---- bounces

  @Test
  void a_bounce_keeps_the_sentence_of_the_server_whole() {
    String said = "550 no; such user lives here";
    String mail =
        bounce("failed", "", "Message-ID: <" + KEY + "@example.org>")
            .replaceFirst("(?s)Diagnostic-Code:.*?\n(?=\\S|\n)", "Diagnostic-Code: " + said + "\n");
    assertThat(report(mail).detail()).contains(said);
  }

  @Test
  void of_several_recipients_the_one_that_failed_is_told() {
    String mail =
        bounce("failed", "", "Message-ID: <" + KEY + "@example.org>")
            .replace(
                "Action: failed",
                "Final-Recipient: rfc822; bob@example.net\nAction: relayed\nStatus: 2.0.0\n\n"
                    + "Action: failed");
    assertThat(report(mail).state()).isEqualTo(DeliveryReport.State.FAILED);
  }

  private static String bounce(String action, String envelope, String returned) {
    return """
        From: MAILER-DAEMON@mx.example.net
        Auto-Submitted: auto-replied
        Content-Type: multipart/report; report-type=delivery-status; boundary=r

        --r
        Content-Type: text/plain

        Sorry.
        --r
        Content-Type: message/delivery-status

        Reporting-MTA: dns; mx.example.net
        %s
        Final-Recipient: rfc822; ann@example.net
        Action: %s
        Status: 5.1.1
        Diagnostic-Code: smtp; 550 5.1.1
         no such user
        --r
        Content-Type: text/rfc822-headers

        %s
        --r--
        """
        .formatted(envelope.isEmpty() ? "" : envelope + "\n", action, returned);
  }

  private static DeliveryReport report(String text) {
    return Bounce.read(mail(text), "example.org", NOW);
  }

  private static final DeliveryReport FAILED =
      new DeliveryReport(
          "<" + KEY + "@example.org>",
          DeliveryReport.State.FAILED,
          NOW,
          "550 5.1.1 no such user",
          true);

  @Test
  void a_bounce_tells_which_letter_did_not_arrive_and_why() {
    assertThat(report(bounce("failed", "Original-Envelope-Id: " + KEY, "Subject: x")))
        .isEqualTo(FAILED);
    assertThat(report(bounce("failed", "", "Message-ID: <" + KEY + "@example.org>")))
        .isEqualTo(FAILED);
    assertThat(
            report("References: <" + KEY + "@example.org>\n" + bounce("Failed", "", "Subject: x")))
        .isEqualTo(FAILED);
  }

  @Test
  void the_headers_of_a_whole_returned_letter_do_too() {
    String whole =
        bounce("failed", "", "Message-ID: <" + KEY + "@example.org>\n\nhello")
            .replace("text/rfc822-headers", "message/rfc822");
    assertThat(report(whole)).isEqualTo(FAILED);
  }

  @Test
  void a_notice_that_is_not_marked_as_one_is_known_by_who_speaks() throws Exception {
    String unmarked =
        bounce("failed", "", "Message-ID: <" + KEY + "@example.org>")
            .replace("Auto-Submitted: auto-replied\n", "")
            .replace("multipart/report; report-type=delivery-status", "multipart/mixed");

    assertThat(report(unmarked)).isEqualTo(FAILED);
    assertThat(read(unmarked).kind()).isEqualTo(InboundMessage.Kind.OTHER);
    String forwarded = unmarked.replace("MAILER-DAEMON@mx", "ann@mx");
    assertThat(report(forwarded)).isNull();
    assertThat(read(forwarded).kind()).isEqualTo(InboundMessage.Kind.MESSAGE);
  }

  @Test
  void only_the_last_word_counts_and_only_on_our_letters() {
    String ours = "Message-ID: <" + KEY + "@example.org>";
    assertThat(report(bounce("delayed", "", ours))).isNull();
    assertThat(report(bounce("relayed", "", ours))).isNull();
    assertThat(report(bounce("delivered", "", ours)).state())
        .isEqualTo(DeliveryReport.State.DELIVERED);
    assertThat(report(bounce("failed", "", "Message-ID: <" + KEY + "@example.com>"))).isNull();
    assertThat(report(bounce("failed", "Original-Envelope-Id: QQ314159", "Subject: x"))).isNull();
    assertThat(report("From: a@b.example\n\n" + KEY)).isNull();
  }

  // ---- HTML

  @ParameterizedTest
  @CsvSource({
    "'1 < 2 > 0', '1 < 2 > 0'",
    "'<!-- <p>no</p> -->yes', 'yes'",
    "'<script>alert(1)</script>hi', 'hi'",
    "'<STYLE>x', ''",
    "'<p>a</p>  <p>b</p>', 'a\n\nb'",
    "'&amp;lt;', '&lt;'",
    "'&bogus; &#0; &#xD800; &#9999999;', '&bogus; &#0; &#xD800; &#9999999;'",
    "'<a href=\"x\">link</a', 'link'",
  })
  void html_says_what_can_be_read_in_it(String html, String text) {
    assertThat(HtmlText.of(html)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<style>", "</", "<!--", "<", "&#", " \n", "<p>", "<script></", "<a b='"})
  void hostile_html_takes_no_longer_than_other_html(String piece) {
    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> HtmlText.of(piece.repeat(300_000)));
  }
}
