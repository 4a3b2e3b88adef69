package dev.postrider.channels.zalo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The single-use refresh token of an Official Account, from its first day to its end. */
class OaLoginTest {
  private static final String PERSON = "2512523625412515";

  private final FakeZalo zalo = new FakeZalo();
  private final StillTime time = new StillTime();
  private final TestMemory memory = new TestMemory(time);
  private final List<Link> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(Link::close);
    zalo.close();
  }

  private TestAccount account(AccountConfig config) {
    return new TestAccount(config, time, new ArrayList<>(), memory);
  }

  private Link start(AccountConfig config) {
    Link link = new ZaloChannel().open(account(config));
    open.add(link);
    return link;
  }

  private Outcome send(Link link) throws Exception {
    return link.send(account(zalo.oa()).part(PERSON, "x"));
  }

  private String stored() {
    return memory.read(null, "oauth").orElse("");
  }

  private List<String> refreshesUsed() {
    return zalo.oauth.requests().stream()
        .map(Request::text)
        .map(text -> text.replaceAll(".*(?:^|&)refresh_token=([^&]*).*", "$1"))
        .toList();
  }

  @Test
  void the_first_token_comes_of_the_configured_refresh_token_and_the_next_one_is_stored()
      throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1));
    zalo.api.answer(FakeZalo.sent("m"));
    assertThat(send(start(zalo.oa()))).isInstanceOf(Outcome.Delivered.class);

    Request asked = zalo.oauth.onlyRequest();
    assertThat(asked.path()).isEqualTo("/v4/oa/access_token");
    assertThat(asked.headers())
        .containsEntry("secret_key", "app-secret-1")
        .containsEntry("content-type", "application/x-www-form-urlencoded");
    assertThat(asked.text().split("&"))
        .containsExactlyInAnyOrder(
            "refresh_token=refresh-0", "app_id=" + FakeZalo.APP, "grant_type=refresh_token");
    assertThat(stored()).contains("refresh-token-1").doesNotContain("refresh-0");
  }

  @Test
  void a_restart_goes_on_with_what_is_stored() throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1), FakeZalo.tokens(2));
    zalo.api.answer(FakeZalo.sent("1"), FakeZalo.sent("2"), FakeZalo.sent("3"));
    send(start(zalo.oa()));
    send(start(zalo.oa()));
    assertThat(zalo.oauth.requests()).hasSize(1);
    time.pass(Duration.ofHours(21));
    send(start(zalo.oa()));
    assertThat(refreshesUsed()).containsExactly("refresh-0", "refresh-token-1");
    assertThat(zalo.api.requests().getLast().headers())
        .containsEntry("access_token", "access-token-2");
  }

  @Test
  void the_next_refresh_token_is_stored_before_the_new_access_token_is_used() throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1));
    zalo.api.answer(new Reply.HangUp());
    assertThat(send(start(zalo.oa()))).isInstanceOf(Outcome.Unknown.class);
    assertThat(stored()).contains("refresh-token-1");
  }

  @Test
  void a_token_that_expires_between_two_messages_loses_and_charges_nothing() throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1), FakeZalo.tokens(2));
    zalo.api.answer(
        FakeZalo.sent("1"),
        FakeZalo.refused(-220, "access_token is expired or removed"),
        FakeZalo.sent("2"));
    Link link = start(zalo.oa());
    send(link);
    assertThat(send(link))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class, it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(1)));
    assertThat(send(link)).isEqualTo(Outcome.delivered("2"));
    assertThat(zalo.oauth.requests()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "-216, Access token is invalid",
    "-220, access_token is expired or removed",
    "-124, so",
    "-201, Invalid access token"
  })
  void a_token_is_refused_in_several_ways(int code, String text) throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1));
    zalo.api.answer(FakeZalo.refused(code, text));
    assertThat(send(start(zalo.oa())))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT,
                Duration.ofSeconds(1),
                code + " " + text + "; the access token is renewed"));
  }

  @Test
  void without_a_store_the_refresh_token_is_not_used_up_by_a_check() {
    Memory none =
        new Memory() {
          @Override
          public Optional<String> read(@Nullable String chat, String key) {
            throw new NotSentException("start the server");
          }

          @Override
          public void write(List<Remembered> all) {
            throw new NotSentException("start the server");
          }

          @Override
          public boolean replace(@Nullable String expected, Remembered by) {
            throw new NotSentException("start the server");
          }
        };
    try (Link link = new OaLink(Settings.of(zalo.oa()), time, none)) {
      assertThatThrownBy(link::probe).hasMessage("start the server");
    }
    assertThat(zalo.oauth.requests()).isEmpty();
  }

  @Test
  void many_threads_whose_token_is_refused_renew_it_once() throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1), FakeZalo.tokens(2));
    Settings settings = Settings.of(zalo.oa());
    try (HttpSender http = HttpSender.of(settings, OaLogin.secrets(settings))) {
      OaLogin login = new OaLogin(settings, time, memory, http);
      assertThat(atOnce(() -> value(login))).containsOnly("access-token-1");
      assertThat(atOnce(() -> login.refused("access-token-1", "-216")))
          .allMatch(it -> it instanceof Outcome.Throttled);
      assertThat(atOnce(() -> value(login))).containsOnly("access-token-2");
    }
    assertThat(zalo.oauth.requests()).hasSize(2);
  }

  private static String value(OaLogin login) {
    return ((TokenSource.Result.Good) login.token()).token().value();
  }

  private static <T> List<T> atOnce(Callable<T> task) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(Collections.nCopies(8, task))) {
        results.add(future.get());
      }
      return results;
    }
  }

  @Test
  void a_new_token_that_is_refused_too_breaks_the_account() throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1), FakeZalo.tokens(2));
    zalo.api.answer(
        FakeZalo.refused(-216, "Access token is invalid"),
        FakeZalo.refused(-216, "Access token is invalid"));
    Link link = start(zalo.oa());
    assertThat(send(link)).isInstanceOf(Outcome.Throttled.class);
    assertThat(send(link))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).contains("of a token that is new", "authorise the app"));
  }

  @Test
  void a_broken_chain_breaks_the_account_and_says_what_to_do() throws Exception {
    zalo.oauth.answer(invalid(), invalid());
    Link link = start(zalo.oa());
    assertThat(send(link))
        .isEqualTo(
            new Outcome.AccountBroken(
                "Zalo gives no access token: -14014 Invalid refresh token; authorise the app for"
                    + " the Official Account again, and put the new refresh token into"
                    + " refreshToken"));
    time.pass(Duration.ofMinutes(1));
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("authorise the app"));

    zalo.oauth.answer(FakeZalo.tokens(7));
    zalo.api.answer(FakeZalo.sent("m"));
    assertThat(send(start(zalo.oa().set("refreshToken", "authorised-again"))))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(refreshesUsed().getLast()).isEqualTo("authorised-again");
  }

  private static Reply.Answer invalid() {
    return Reply.json(
        200, "{\"error_name\":\"Invalid refresh token\",\"error_reason\":\"\",\"error\":-14014}");
  }

  @Test
  void an_answer_that_was_lost_is_named_when_the_refresh_token_is_not_taken_any_more()
      throws Exception {
    zalo.oauth.answer(new Reply.HangUp(), invalid());
    Link link = start(zalo.oa());
    assertThat(send(link)).isInstanceOf(Outcome.NotSent.class);
    String began = time.instant().toString();
    time.pass(Duration.ofSeconds(10));
    assertThat(send(link)).isInstanceOf(Outcome.Throttled.class);
    time.pass(Duration.ofMinutes(2));
    assertThat(send(link))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).contains("began at " + began + " was cut off"));
  }

  @Test
  void while_the_old_token_serves_a_check_says_that_the_next_one_does_not_come() throws Exception {
    zalo.oauth.answer(FakeZalo.tokens(1), invalid());
    zalo.api.answer(FakeZalo.sent("1"), FakeZalo.sent("2"));
    Link link = start(zalo.oa());
    send(link);
    time.pass(Duration.ofHours(21));
    assertThat(send(link)).isInstanceOf(Outcome.Delivered.class);
    zalo.api.answer(Reply.json(200, "{\"error\":0,\"data\":{\"name\":\"Shop\"}}"));
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Healthy.class,
            it ->
                assertThat(it.identity())
                    .startsWith("Shop, but not for long: Zalo gives no access token: -14014"));
  }

  @ParameterizedTest
  @CsvSource({
    "-14002, Invalid appId, account-broken, check appId",
    "-14004, Invalid secret key, account-broken, check appSecret",
    "-32, Your application reached limit call api, throttled, limit",
    "-14020, Expired refresh token, account-broken, authorise the app"
  })
  void whoever_gives_tokens_says_no(int code, String name, String label, String says)
      throws Exception {
    zalo.oauth.answer(Reply.json(200, Json.write(Map.of("error", code, "error_name", name))));
    Outcome outcome = send(start(zalo.oa()));
    assertThat(outcome.label()).isEqualTo(label);
    assertThat(outcome.toString()).contains(code + " " + name).contains(says);
  }

  @ParameterizedTest
  @CsvSource({"502, not-sent", "429, throttled", "404, account-broken", "302, account-broken"})
  void a_proxy_in_front_of_it_says_something(int status, String label) throws Exception {
    zalo.oauth.answer(Reply.html(status, "<h1>Oops</h1>"));
    assertThat(send(start(zalo.oa())).label()).isEqualTo(label);
    assertThat(zalo.api.requests()).isEmpty();
  }

  @Test
  void no_secret_is_in_any_outcome() throws Exception {
    zalo.oauth.answer(
        Reply.json(200, "{\"error\":-14014,\"error_name\":\"refresh-0 app-secret-1\"}"));
    assertThat(send(start(zalo.oa())).toString())
        .doesNotContain("refresh-0")
        .doesNotContain("app-secret-1");
    time.pass(Duration.ofMinutes(1));
    zalo.oauth.answer(FakeZalo.tokens(1));
    zalo.api.answer(FakeZalo.refused(-201, "header access-token-1 is odd"));
    assertThat(send(start(zalo.oa())).toString()).doesNotContain("access-token-1");
  }
}
