package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.KillHarness;
import dev.postrider.testkit.internal.crash.KillHarness.Case;
import dev.postrider.testkit.internal.crash.KillHarness.Seen;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server is killed with SIGKILL while every account has a request with its platform, which has
 * read it and not answered: nothing is lost, nothing is out of order, and a repeat is either known
 * to the platform by its key or announced as a possible duplicate.
 */
class ChannelKillTest {
  private final Map<String, Case> cases = new LinkedHashMap<>();
  private final Map<String, Function<Request, String>> keys = new LinkedHashMap<>();
  private final Set<String> forgetful = new HashSet<>();

  @TempDir Path folder;

  /** A platform that knows a repeat by what this finds in a request. */
  private void knowing(Function<Request, String> key, Case one) {
    cases.put(one.channel(), one);
    keys.put(one.channel(), key);
  }

  /** The same, for some seconds only: a slow machine may need more of them to start again. */
  private void knowingBriefly(Function<Request, String> key, Case one) {
    knowing(key, one);
    forgetful.add(one.channel());
  }

  /** A platform that takes a repeat for another message. */
  private void blind(Case one) {
    cases.put(one.channel(), one);
  }

  private static Function<Request, Reply> says(String json) {
    return _ -> Reply.json(200, json);
  }

  private void everyChannel() {
    blind(
        new Case(
            "telegram",
            "token: '1:a', baseUrl: '{base}'",
            "42",
            request -> request.path().endsWith("/sendMessage"),
            says("{\"ok\": true, \"result\": {\"message_id\": 7}}")));
    blind(
        new Case(
            "msteams",
            "appId: app, appPassword: s3cret, tenantId: t, baseUrl: '{base}', loginUrl: '{base}'",
            "a:ann",
            request -> request.path().endsWith("/activities"),
            says("{\"id\": \"1\", \"access_token\": \"t\", \"expires_in\": 3600}")));
    knowing(
        request -> String.valueOf(request.headers().get("x-line-retry-key")),
        new Case(
            "line",
            "token: abc, baseUrl: '{base}'",
            "U4af4980629000000000000000000abcd",
            request -> request.path().endsWith("/message/push"),
            says("{\"sentMessages\": [{\"id\": \"1\"}]}")));
    knowingBriefly( // by the text: what is the same as the message before is dropped
        request -> request.text().replaceAll(".*\"message\":\"([^\"]*).*", "$1"),
        new Case(
            "twitch",
            "clientId: c1, token: abcdef, baseUrl: '{base}', oauthUrl: '{base}'",
            "12826",
            request -> request.path().endsWith("/chat/messages"),
            says(
                "{\"client_id\": \"c1\", \"user_id\": \"7\", \"scopes\": [\"user:write:chat\"],"
                    + " \"data\": [{\"message_id\": \"m1\", \"is_sent\": true}]}")));
    knowing(
        request -> request.text().replaceFirst("(?s).*\"id\":\"(3EB0\\w+)\".*", "$1"),
        new Case(
            "whatsapp-web/waha",
            "apiKey: abcdef, baseUrl: '{base}', warmup: 0s, settle: 0s",
            "120363041234567890@g.us",
            request -> request.path().equals("/api/sendText"),
            request ->
                request.path().contains("/messages/")
                    ? Reply.json(404, "{\"message\": \"not found\"}")
                    : Reply.json(
                        request.path().equals("/api/sendText") ? 201 : 200,
                        "{\"status\": \"WORKING\", \"id\": \"true_1@g.us_"
                            + request.text().replaceFirst("(?s).*\"id\":\"(\\w+)\".*", "$1")
                            + "\"}")));
    blind(
        new Case(
            "whatsapp-web/gowa",
            "bridge: gowa, baseUrl: '{base}', warmup: 0s, settle: 0s",
            "120363041234567890@g.us",
            request -> request.path().equals("/send/message"),
            says(
                "{\"code\": \"SUCCESS\", \"results\": {\"is_connected\": true,"
                    + " \"is_logged_in\": true, \"data\": [], \"message_id\": \"3EB0\"}}")));
    AtomicInteger renewals = new AtomicInteger(); // each refresh token is good once
    blind(
        new Case(
            "zalo",
            "appId: '36', appSecret: abcdef, refreshToken: r0, baseUrl: '{base}',"
                + " oauthUrl: '{base}'",
            "2512523625412515",
            request -> request.path().endsWith("/oa/message/cs"),
            request ->
                Reply.json(
                    200,
                    !request.path().endsWith("/oa/access_token")
                        ? "{\"error\": 0, \"data\": {\"message_id\": \"1\"}}"
                        : renewals.getAndIncrement() == 0
                            ? "{\"access_token\": \"a1\", \"refresh_token\": \"r1\"}"
                            : "{\"error\": -14014, \"error_name\": \"Invalid refresh token\"}")));
    knowingBriefly(
        request -> request.text().replaceAll(".*pending_post_id\":\"(\\w+).*", "$1"),
        new Case(
            "mattermost",
            "token: abc123, baseUrl: '{base}'",
            "4xp9fdt5k3r9mybkdyrgi4ntnc",
            request -> request.path().endsWith("/posts"),
            says("{\"id\": \"1\", \"order\": [], \"posts\": {}}")));
    knowing(
        request -> request.text().replaceFirst("(?s).*\"uuid\":\"(\\w+)\".*", "$1"),
        new Case(
            "feishu",
            "appId: cli_1, appSecret: abcdef, baseUrl: '{base}'",
            "oc_1",
            request -> request.path().startsWith("/open-apis/im/v1/messages?"),
            says(
                "{\"code\": 0, \"tenant_access_token\": \"t-abcdef\", \"expire\": 7200,"
                    + " \"data\": {\"message_id\": \"om_1\"}}")));
    knowing(
        request -> request.path().replaceAll(".*/", ""),
        new Case(
            "matrix",
            "token: abc, baseUrl: '{base}', plainInEncryptedRooms: true",
            "!room:example.org",
            request -> request.path().contains("/send/m.room.message/"),
            says("{\"event_id\": \"$1\", \"user_id\": \"@bot:example.org\"}")));
    blind(
        new Case(
            "nextcloud-talk",
            "secret: a-secret-of-the-tests, baseUrl: '{base}'",
            "n3xtc10ud",
            request -> request.path().endsWith("/message"),
            _ -> Reply.json(201, "{\"ocs\": {\"meta\": {\"statuscode\": 201}, \"data\": null}}")));
    blind(
        new Case(
            "synology-chat",
            "token: a-token-of-the-tests, baseUrl: '{base}'",
            "4",
            request -> request.path().contains("method=chatbot"),
            says("{\"success\": true, \"data\": {}}")));
    knowing( // by its temporary id, and by looking for it: it is not there
        request -> request.text().replaceFirst("(?s).*\"tempGuid\":\"([\\w-]+)\".*", "$1"),
        new Case(
            "bluebubbles",
            "password: a-password, baseUrl: '{base}', service: iMessage, settle: 0s, poll: 0s",
            "+491701234567",
            request -> request.path().startsWith("/api/v1/message/text?"),
            request ->
                Reply.json(
                    200,
                    request.path().startsWith("/api/v1/message/query?")
                        ? "{\"status\": 200, \"data\": []}"
                        : "{\"status\": 200, \"data\": {\"guid\": \"G-1\", \"error\": 0}}")));
    blind(
        new Case(
            "signal",
            "number: '+4915112345678', baseUrl: '{base}'",
            "+491701234567",
            request -> request.path().endsWith("/api/v1/rpc"),
            says("{\"jsonrpc\": \"2.0\", \"id\": \"1\", \"result\": {\"timestamp\": 17}}")));
    knowing(
        request -> request.path().replaceFirst(".*[?&]messageId=([^&]*).*", "$1"),
        new Case(
            "googlechat",
            "serviceAccount: '" + googleKey() + "', baseUrl: '{base}', tokenUrl: '{base}/token'",
            "spaces/AAAAroom",
            request -> request.path().startsWith("/v1/spaces/AAAAroom/messages?"),
            request ->
                request.path().contains("/messages/client-")
                    ? Reply.json(404, "{\"error\": {\"code\": 404, \"status\": \"NOT_FOUND\"}}")
                    : Reply.json(
                        200,
                        "{\"name\": \"spaces/AAAAroom/messages/1\","
                            + " \"access_token\": \"abc\"}")));
  }

  /** The key file of a service account, in one line. */
  private static String googleKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return """
      {"type": "service_account", "client_email": "a@example.org", "private_key": "%s"}"""
          .formatted(
              Base64.getEncoder()
                  .encodeToString(generator.generateKeyPair().getPrivate().getEncoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_send_that_was_killed_in_the_middle_is_repeated_under_its_key_or_with_a_warning()
      throws Exception {
    everyChannel();

    Map<String, Seen> seen = new KillHarness(folder).run(List.copyOf(cases.values()));

    assertThat(seen).hasSameSizeAs(cases);
    seen.forEach(this::check);
  }

  private void check(String channel, Seen seen) {
    assertThat(List.of(seen.first(), seen.second()))
        .as(channel)
        .extracting(message -> message.path("status").asString(""))
        .containsOnly("delivered");
    assertThat(seen.sends())
        .as("%s: what the platform read", channel)
        .extracting(request -> request.text().contains("second") ? "second" : "first")
        .containsExactly("first", "first", "second");
    Function<Request, String> key = keys.get(channel);
    boolean known =
        key != null && key.apply(seen.sends().getFirst()).equals(key.apply(seen.sends().get(1)));
    assertThat(known).as("%s: the repeat has the key of the first", channel).isEqualTo(key != null);
    if (!forgetful.contains(channel)) {
      assertThat(seen.first().path("possibleDuplicate").asBoolean())
          .as("%s: announced as a possible duplicate", channel)
          .isEqualTo(key == null);
    }
    assertThat(seen.second().path("possibleDuplicate").asBoolean()).as(channel).isFalse();
  }
}
