package dev.postrider.channels.googlechat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.Settings;
import dev.postrider.channels.StillTime;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.security.KeyPair;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose events are believed. What they say is in {@link GoogleChatEventsTest}. */
class GoogleChatHookTest {
  private static final String CHAT = "chat@system.gserviceaccount.com";
  private static final String ADD_ON =
      "service-1234567890@gcp-sa-gsuiteaddons.iam.gserviceaccount.com";
  private static final String ENDPOINT = "https://postrider.example.org/hooks/gc";
  private static final String EVENT =
      """
      {"type":"MESSAGE","eventTime":"2026-03-01T11:00:00Z",
       "user":{"name":"users/1","type":"HUMAN"},"space":{"name":"spaces/A"},
       "message":{"name":"spaces/A/messages/B.B","text":"hi","sender":{"name":"users/1"}}}""";

  private final StillTime time = new StillTime();
  private final FakePlatform keys = FakePlatform.start();
  private final Hook byProject = hook("projectNumber", "1234567890");
  private final Hook byEndpoint = hook("endpointUrl", ENDPOINT);

  GoogleChatHookTest() {
    keys.otherwise(_ -> Reply.json(200, GoogleKeys.published(GoogleKeys.GOOGLE)));
  }

  @AfterEach
  void close() {
    keys.close();
  }

  private Hook hook(String... settings) {
    AccountConfig config =
        AccountConfig.of("gc", "googlechat").set("keysUrl", keys.baseUrl()).set("timeout", "5m");
    for (int i = 0; i < settings.length; i += 2) {
      config = config.set(settings[i], settings[i + 1]);
    }
    return new GoogleChatHook(Settings.of(config), time);
  }

  private Map<String, Object> claims(String issuer, String audience) {
    Map<String, Object> claims = new HashMap<>();
    claims.put("iss", issuer);
    claims.put("aud", audience);
    claims.put("iat", time.instant().getEpochSecond());
    claims.put("exp", time.instant().getEpochSecond() + 3600);
    return claims;
  }

  /** An identity token of Google's. */
  private Map<String, Object> identity(String email) {
    Map<String, Object> claims = claims("https://accounts.google.com", ENDPOINT);
    claims.put("email", email);
    claims.put("email_verified", true);
    return claims;
  }

  private Answer read(Hook hook, Map<String, ?> claims) {
    return read(hook, GoogleKeys.GOOGLE, claims);
  }

  private Answer read(Hook hook, KeyPair pair, Map<String, ?> claims) {
    return read(hook, Map.of("authorization", "Bearer " + GoogleKeys.token(pair, claims)), EVENT);
  }

  private Answer read(Hook hook, Map<String, String> headers, String body) {
    return hook.read(
        new Hook.Request("POST", headers, Map.of(), body.getBytes(UTF_8), time.instant()));
  }

  private static void assertForged(Answer answer, String why) {
    assertThat(answer)
        .isInstanceOfSatisfying(Answer.Forged.class, it -> assertThat(it.cause()).contains(why));
  }

  @Test
  void chats_own_token_for_our_project_is_believed() {
    assertThat(read(byProject, claims(CHAT, "1234567890")))
        .isInstanceOfSatisfying(
            Answer.Genuine.class,
            it -> {
              assertThat(it.arrivals()).extracting(InboundMessage::text).containsExactly("hi");
              assertThat(new String(it.reply().body(), UTF_8)).isEqualTo("{}");
            });
    assertThat(keys.onlyRequest().path()).isEqualTo("/service_accounts/v1/jwk/" + CHAT);
  }

  @Test
  void an_identity_token_of_chats_for_our_address_is_believed() {
    assertThat(read(byEndpoint, identity(CHAT))).isInstanceOf(Answer.Genuine.class);
    assertThat(keys.onlyRequest().path()).isEqualTo("/oauth2/v3/certs");
  }

  @Test
  void the_token_of_an_add_on_is_believed_if_it_is_of_our_project() {
    Hook both = hook("endpointUrl", ENDPOINT, "projectNumber", "1234567890");
    assertThat(read(both, identity(ADD_ON))).isInstanceOf(Answer.Genuine.class);
    assertThat(read(both, claims(ADD_ON, "1234567890"))).isInstanceOf(Answer.Genuine.class);
    assertForged(read(both, identity(ADD_ON.replace('9', '8'))), "another account");
    assertForged(read(byEndpoint, identity(ADD_ON)), "another account");
  }

  @ParameterizedTest
  @CsvSource({
    "chat@system.gserviceaccount.com, 999, for somebody else",
    "mallory@evil.iam.gserviceaccount.com, 1234567890, issued by somebody else",
    "https://accounts.google.com, 1234567890, issued by somebody else"
  })
  void a_token_by_or_for_somebody_else_is_not(String issuer, String audience, String why) {
    assertForged(read(byProject, claims(issuer, audience)), why);
  }

  @Test
  void anybody_can_have_an_identity_token_for_our_address_and_is_not_believed() {
    assertForged(read(byEndpoint, identity("mallory@example.org")), "another account");
    Map<String, Object> unverified = identity(CHAT);
    unverified.put("email_verified", false);
    assertForged(read(byEndpoint, unverified), "another account");
    Map<String, Object> elsewhere = identity(CHAT);
    elsewhere.put("aud", "https://elsewhere.example/hooks/gc");
    assertForged(read(byEndpoint, elsewhere), "for somebody else");
    assertForged(read(byEndpoint, claims(CHAT, "1234567890")), "issued by somebody else");
  }

  @Test
  void what_is_forged_old_or_bare_is_refused() {
    assertForged(read(byProject, GoogleKeys.APP, claims(CHAT, "1234567890")), "signature is wrong");
    assertForged(read(byProject, Map.of(), EVENT), "no token");
    assertForged(read(byProject, Map.of("authorization", "Basic abc"), EVENT), "no token");
    assertForged(read(byProject, Map.of("authorization", "Bearer a.b.c"), EVENT), "somebody else");
    Map<String, Object> claims = claims(CHAT, "1234567890");
    time.pass(Duration.ofHours(2));
    assertForged(read(byProject, claims), "not good at this time");
  }

  @Test
  void an_event_that_is_played_back_is_known_by_its_name() {
    Map<String, Object> claims = claims(CHAT, "1234567890");
    List<String> names =
        List.of(read(byProject, claims), read(byProject, claims)).stream()
            .map(answer -> ((Answer.Genuine) answer).arrivals().getFirst().platformId())
            .distinct()
            .toList();
    assertThat(names).containsExactly("spaces/A/messages/B.B");
  }

  @Test
  void keys_are_asked_for_once_and_not_for_every_event() {
    for (int i = 0; i < 5; i++) {
      read(byProject, claims(CHAT, "1234567890"));
    }
    assertThat(keys.requests()).hasSize(1);
  }

  @Test
  void while_google_does_not_tell_its_keys_nothing_is_believed_and_google_is_to_come_again() {
    keys.otherwise(_ -> Reply.html(503, "<h1>Oops</h1>"));
    assertThat(read(byProject, claims(CHAT, "1234567890"))).isInstanceOf(Answer.Unverified.class);
    keys.otherwise(_ -> Reply.json(200, GoogleKeys.published(GoogleKeys.GOOGLE)));
    time.pass(Duration.ofMinutes(2));
    assertThat(read(byProject, claims(CHAT, "1234567890"))).isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void what_is_signed_and_no_event_is_malformed() {
    String token =
        GoogleKeys.eventToken("1234567890", time.instant().plusSeconds(60).getEpochSecond());
    for (String body : List.of("", "[]", "{}", "{\"type\":\"MESSAGE\"}", "{\"chat\":{}}")) {
      assertThat(read(byProject, Map.of("authorization", "Bearer " + token), body))
          .as(body)
          .isInstanceOf(Answer.Malformed.class);
    }
  }

  @Test
  void without_a_word_about_the_audience_there_is_no_webhook() {
    GoogleChatChannel channel = new GoogleChatChannel();
    AccountConfig config = AccountConfig.of("gc", "googlechat");
    assertThat(channel.hook(config)).isNull();
    assertThat(channel.hook(config.set("projectNumber", "1"))).isNotNull();
    assertThat(channel.hook(config.set("endpointUrl", ENDPOINT))).isNotNull();
    assertThatThrownBy(() -> channel.hook(config.set("projectNumber", "my-project")))
        .hasMessageContaining("account gc: projectNumber is not a number");
  }
}
