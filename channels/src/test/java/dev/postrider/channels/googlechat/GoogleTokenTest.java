package dev.postrider.channels.googlechat;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.testkit.platform.Reply;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** How an app gets its tokens, and what happens when they end. */
class GoogleTokenTest {
  private final FakeGoogle google = new FakeGoogle();
  private final TestAccount account = TestAccount.of(google.app());
  private final Link link = new GoogleChatChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    google.close();
  }

  private Outcome send() throws Exception {
    return link.send(account.part(FakeGoogle.SPACE, "hi"));
  }

  private List<String> shown() {
    return google.posts().stream().map(post -> post.headers().get("authorization")).toList();
  }

  @Test
  void a_token_is_asked_for_with_a_statement_that_the_key_has_signed() throws Exception {
    send();

    String form = google.login.onlyRequest().text();
    assertThat(URLDecoder.decode(form, StandardCharsets.UTF_8))
        .contains("grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer");
    String[] pieces = form.replaceFirst(".*assertion=([^&]*).*", "$1").split("\\.");
    JsonNode claims =
        Json.readObject(
            new String(Base64.getUrlDecoder().decode(pieces[1]), StandardCharsets.UTF_8));
    long now = account.scheduler().instant().getEpochSecond();
    assertThat(claims.toString())
        .isEqualTo(
            "{\"iss\":\"rider@postrider-test.iam.gserviceaccount.com\","
                + "\"scope\":\"https://www.googleapis.com/auth/chat.bot\","
                + "\"aud\":\""
                + google.login.baseUrl()
                + "/token\",\"iat\":"
                + now
                + ",\"exp\":"
                + (now + 3600)
                + "}");
    SignedJWT theirs = SignedJWT.parse(String.join(".", pieces));
    assertThat(theirs.verify(new RSASSAVerifier((RSAPublicKey) GoogleKeys.APP.getPublic())))
        .as("by another library")
        .isTrue();
  }

  @Test
  void a_token_that_ends_between_two_messages_is_renewed_and_nothing_is_charged() throws Exception {
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    account.scheduler().pass(Duration.ofHours(2));
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(shown()).containsExactly("Bearer ya29.token-1", "Bearer ya29.token-2");
  }

  @Test
  void many_threads_share_one_renewal() throws Exception {
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Outcome>> outcomes =
          IntStream.range(0, 20).mapToObj(_ -> many.submit(this::send)).toList();
      for (Future<Outcome> outcome : outcomes) {
        assertThat(outcome.get()).isInstanceOf(Outcome.Delivered.class);
      }
    }
    assertThat(google.tokensGiven()).isOne();
  }

  @Test
  void a_token_that_was_good_and_is_revoked_costs_nothing() throws Exception {
    send();
    google.chat.answer(FakeGoogle.error(401, "UNAUTHENTICATED", "invalid credentials"));
    assertThat(send())
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT,
                Duration.ofSeconds(1),
                "401 UNAUTHENTICATED: invalid credentials (a new token is got)"));
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(shown().getLast()).isEqualTo("Bearer ya29.token-2");
  }

  @Test
  void a_token_that_comes_back_in_an_answer_is_not_told() throws Exception {
    String quoting = "ya29.token-1 is not welcome";
    google.chat.answer(FakeGoogle.error(400, "INVALID_ARGUMENT", quoting));
    assertThat(send().toString()).contains("is not welcome").doesNotContain("ya29");
    google.chat.answer(FakeGoogle.error(400, "INVALID_ARGUMENT", quoting));
    assertThat(link.probe().toString()).contains("is not welcome").doesNotContain("ya29");
  }

  @Test
  void a_new_token_that_is_refused_means_that_the_account_is() throws Exception {
    google.chat.answer(FakeGoogle.error(401, "UNAUTHENTICATED", "invalid credentials"));
    assertThat(send())
        .isEqualTo(new Outcome.AccountBroken("401 UNAUTHENTICATED: invalid credentials"));
    assertThat(send()).as("with another token").isInstanceOf(Outcome.Delivered.class);
  }

  @ParameterizedTest
  @CsvSource({
    "invalid_grant, Invalid JWT Signature., make a new one",
    "invalid_grant, Invalid JWT: Token must be in a reasonable timeframe, clock",
    "invalid_grant, Invalid grant: account not found, was deleted",
    "unauthorized_client, No, no access token for rider@"
  })
  void a_key_that_is_refused_breaks_the_account_with_the_remedy(
      String error, String description, String remedy) throws Exception {
    google.login.answer(
        Reply.json(
            400, "{\"error\":\"%s\",\"error_description\":\"%s\"}".formatted(error, description)));
    assertThat(send())
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains(remedy));
    assertThat(google.chat.requests()).isEmpty();
  }

  @Test
  void a_token_server_that_fails_has_sent_nothing() throws Exception {
    google.login.answer(Reply.html(503, "<h1>Oops</h1>"));
    assertThat(send()).isInstanceOf(Outcome.NotSent.class);
    assertThat(send()).as("not asked again at once").isInstanceOf(Outcome.NotSent.class);
    assertThat(google.login.requests()).hasSize(1);
    account.scheduler().pass(Duration.ofSeconds(6));
    google.login.answer(new Reply.HangUp());
    assertThat(send()).isInstanceOf(Outcome.NotSent.class);
    account.scheduler().pass(Duration.ofSeconds(6));
    google.login.answer(Reply.json(429, "{}").header("Retry-After", "77"));
    assertThat(send())
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(77)));
    assertThat(google.chat.requests()).isEmpty();
  }

  @Test
  void a_token_server_that_cannot_be_reached_is_an_outage() throws Exception {
    TestAccount away = TestAccount.of(google.app().set("tokenUrl", "http://127.0.0.1:1/token"));
    try (Link other = new GoogleChatChannel().open(away)) {
      assertThat(other.send(away.part(FakeGoogle.SPACE, "hi")))
          .isInstanceOf(Outcome.Unreachable.class);
    }
  }
}
