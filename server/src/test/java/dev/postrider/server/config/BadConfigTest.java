package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.config.EncryptionKeys;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BadConfigTest {

  @Test
  void aliases_that_would_fill_the_memory_and_endless_nesting_are_refused_in_one_sentence() {
    StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String before = "*a" + (i - 1);
      String all = String.join(", ", Collections.nCopies(4, before));
      laughs.append("a%d: &a%d [%s]\n".formatted(i, i, all));
    }
    assertThat(bad(laughs.toString(), Map.of()).getMessage())
        .contains("with its aliases written out it has more than 100000 values")
        .hasSizeLessThan(500);

    assertThat(bad("a: &a [*a, *a, *a]\n", Map.of()).getMessage()).hasSizeLessThan(500);

    String deep = "store: " + "[".repeat(100_000) + "]".repeat(100_000);
    assertThat(bad(deep, Map.of()).getMessage())
        .contains("line 1", "nested too deeply")
        .hasSizeLessThan(500);
  }

  @Test
  void one_message_lists_every_problem_with_its_line() {
    String yaml =
        """
        store: postgres
        http:
          prot: 8080
          port: eighty
        delivery:
          maxAttempts: 0
          backoff: []
          jitter: 1.5
          lateAction: delivr
          expireAfter: soon
        accounts:
          - id: tg
            channel: telegramm
          - id: tg
            channel: telegram
            tokn: x
        chanels: {}
        """;

    BadConfig bad = bad(yaml, Map.of());

    assertThat(bad.getMessage().lines())
        .first()
        .asString()
        .isEqualTo("The configuration has 13 problems:");
    assertThat(bad.getMessage())
        .contains("line 1: store must begin with sqlite: or jdbc:")
        .contains("line 3: http.prot is not known; did you mean 'port'?")
        .contains("line 4: http.port must be a whole number, not 'eighty'")
        .contains("line 6: delivery.maxAttempts must be at least 1, not 0")
        .contains("line 7: delivery.backoff needs at least one delay")
        .contains("line 8: delivery.jitter must be a fraction from 0 to below 1")
        .contains("line 9: delivery.lateAction must be one of deliver, fail")
        .contains("did you mean deliver?")
        .contains("line 10: delivery.expireAfter 'soon' is not a duration")
        .contains("line 13: accounts[0].channel 'telegramm' is not known; did you mean 'telegram'?")
        .contains("line 14: accounts[1].id 'tg' is already taken at postrider.yaml line 12")
        .contains("line 16: accounts[1].tokn is not known; did you mean 'token'?")
        .contains("line 14: accounts[1].token is missing: the bot's token from BotFather")
        .contains("line 17: chanels is not known; did you mean 'channels'?");
  }

  @Test
  void a_missing_variable_or_file_names_the_key() {
    String yaml =
        """
        accounts:
          - {id: a, channel: telegram, token: "${NOT_THERE}"}
          - {id: b, channel: telegram, token: "${file:/nowhere/token}"}
        """;

    assertThat(bad(yaml, Map.of()).getMessage())
        .contains(
            "line 2: accounts[0].token refers to the environment variable NOT_THERE,"
                + " which is not set")
        .contains(
            "line 3: accounts[1].token refers to the file /nowhere/token, which cannot be read");
  }

  @Test
  void wrong_shapes_are_said_in_words() {
    assertThat(bad("http: 8080", Map.of()).getMessage())
        .contains("line 1: http must hold keys: host");
    assertThat(bad("accounts: {id: a}", Map.of()).getMessage()).contains("accounts must be a list");
    assertThat(bad("store: [a]", Map.of()).getMessage()).contains("store must be one value");
    assertThat(bad("store: {a: b}", Map.of()).getMessage()).contains("store must be a value");
    assertThat(bad("- a", Map.of()).getMessage()).contains("line 1: is not a list of keys");
    assertThat(bad("a: b: c", Map.of()).getMessage()).contains("line 1: is not YAML");
    assertThat(bad("store: sqlite:a\nstore: sqlite:b", Map.of()).getMessage())
        .contains("line 2: store stands there twice");
    assertThat(bad("inbound: {pushTo: 'ftp://x'}", Map.of()).getMessage())
        .contains("inbound.pushTo must be an http:// or https:// address");
  }

  @Test
  void pushing_without_a_secret_or_with_a_wrong_one_is_refused_without_repeating_it() {
    assertThat(bad("inbound: {pushTo: 'http://127.0.0.1:9'}", Map.of()).getMessage())
        .contains("line 1: inbound.pushTo needs a pushSecret beside it", "openssl rand");
    assertThat(
            bad(
                    "accounts: [{id: a, channel: sandbox, inbound: {pushTo: 'https://x.org'}}]",
                    Map.of())
                .getMessage())
        .contains("accounts[0].inbound.pushTo needs a pushSecret beside it");
    assertThat(
            bad("inbound: {pushTo: 'https://x.org', pushSecret: hunter2}", Map.of()).getMessage())
        .contains("inbound.pushSecret is not whsec_ and then base64")
        .doesNotContain("hunter2");
    assertThat(
            bad("inbound: {pushTo: 'https://me:hunter2@x.org', pushSecret: whsec_MTIz}", Map.of())
                .getMessage())
        .contains("inbound.pushTo must not hold a name or password")
        .doesNotContain("hunter2");
  }

  @Test
  void a_session_that_would_mix_people_up_is_refused() {
    assertThat(bad("inbound: {session: '{acount}/{chat}'}", Map.of()).getMessage())
        .contains("line 1: inbound.session knows no {acount}; there are {account}, {chat}");
    assertThat(bad("inbound: {session: '{account}'}", Map.of()).getMessage())
        .contains("inbound.session needs {chat} or {sender}");
  }

  @Test
  void a_burst_without_a_limit_is_refused() {
    assertThat(
            bad("accounts: [{id: a, channel: sandbox, pace: {burst: 5}}]", Map.of()).getMessage())
        .contains("accounts[0].pace.burst needs a limit beside it");
  }

  @Test
  void what_a_channel_says_about_its_settings_is_passed_on() {
    assertThat(
            bad("accounts: [{id: a, channel: telegram, token: t, baseUrl: nonsense}]", Map.of())
                .getMessage())
        .contains("line 1: accounts[0]: baseUrl is not an address");
  }

  @Test
  void a_wrong_variable_is_named() {
    assertThat(bad("", Map.of("POSTRIDER_HTTP_PORT", "many")).getMessage())
        .contains("environment variable POSTRIDER_HTTP_PORT: http.port must be a whole number");
  }

  @Test
  void others_can_reach_the_server_only_with_tokens() {
    assertThat(bad("http: {host: 0.0.0.0}", Map.of()).getMessage())
        .contains("line 1: http.host is '0.0.0.0', which others can reach; give http.tokens");
    assertThat(
            ConfigFixture.read(
                    "http: {host: 0.0.0.0, tokens: [{name: ops, secret:"
                        + " s3cret-of-the-ops, role: admin}]}")
                .http()
                .tokens())
        .containsExactly(new Token("ops", "s3cret-of-the-ops", Set.of(Role.ADMIN)));
    assertThat(ConfigFixture.read("http: {host: '::1'}").http().loopback()).isTrue();
  }

  @Test
  void a_token_needs_a_name_a_secret_and_a_role_and_no_two_share_a_name() {
    assertThat(bad("http: {tokens: [{}]}", Map.of()).getMessage())
        .contains("http.tokens[0].name is missing")
        .contains("http.tokens[0].secret is missing")
        .contains("http.tokens[0].role is missing");
    assertThat(
            bad(
                    "http: {tokens: [{name: a, secret: 0123456789abcdef, role: send},"
                        + " {name: a, secret: fedcba9876543210, role: read}]}",
                    Map.of())
                .getMessage())
        .contains("http.tokens holds the name 'a' twice");
  }

  @Test
  void a_token_that_could_be_found_by_trying_is_refused_without_repeating_it() {
    for (String secret : List.of("hunter2", "hunter2hunter2!", "sha256:hunter2", "sha256:")) {
      assertThat(
              bad("http: {tokens: [{name: a, secret: '" + secret + "', role: send}]}", Map.of())
                  .getMessage())
          .contains("http.tokens[0].secret must ", "'postrider token' makes")
          .doesNotContain("hunter2");
    }
    ConfigFixture.read("http: {tokens: [{name: a, secret: hunter2hunter2!!, role: send}]}");
  }

  @Test
  void an_encryption_key_that_could_be_guessed_is_refused_without_repeating_it() {
    String good = EncryptionKeys.random();
    String equal = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE";
    for (String key :
        List.of("hunter2", "correct horse battery staple", "aHVudGVyMg", good + "AAAA", equal)) {
      assertThat(bad("storage: {encryptionKey: '" + key + "'}", Map.of()).getMessage())
          .contains("storage.encryptionKey ", "'postrider key' makes one")
          .doesNotContain(key);
    }
    assertThat(bad("storage: {encryptionKey: ''}", Map.of()).getMessage()).contains("blank");
    assertThat(bad("storage: {encryptionKey: [" + good + ", " + good + "]}", Map.of()))
        .hasMessageContaining("storage.encryptionKey has the same key twice");
    assertThat(bad("storage: {encryptionKey: [" + good + ", none]}", Map.of()))
        .hasMessageContaining("storage.encryptionKey must be a key");
    assertThat(bad("storage: {encryptionKey: none}", Map.of()))
        .hasMessageContaining("leave it out to encrypt nothing");
    assertThat(ConfigFixture.read("storage: {encryptionKey: " + good + "}").values())
        .noneMatch(shown -> shown.value().contains(good));
  }

  @Test
  void a_token_has_one_role_or_several() {
    String tokens = "http: {tokens: [{name: a, secret: 0123456789abcdef, role: %s}]}";
    assertThat(ConfigFixture.read(tokens.formatted("[send, read]")).http().tokens())
        .singleElement()
        .satisfies(
            token -> {
              assertThat(token.roles()).containsOnly(Role.SEND, Role.READ);
              assertThat(token.covers(Role.ADMIN)).isFalse();
            });
    assertThat(bad(tokens.formatted("[]"), Map.of()).getMessage())
        .contains("http.tokens[0].role must be send, read or admin");
    assertThat(bad(tokens.formatted("[send, reed]"), Map.of()).getMessage())
        .contains("http.tokens[0].role must be one of send, read, admin", "did you mean read?");
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    ConfigLoader loader = new ConfigLoader(ConfigFixture.CHANNELS, Map.of());

    assertThatThrownBy(() -> loader.load(Path.of("no-such.yaml"), List.of()))
        .isInstanceOf(BadConfig.class)
        .hasMessageContaining("no-such.yaml:")
        .hasMessageContaining("does not exist");
  }

  private static BadConfig bad(String yaml, Map<String, String> environment) {
    BadConfig bad =
        catchThrowableOfType(BadConfig.class, () -> ConfigFixture.read(yaml, environment));
    assertThat(bad).isNotNull();
    return bad;
  }
}
