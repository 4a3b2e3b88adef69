package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Accounts that log in with access tokens, as the large providers want it. */
class MailTokenTest {
  private final FakePlatform provider = FakePlatform.start();
  private FakeSmtp server;
  private TestAccount account;

  @BeforeEach
  void start() throws IOException {
    server = new FakeSmtp();
    server.answer("EHLO", "250-fake\r\n250-AUTH PLAIN LOGIN XOAUTH2\r\n250 DSN");
    account =
        TestAccount.of(
            AccountConfig.of("mail", "email")
                .set("host", "127.0.0.1")
                .set("port", server.port())
                .set("security", "none")
                .set("username", "shop@example.org")
                .set("from", "shop@example.org")
                .set("oauthTokenUrl", provider.baseUrl() + "/token")
                .set("oauthClientId", "app")
                .set("oauthClientSecret", "app-secret")
                .set("oauthRefreshToken", "refresh-1")
                .set("oauthScope", "https://mail.example/"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    provider.close();
  }

  private static Reply.Answer token(String value, String refresh) {
    return Reply.json(
        200,
        "{\"access_token\":\"%s\",\"expires_in\":3600,\"refresh_token\":\"%s\"}"
            .formatted(value, refresh));
  }

  private Outcome send() throws Exception {
    try (Link link = new EmailChannel().open(account)) {
      return link.send(account.part("ann@example.net", "hello"));
    }
  }

  /** The tokens that the mail server was shown, in order. */
  private List<String> shown() {
    return server.commands().stream()
        .filter(line -> line.startsWith("AUTH XOAUTH2 "))
        .map(line -> line.substring("AUTH XOAUTH2 ".length()))
        .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.US_ASCII))
        .map(
            text ->
                text.replaceAll(
                    "(?s)user=shop@example.org\u0001auth=Bearer (.*)\u0001\u0001", "$1"))
        .toList();
  }

  @Test
  void a_letter_goes_out_with_a_token_that_is_used_until_it_expires() throws Exception {
    provider.answer(token("access-1", "refresh-1"));
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(shown()).containsExactly("access-1", "access-1");
    assertThat(provider.onlyRequest().text())
        .contains(
            "grant_type=refresh_token",
            "refresh_token=refresh-1",
            "client_id=app",
            "client_secret=app-secret",
            "scope=https%3A%2F%2Fmail.example%2F");
  }

  @Test
  void a_refresh_token_that_is_replaced_is_known_after_a_restart() throws Exception {
    provider.answer(token("access-1", "refresh-2"));
    send();
    server.answer("AUTH", "535 5.7.8 revoked");
    provider.answer(token("access-2", "refresh-3"));
    assertThat(send()).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(shown()).containsExactly("access-1", "access-1", "access-2");
    assertThat(provider.requests().getLast().text()).contains("refresh_token=refresh-2");
  }

  @Test
  void an_application_can_log_in_by_itself() throws Exception {
    account = TestAccount.of(account.config().set("oauthRefreshToken", ""));
    provider.answer(Reply.json(200, "{\"access_token\":\"access-1\",\"expires_in\":3600}"));
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(provider.onlyRequest().text()).contains("grant_type=client_credentials");
  }

  @Test
  void consent_that_was_withdrawn_breaks_the_account_and_a_provider_that_fails_does_not()
      throws Exception {
    provider.answer(
        Reply.json(
            400, "{\"error\":\"invalid_grant\",\"error_description\":\"refresh-1 is over\"}"));
    Outcome broken = send();
    assertThat(broken).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(broken.toString()).contains("invalid_grant").doesNotContain("refresh-1");
    provider.answer(Reply.json(503, "{}"));
    assertThat(send()).isInstanceOf(Outcome.NotSent.class);
    assertThat(server.commands()).isEmpty();
  }

  @Test
  void a_probe_logs_in_and_sends_nothing() throws Exception {
    provider.answer(token("access-1", "refresh-1"));
    try (Link link = new EmailChannel().open(account)) {
      assertThat(link.probe()).isEqualTo(new Probe.Healthy("shop@example.org"));
    }
    assertThat(server.letters()).isEmpty();
  }
}
