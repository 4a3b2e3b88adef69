package dev.postrider.channels.msteams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BotTokenTest {
  private static final String CHAT = "19:general@thread.tacv2";

  private final FakeTeams teams = new FakeTeams();
  private final TestAccount account = TestAccount.of(teams.account());
  private final Link link = new TeamsChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    teams.close();
  }

  private static Reply refusal(int status, String error, String description) {
    return Reply.json(status, Json.write(Map.of("error", error, "error_description", description)));
  }

  private Outcome send() throws Exception {
    return link.send(account.part(CHAT, "hello"));
  }

  private List<String> shown() {
    return teams.posts().stream().map(post -> post.headers().get("authorization")).toList();
  }

  @Test
  void a_token_is_got_once_and_used_until_shortly_before_its_end() throws Exception {
    send();
    send();
    assertThat(teams.login.requests()).hasSize(1);
    Request asked = teams.login.onlyRequest();
    assertThat(asked.path()).isEqualTo("/" + FakeTeams.TENANT + "/oauth2/v2.0/token");
    assertThat(asked.text())
        .contains("grant_type=client_credentials")
        .contains("client_id=" + FakeTeams.APP)
        .contains("scope=https%3A%2F%2Fapi.botframework.com%2F.default");
    account.scheduler().pass(Duration.ofMinutes(56));
    send();
    assertThat(shown()).containsExactly("Bearer token-1", "Bearer token-1", "Bearer token-2");
  }

  @Test
  void a_bot_of_many_tenants_asks_the_bot_frameworks_own() throws Exception {
    AccountConfig config =
        AccountConfig.of("teams", "msteams")
            .set("appId", FakeTeams.APP)
            .set("appPassword", FakeTeams.PASSWORD)
            .set("baseUrl", teams.connector.baseUrl())
            .set("loginUrl", teams.login.baseUrl());
    TestAccount many = TestAccount.of(config);
    try (Link other = new TeamsChannel().open(many)) {
      other.send(many.part(CHAT, "hello"));
    }
    assertThat(teams.login.onlyRequest().path()).isEqualTo("/botframework.com/oauth2/v2.0/token");
  }

  @Test
  void a_token_that_ends_in_the_middle_of_a_run_is_renewed_once_for_all() throws Exception {
    send();
    account.scheduler().pass(Duration.ofHours(2));
    List<Callable<Outcome>> tasks =
        IntStream.range(0, 20)
            .<Callable<Outcome>>mapToObj(
                i -> () -> link.send(account.part("19:c" + i + "@thread.v2", "hello")))
            .toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Outcome> one : threads.invokeAll(tasks)) {
        assertThat(one.get()).isInstanceOf(Outcome.Delivered.class);
      }
    }
    assertThat(teams.login.requests()).hasSize(2);
    assertThat(shown()).filteredOn("Bearer token-2"::equals).hasSize(20);
  }

  @Test
  void a_token_that_is_refused_before_its_time_costs_no_attempt() throws Exception {
    send();
    teams.connector.answer(FakeTeams.error(401, "Unauthorized", "The token has been revoked"));
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
    assertThat(shown()).containsExactly("Bearer token-1", "Bearer token-1", "Bearer token-2");
  }

  @Test
  void a_bot_that_is_refused_with_a_new_token_too_is_broken_and_not_asked_for_ever()
      throws Exception {
    Reply refused = FakeTeams.error(401, "BotNotRegistered", "No registration found");
    teams.connector.answer(refused, refused);
    assertThat(send()).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(teams.posts()).hasSize(2);
  }

  @Test
  void a_token_that_comes_back_in_an_answer_is_not_told() throws Exception {
    teams.connector.answer(FakeTeams.error(400, "BadSyntax", "you sent Bearer token-1 to us"));
    assertThat(send().toString()).contains("BadSyntax").doesNotContain("token-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          invalid_client      | AADSTS7000215: Invalid client secret provided. | not its id
          invalid_client      | AADSTS7000222: The client secret keys are expired. | expired
          unauthorized_client | AADSTS700016: Application was not found. | check appId
          unauthorized_client | AADSTS700038: is not a valid application identifier. | check appId
          invalid_request     | AADSTS90002: Tenant 'x' not found. | tenantId is unknown
          invalid_request     | AADSTS900023: Tenant identifier is invalid. | tenantId is unknown
          invalid_request     | AADSTS900021: Identifier is not valid. | tenantId is unknown
          unauthorized_client | AADSTS7000112: Application is disabled. | enable it
          access_denied       | AADSTS53003: Blocked by Conditional Access. | Conditional Access
          invalid_resource    | AADSTS500011: The resource principal was not found. | Bot Framework
          invalid_client      | AADSTS7000218: The request body must contain a secret. | missing
          invalid_client      | AADSTS9999999: Something new. | Something new
          invalid_scope       | '' | invalid_scope
          """)
  void a_probe_says_what_is_wrong_with_the_registration(
      String error, String description, String remedy) throws Exception {
    teams.login.answer(refusal(400, error, description + " Trace ID: 1 Timestamp: 2"));
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class,
            it -> assertThat(it.cause()).contains(remedy).doesNotContain("Trace ID"));
  }

  @Test
  void a_probe_says_who_we_are() throws Exception {
    assertThat(link.probe())
        .isEqualTo(new Probe.Healthy("app " + FakeTeams.APP + " of tenant " + FakeTeams.TENANT));
    assertThat(teams.posts()).isEmpty();
  }

  @Test
  void a_secret_that_is_refused_breaks_the_account_and_nothing_is_sent() throws Exception {
    teams.login.answer(
        refusal(401, "invalid_client", "AADSTS7000215: wrong: " + FakeTeams.PASSWORD));
    Outcome outcome = send();
    assertThat(outcome).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(outcome.toString()).doesNotContain(FakeTeams.PASSWORD);
    assertThat(teams.posts()).isEmpty();
  }

  @Test
  void trouble_of_entra_id_is_an_outage_and_charges_nothing() throws Exception {
    teams.login.answer(Reply.html(503, "<h1>Oops</h1>").header("Retry-After", "9"));
    assertThat(send())
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class,
            it -> assertThat(it.notBefore()).isEqualTo(Duration.ofSeconds(9)));
    account.scheduler().pass(Duration.ofSeconds(6));
    teams.login.answer(new Reply.HangUp());
    assertThat(send()).isInstanceOf(Outcome.Unreachable.class);
    account.scheduler().pass(Duration.ofSeconds(6));
    teams.login.answer(refusal(400, "invalid_request", "AADSTS90033: A transient error."));
    assertThat(send()).isInstanceOf(Outcome.Unreachable.class);
    account.scheduler().pass(Duration.ofSeconds(6));
    teams.login.answer(refusal(429, "temporarily_unavailable", "AADSTS50196: a loop."));
    assertThat(send()).isInstanceOf(Outcome.Throttled.class);
    account.scheduler().pass(Duration.ofSeconds(6));
    assertThat(send()).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_bot_and_a_webhook_at_once_are_refused_and_neither_too() {
    AccountConfig both = teams.account().set("webhookUrl", "https://flows.example/x?sig=1");
    assertThatThrownBy(() -> new TeamsChannel().open(TestAccount.of(both)))
        .hasMessageContaining("both there")
        .hasMessageContaining("appId and appPassword")
        .hasMessageContaining("webhookUrl");
    AccountConfig neither = AccountConfig.of("teams", "msteams");
    assertThatThrownBy(() -> new TeamsChannel().open(TestAccount.of(neither)))
        .hasMessageContaining("both missing")
        .hasMessageContaining("appId and appPassword")
        .hasMessageContaining("webhookUrl");
    AccountConfig half = AccountConfig.of("teams", "msteams").set("appId", FakeTeams.APP);
    assertThatThrownBy(() -> new TeamsChannel().open(TestAccount.of(half)))
        .hasMessageContaining("appPassword is missing");
  }
}
