package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.DeafPort;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes of a letter, whatever the mail server does. */
class EmailLinkTest {
  private FakeSmtp server;
  private TestAccount account;
  private Link link;

  @BeforeEach
  void open() throws IOException {
    server = new FakeSmtp();
    open(
        AccountConfig.of("mail", "email")
            .set("host", "127.0.0.1")
            .set("port", server.port())
            .set("security", "none")
            .set("username", "shop")
            .set("password", "pa55word")
            .set("from", "Shop <shop@example.org>")
            .set("timeout", "5m"));
  }

  private void open(AccountConfig config) {
    account = TestAccount.of(config);
    link = new EmailChannel().open(account);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private Outcome send() throws Exception {
    return link.send(account.part("ann@example.net", "hello"));
  }

  private static Receipt receipt(Outcome outcome) {
    return ((Outcome.Delivered) outcome).receipt();
  }

  @Test
  void a_letter_is_accepted_and_its_receipt_is_its_message_id() throws Exception {
    Dispatch part = account.part("ann@example.net", "hello");
    String id = "<" + part.key() + "@example.org>";
    assertThat(receipt(link.send(part))).isEqualTo(new Receipt(id, true));
    assertThat(server.commands())
        .startsWith("EHLO example.org")
        .contains(
            "MAIL FROM:<shop@example.org> RET=HDRS ENVID=" + part.key(),
            "RCPT TO:<ann@example.net> NOTIFY=FAILURE");
    assertThat(server.letters()).hasSize(1);
    assertThat(server.letters().getFirst()).contains("Message-ID: " + id);
  }

  @Test
  void the_next_try_has_the_same_message_id() throws Exception {
    Dispatch part = account.part("ann@example.net", "hello");
    server.answer(".", "451 4.3.0 try again");
    assertThat(link.send(part)).isInstanceOf(Outcome.NotSent.class);
    server.answer(".", "250 ok");
    Outcome second = link.send(part);
    assertThat(receipt(second).id()).isEqualTo("<" + part.key() + "@example.org>");
  }

  @Test
  void a_server_that_cannot_notify_is_not_asked_to() throws Exception {
    server.answer("EHLO", "250 fake");
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(server.commands()).contains("MAIL FROM:<shop@example.org>");
  }

  @Test
  void a_server_that_does_not_know_ehlo_is_greeted_the_old_way() throws Exception {
    server.answer("EHLO", "502 5.5.1 what?");
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    server.hangUpAfter("HELO");
    assertThat(send()).isInstanceOf(Outcome.NotSent.class);
  }

  // ---- no verdict

  @ParameterizedTest
  @ValueSource(strings = {"HELLO", "EHLO", "AUTH", "MAIL", "RCPT", "DATA"})
  void whatever_ends_before_the_final_dot_is_not_sent(String verb) throws Exception {
    server.hangUpAfter(verb);
    Outcome outcome = send();
    assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
    assertThat(server.letters()).isEmpty();
  }

  @Test
  void a_connection_that_ends_after_the_final_dot_leaves_the_outcome_unknown() throws Exception {
    server.hangUpAfter(".");
    assertThat(send()).isInstanceOf(Outcome.Unknown.class);
    assertThat(server.letters()).hasSize(1);
    assertThat(link.reconcile(account.part("ann@example.net", "hello")))
        .isEqualTo(new Reconciliation.Inconclusive());
  }

  @Test
  void silence_after_the_final_dot_leaves_the_outcome_unknown() throws Exception {
    open(account.config().set("timeout", "3s").set("dotTimeout", "3s"));
    server.ignore(".");
    assertThat(send()).isInstanceOf(Outcome.Unknown.class);
    assertThat(server.letters()).hasSize(1);
  }

  @Test
  void the_time_for_the_final_dot_is_not_shorter_than_that_for_any_answer() {
    assertThatThrownBy(() -> open(account.config().set("timeout", "5m").set("dotTimeout", "600ms")))
        .hasMessageContaining("dotTimeout")
        .hasMessageContaining("timeout, which is PT5M");
  }

  @Test
  void a_server_that_thinks_long_about_a_whole_letter_is_waited_for() throws Exception {
    open(account.config().set("timeout", "3s"));
    server.stall(".", Duration.ofSeconds(4));
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(server.letters()).hasSize(1);
  }

  @Test
  void letters_are_tried_for_days_as_mail_servers_do() {
    DeliverySettings mail = new EmailChannel().delivery(DeliverySettings.DEFAULTS);
    assertThat(mail.expireAfter()).isEqualTo(Duration.ofDays(5));
    assertThat(mail.attemptTimeout()).isGreaterThan(Duration.ofMinutes(10));
    Duration tried = Duration.ZERO;
    for (int i = 0; i < mail.maxAttempts(); i++) {
      tried = tried.plus(mail.backoff().get(Math.min(i, mail.backoff().size() - 1)));
    }
    assertThat(tried).isGreaterThan(mail.expireAfter());
  }

  @Test
  void silence_before_it_is_not_sent() throws Exception {
    open(account.config().set("timeout", "3s"));
    server.ignore("RCPT");
    assertThat(send()).isInstanceOf(Outcome.NotSent.class);
  }

  @Test
  void an_answer_to_the_dot_that_breaks_off_is_no_answer() throws Exception {
    server.answer(".", "250-queued").hangUpAfter(".");
    assertThat(send()).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void a_server_that_refuses_and_hangs_up_has_refused_all_the_same() throws Exception {
    server.answer(".", "421 4.3.2 shutting down").hangUpAfter(".");
    assertThat(send()).isEqualTo(new Outcome.NotSent("421 4.3.2 shutting down"));
    server.answer("RCPT", "550 5.1.1 no such user").hangUpAfter("RCPT");
    assertThat(send()).isEqualTo(new Outcome.Rejected(Blame.TARGET, "550 5.1.1 no such user"));
  }

  @Test
  void an_interrupted_wait_for_the_verdict_is_unknown() throws Exception {
    server.ignore(".");
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    Thread caller =
        Thread.startVirtualThread(
            () -> {
              try {
                outcome.complete(send());
              } catch (Exception e) {
                outcome.completeExceptionally(e);
              }
            });
    while (server.letters().isEmpty()) {
      Thread.onSpinWait();
    }
    caller.interrupt();
    assertThat(outcome.get()).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void a_refused_connection_is_an_outage() throws Exception {
    try (DeafPort port = new DeafPort()) {
      open(account.config().set("port", port.number()));
      assertThat(send()).isInstanceOf(Outcome.Unreachable.class);
    }
  }

  @Test
  void a_server_without_the_demanded_security_gets_neither_password_nor_letter() throws Exception {
    open(account.config().set("security", "starttls"));
    assertThat(send()).isInstanceOf(Outcome.NotSent.class);
    assertThat(server.commands()).noneMatch(command -> command.startsWith("AUTH"));
    open(account.config().set("security", "tls"));
    assertThat(send()).isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void a_file_that_breaks_off_takes_the_letter_back() throws Exception {
    PartFile.Bytes torn =
        new PartFile.Bytes() {
          @Override
          public long size() {
            return 100;
          }

          @Override
          public InputStream open() {
            return new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("torn");
              }
            };
          }
        };
    Attachment file =
        new Attachment(
            "media:" + "a".repeat(64), MediaKind.IMAGE, null, "image/png", 100, false, false);
    Dispatch part =
        account.part("ann@example.net", "x").carrying(List.of(new PartFile(file, null, torn)));
    assertThat(link.send(part)).isInstanceOf(Outcome.NotSent.class);
    assertThat(server.letters()).isEmpty();
  }

  // ---- refusals

  @ParameterizedTest
  @CsvSource({
    "HELLO, 421 4.7.0 try later, throttled:ACCOUNT",
    "HELLO, 421 4.3.2 not now, not-sent",
    "HELLO, 554 5.7.1 blocked by our list, account-broken",
    "AUTH, 535 5.7.8 wrong password, account-broken",
    "AUTH, 534 5.7.9 use an app password, account-broken",
    "AUTH, 538 5.7.11 encrypt first, account-broken",
    "AUTH, 530 5.7.0 must issue STARTTLS, account-broken",
    "AUTH, 454 4.7.0 temporary failure, not-sent",
    "MAIL, 530 5.7.0 authentication required, account-broken",
    "MAIL, 553 5.7.1 sender not owned, account-broken",
    "MAIL, 550 5.1.8 sender has no domain, account-broken",
    "MAIL, 552 5.3.4 too big, MESSAGE",
    "MAIL, 452 4.3.1 no space, not-sent",
    "MAIL, 451 4.7.0 sending rate exceeded, throttled:ACCOUNT",
    "RCPT, 550 5.1.1 no such user, TARGET",
    "RCPT, 550 no such user, TARGET",
    "RCPT, 551 user not local, TARGET",
    "RCPT, 553 mailbox name not allowed, TARGET",
    "RCPT, 550 5.2.1 mailbox disabled, TARGET",
    "RCPT, 554 5.1.2 no such host, TARGET",
    "RCPT, 550 5.7.1 rejected by policy, MESSAGE",
    "RCPT, 552 5.2.2 mailbox full, TARGET",
    "RCPT, 554 transaction failed, TARGET",
    "RCPT, 524 5.2.4 mailing list expansion problem, TARGET",
    "RCPT, 552 5.3.4 too big for him, MESSAGE",
    "RCPT, 501 syntax, TARGET",
    "RCPT, 530 5.7.0 authentication required, account-broken",
    "RCPT, 450 4.2.1 receiving mail at a rate, throttled:CHAT",
    "RCPT, 450 4.2.0 mailbox busy, not-sent",
    "RCPT, 451 4.7.1 Greylisting in action, not-sent",
    "RCPT, 451 4.7.0 greylisted, not-sent",
    "RCPT, 450 4.7.0 too many recipients today, throttled:CHAT",
    "RCPT, 452 4.2.2 mailbox full, not-sent",
    "DATA, 554 5.5.1 no valid recipients, MESSAGE",
    "DATA, 451 4.3.0 local error, not-sent",
    "., 552 5.3.4 too big, MESSAGE",
    "., 554 5.7.1 spam, MESSAGE",
    "., 550 5.7.1 spam, MESSAGE",
    "., 550 5.1.1 no such user, TARGET",
    "., 550 5.7.8 who are you, account-broken",
    "., 451 4.7.1 slow down, throttled:ACCOUNT",
    "., 421 4.7.0 limit reached, throttled:ACCOUNT",
    "., 451 4.3.0 queue is full, not-sent",
    "., 432 4.7.12 change your password, not-sent",
  })
  void every_refusal_has_its_meaning(String verb, String answer, String meaning) throws Exception {
    server.answer(verb, answer);
    Outcome outcome = send();
    assertThat(label(outcome)).isEqualTo(meaning);
    assertThat(outcome.toString()).contains(answer);
  }

  private static String label(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Rejected(Blame blame, _) -> blame.name();
      case Outcome.Throttled(ThrottleScope scope, _, _) -> "throttled:" + scope;
      default -> outcome.label();
    };
  }

  @Test
  void a_copy_that_is_refused_is_not_blamed_on_the_chat() throws Exception {
    server.answer("RCPT", "550 5.1.1 no such user");
    Dispatch part =
        account.part(
            Message.to("mail", "ann@example.net")
                .text("x")
                .channelData(Map.of("cc", "bob@example.net")));
    assertThat(label(link.send(part))).isEqualTo("MESSAGE");
    assertThat(server.letters()).isEmpty();
  }

  @Test
  void the_pause_of_a_throttle_is_the_accounts() throws Exception {
    open(account.config().set("throttle", "7m"));
    server.answer("MAIL", "421 4.7.0 too many");
    assertThat(((Outcome.Throttled) send()).delay()).isEqualTo(Duration.ofMinutes(7));
  }

  @Test
  void after_a_refusal_the_next_letter_goes_out() throws Exception {
    server.answer("RCPT", "550 5.1.1 no such user");
    send();
    server.answer("RCPT", "250 ok");
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void the_password_is_in_no_outcome() throws Exception {
    server.answer("AUTH", "535 5.7.8 pa55word is wrong");
    assertThat(send().toString()).doesNotContain("pa55word");
    assertThat(link.probe().toString()).doesNotContain("pa55word");
  }

  // ---- probes and settings

  @Test
  void a_probe_says_hello_and_goodbye() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("shop@example.org"));
    assertThat(server.commands()).noneMatch(command -> command.startsWith("MAIL"));
    server.answer("AUTH", "535 5.7.8 no");
    assertThat(link.probe()).isEqualTo(new Probe.Broken("535 5.7.8 no"));
    server.answer("AUTH", "454 4.7.0 later");
    assertThat(link.probe()).isEqualTo(new Probe.Unreachable("454 4.7.0 later"));
    server.close();
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  @ParameterizedTest
  @CsvSource({
    "from, nobody, from is not an address such as Shop <shop@example.org>",
    "security, ssl, 'security is none of starttls, tls and none'",
    "domain, a b, domain is not a domain such as example.org",
    "port, 0, port is not a whole number above zero",
    "timeout, 0s, timeout must be longer than zero",
    "host, '', host is missing",
    "password, '', password is missing",
  })
  void a_wrong_setting_is_named(String key, String value, String complaint) {
    assertThatThrownBy(() -> open(account.config().set(key, value)))
        .hasMessage("account mail: " + complaint);
  }

  @Test
  void nobody_listens_without_a_mailbox() {
    assertThat(link.listens()).isFalse();
    open(account.config().set("imapHost", "127.0.0.1"));
    assertThat(link.listens()).isTrue();
  }
}
