package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.config.AccountConfig;
import dev.postrider.server.TlonShip;
import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Request;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * From an upload to a platform that takes addresses only and has fetched the file: it comes through
 * whatever stands before the server, without a token, and keeps what it got.
 */
class FilesByAddressTest {
  private static final byte[] PNG =
      HexFormat.of()
          .parseHex(
              "89504e470d0a1a0a0000000d494844520000000100000001080600000"
                  + "01f15c4890000000d49444154789c6360000002000001e221bc33"
                  + "0000000049454e44ae426082");

  /** What terminates TLS before the server, where a platform comes by nothing else. */
  private static final String SECURE = "https://postrider.example.org";

  private static final Pattern ADDRESS =
      Pattern.compile("https?://[^\\s\"]+/media/[0-9a-f]{64}\\?expires=\\d+&signature=[0-9a-f]+");

  private final HttpClient http = HttpClient.newHttpClient();
  private final FakePlatform front = FakePlatform.start();
  private final FakePlatform platform = FakePlatform.start();
  private final List<byte[]> fetched = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void stop() {
    front.close();
    platform.close();
  }

  /**
   * A channel whose platform takes addresses.
   *
   * @param settings of the account; {@code {base}} is the platform, {@code {ship}} one on Urbit
   * @param answer how the platform says that it took the message
   */
  private record Case(String channel, String settings, String to, String answer) {
    @Override
    public String toString() {
      return channel;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "googlechat",
            "webhookUrl: '{base}/v1/spaces/AAAAroom/messages?key=k&token=t'",
            "spaces/AAAAroom",
            "{\"name\": \"spaces/AAAAroom/messages/M1.M1\"}"),
        new Case(
            "msteams",
            "appId: app, appPassword: s3cret, tenantId: t, baseUrl: '{base}', loginUrl: '{base}'",
            "a:ann",
            "{\"id\": \"1\", \"access_token\": \"t\", \"expires_in\": 3600}"),
        new Case(
            "line",
            "token: abc, baseUrl: '{base}'",
            "U4af4980629000000000000000000abcd",
            "{\"sentMessages\": [{\"id\": \"1\"}]}"),
        new Case(
            "synology-chat",
            "token: a-token-of-the-tests, baseUrl: '{base}'",
            "4",
            "{\"success\": true, \"data\": {}}"),
        new Case("tlon", "code: lidlut-tabwed-pillex-ridrup, baseUrl: '{ship}'", "~zod", ""),
        new Case(
            "zalo",
            "token: '1:abc', baseUrl: '{base}'",
            "6ede9afa66b88fe6d6a9",
            "{\"ok\": true, \"result\": {\"message_id\": \"1\"}}"));
  }

  /** What stands before the server and is known to the world: passes on what is asked. */
  private dev.postrider.testkit.platform.Reply pass(Request request, String server) {
    HttpResponse<byte[]> answer = get(server + request.path());
    return new dev.postrider.testkit.platform.Reply.Answer(
        answer.statusCode(),
        Map.of("Content-Type", answer.headers().firstValue("Content-Type").orElse("")),
        answer.body(),
        Duration.ZERO,
        Duration.ZERO);
  }

  /** The platform: fetches what it is told of before it says that it has the message. */
  private dev.postrider.testkit.platform.Reply take(Request request, String answer) {
    boolean form = request.headers().getOrDefault("content-type", "").contains("urlencoded");
    fetch(form ? URLDecoder.decode(request.text(), StandardCharsets.UTF_8) : request.text());
    return dev.postrider.testkit.platform.Reply.json(200, answer);
  }

  private void fetch(String body) {
    Matcher address = ADDRESS.matcher(body.replace("\\/", "/").replace("\\u0026", "&"));
    if (address.find()) {
      HttpResponse<byte[]> file = get(address.group().replace(SECURE, front.baseUrl()));
      assertThat(file.statusCode()).isEqualTo(200);
      fetched.add(file.body());
    }
  }

  private HttpResponse<byte[]> get(String address) {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new AssertionError(address, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(address, e);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void the_platform_fetches_an_uploaded_file_by_the_address_it_is_given(Case one, @TempDir Path dir)
      throws IOException {
    platform.otherwise(request -> take(request, one.answer));
    try (TlonShip ship = new TlonShip(this::fetch).answering();
        TestServer server =
            TestServer.start(
                dir,
                """
            http: { publicUrl: "%s" }
            accounts: [ { id: chat, channel: %s, %s } ]
            """
                    .formatted(
                        one.channel.equals("line") ? SECURE : front.baseUrl(),
                        one.channel,
                        one.settings
                            .replace("{base}", platform.baseUrl())
                            .replace("{ship}", ship.url())))) {
      front.otherwise(request -> pass(request, server.address()));
      Reply held =
          server.send(
              server
                  .request("/v1/media", "Content-Type", "image/png")
                  .POST(BodyPublishers.ofByteArray(PNG)));
      Reply sent =
          server.post(
              "/v1/messages?wait=10s",
              """
              {"account":"chat","to":"%s","text":"Look","media":[{"id":"%s"%s}]}"""
                  .formatted(
                      one.to,
                      held.text("id"),
                      // Teams takes pictures as they are; of the rest it gets a link.
                      one.channel.equals("msteams") ? ",\"kind\":\"document\"" : ""));

      assertThat(sent.text("status")).as(sent.json().toString()).isEqualTo("delivered");
      assertThat(fetched).isNotEmpty().allSatisfy(file -> assertThat(file).isEqualTo(PNG));
    }
  }

  @Test
  void line_which_fetches_over_https_is_offered_no_other_address(@TempDir Path dir)
      throws IOException {
    Case line = cases().filter(one -> one.channel.equals("line")).findFirst().orElseThrow();
    try (TestServer server =
        TestServer.start(
            dir,
            "http: { publicUrl: '%s' }\naccounts: [ { id: chat, channel: line, %s } ]"
                .formatted(front.baseUrl(), line.settings.replace("{base}", platform.baseUrl())))) {
      Reply held =
          server.send(
              server
                  .request("/v1/media", "Content-Type", "image/png")
                  .POST(BodyPublishers.ofByteArray(PNG)));
      Reply sent =
          server.post(
              "/v1/messages",
              "{\"account\":\"chat\",\"to\":\"%s\",\"media\":[{\"id\":\"%s\"}]}"
                  .formatted(line.to, held.text("id")));

      assertThat(sent.status()).isEqualTo(422);
      assertThat(sent.json().toString()).contains("http.publicUrl is no https address");
      assertThat(platform.requests()).isEmpty();
    }
  }

  @Test
  void every_channel_that_takes_addresses_only_is_tried() {
    Stream<String> channels =
        ServiceLoader.load(Channel.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(FilesByAddressTest::takesAddresses)
            .map(Channel::name);
    assertThat(cases().map(Case::channel)).containsAll(channels.toList());
  }

  private static boolean takesAddresses(Channel channel) {
    AccountConfig account =
        AccountConfig.of("chat", channel.name())
            .set("token", "12:ab")
            .set("baseUrl", "https://example.org");
    Reuse reuse = channel.capabilities(account).media().reuse();
    return reuse == Reuse.BY_ADDRESS || reuse == Reuse.BY_SECURE_ADDRESS;
  }
}
