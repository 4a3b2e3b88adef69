package dev.postrider.channels.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.DeafPort;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HttpSenderTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final String TOKEN = "123456:very-secret-token";

  private final FakePlatform platform = FakePlatform.start();
  private final List<AutoCloseable> open = new ArrayList<>(List.of(platform));

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private HttpSender sender(Duration connectTimeout, Duration timeout) {
    HttpSender sender = new HttpSender(connectTimeout, timeout, Secrets.of(TOKEN));
    open.add(sender);
    return sender;
  }

  private HttpResult post(Duration timeout) {
    return post(sender(LONG, timeout), platform.baseUrl());
  }

  private static HttpResult post(HttpSender sender, String base) {
    URI uri = URI.create(base + "/bot" + TOKEN + "/send");
    return sender.send(
        HttpCall.post(uri).header("X-Extra", "1").text("application/json", "{\"a\":\"ü\"}"));
  }

  @Test
  void an_answer_comes_back_with_status_headers_and_body() {
    platform.answer(Reply.json(418, "{\"tea\":true}").header("Retry-After", "2.5"));
    HttpResult.Response response = (HttpResult.Response) post(LONG);
    assertThat(response.status()).isEqualTo(418);
    assertThat(response.body()).isEqualTo("{\"tea\":true}");
    assertThat(response.retryAfter(Instant.EPOCH)).isEqualTo(Duration.ofMillis(2500));
    assertThat(platform.onlyRequest().text()).isEqualTo("{\"a\":\"ü\"}");
    assertThat(platform.onlyRequest().headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("x-extra", "1");
  }

  @Test
  void a_connection_is_used_again() {
    HttpSender sender = sender(LONG, LONG);
    post(sender, platform.baseUrl());
    post(sender, platform.baseUrl());
    assertThat(platform.requests()).extracting("connection").containsExactly(1L, 1L);
  }

  @Test
  void a_redirect_is_not_followed() {
    platform.answer(Reply.text(307, "text/plain", "").header("Location", platform.baseUrl()));
    assertThat(post(LONG)).isInstanceOf(HttpResult.Response.class);
    assertThat(platform.requests()).hasSize(1);
  }

  @Test
  void a_refused_connection_proves_that_nothing_was_sent() throws IOException {
    try (DeafPort port = new DeafPort()) {
      assertThat(post(sender(LONG, LONG), port.baseUrl()))
          .isInstanceOf(HttpResult.Unreachable.class);
    }
  }

  @Test
  void an_unknown_host_proves_that_nothing_was_sent() {
    assertThat(post(sender(LONG, LONG), "http://no-such-host.invalid"))
        .isInstanceOf(HttpResult.Unreachable.class);
  }

  @Test
  void a_failed_tls_handshake_proves_that_nothing_was_sent() {
    assertThat(post(sender(LONG, LONG), platform.baseUrl().replace("http:", "https:")))
        .isInstanceOf(HttpResult.Unreachable.class);
    assertThat(platform.requests()).isEmpty();
  }

  @Test
  void a_connection_that_does_not_come_about_in_time_proves_that_nothing_was_sent()
      throws IOException {
    String base = somebodyWhoDoesNotPickUp();
    assertThat(post(sender(SHORT, LONG), base)).isInstanceOf(HttpResult.Unreachable.class);
    assertThat(post(sender(LONG, SHORT), base)).isInstanceOf(HttpResult.NotSent.class);
  }

  /** A listener whose backlog is full, so that the next handshake is never answered. */
  private String somebodyWhoDoesNotPickUp() throws IOException {
    ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    open.add(listener);
    for (int i = 0; i < 100; i++) {
      Socket socket = new Socket();
      open.add(socket);
      try {
        socket.connect(new InetSocketAddress("127.0.0.1", listener.getLocalPort()), 100);
      } catch (SocketTimeoutException e) {
        return "http://127.0.0.1:" + listener.getLocalPort();
      }
    }
    throw new AssertionError("the backlog never filled up");
  }

  static List<Reply> repliesWithoutVerdict() {
    return List.of(new Reply.HangUp(), new Reply.Reset(), new Reply.Silence());
  }

  @ParameterizedTest
  @MethodSource("repliesWithoutVerdict")
  void a_request_that_went_out_and_got_no_answer_is_unknown(Reply reply) {
    HttpSender sender = sender(LONG, Duration.ofSeconds(1));
    assertThat(post(sender, platform.baseUrl())).isInstanceOf(HttpResult.Response.class);
    platform.answer(reply);
    assertThat(post(sender, platform.baseUrl())).isInstanceOf(HttpResult.Unknown.class);
    // The client must not have tried again behind our back.
    assertThat(platform.requests()).hasSize(2);
  }

  @Test
  void a_connection_cut_before_the_body_was_read_gets_no_verdict_and_no_second_try() {
    HttpSender sender = sender(LONG, LONG);
    post(sender, platform.baseUrl());
    platform.answer(new Reply.Slam());
    // Unknown as a rule; not sent if the cut came before the client had touched the body.
    assertThat(post(sender, platform.baseUrl()))
        .isInstanceOfAny(HttpResult.Unknown.class, HttpResult.NotSent.class);
    assertThat(platform.requests()).hasSize(1);
  }

  @Test
  void an_answer_later_than_the_timeout_is_unknown() {
    platform.answer(Reply.json(200, "{}").after(LONG));
    assertThat(post(Duration.ofSeconds(1))).isInstanceOf(HttpResult.Unknown.class);
  }

  @Test
  void a_connection_nobody_waits_for_any_more_is_closed() {
    platform.answer(new Reply.Silence());
    post(Duration.ofSeconds(1));
    assertThat(platform.awaitEndedConnections(1, LONG)).containsExactly(1L);
  }

  @Test
  void interruption_after_the_request_went_out_is_unknown_and_stays_visible() throws Exception {
    platform.answer(new Reply.Silence());
    HttpSender sender = sender(LONG, LONG);
    CompletableFuture<HttpResult> result = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread caller =
        Thread.startVirtualThread(
            () -> {
              result.complete(post(sender, platform.baseUrl()));
              flag.complete(Thread.currentThread().isInterrupted());
            });
    platform.awaitRequests(1, LONG);
    caller.interrupt();
    assertThat(result.get()).isInstanceOf(HttpResult.Unknown.class);
    assertThat(flag.get()).isTrue();
  }

  static List<Reply> unfinishedRefusals() {
    Reply.Answer refusal = Reply.json(403, "{\"ok\":false}".repeat(20));
    return List.of(
        new Reply.HalfAnswer(refusal), refusal.pausingMidBody(LONG), new Reply.EndlessBody(403));
  }

  @ParameterizedTest
  @MethodSource("unfinishedRefusals")
  void a_status_counts_even_if_its_body_is_cut_or_stalls_or_never_ends(Reply reply) {
    platform.answer(reply);
    HttpResult.Response response = (HttpResult.Response) post(Duration.ofSeconds(1));
    assertThat(response.status()).isEqualTo(403);
    assertThat(response.body()).isNotEmpty();
    assertThat(response.body().length()).isLessThanOrEqualTo(256 * 1024);
  }

  @Test
  void an_endless_body_is_cut_long_before_the_timeout() {
    platform.answer(new Reply.EndlessBody(200));
    assertThat(post(Duration.ofHours(1))).isInstanceOf(HttpResult.Response.class);
  }

  @Test
  void a_page_that_quotes_the_address_does_not_show_the_token() {
    platform.otherwise(request -> Reply.html(502, "<p>cannot reach " + request.path() + "</p>"));
    HttpResult.Response response = (HttpResult.Response) post(LONG);
    assertThat(response.body()).contains("/bot***/send").doesNotContain("very-secret-token");
    assertThat(response.excerpt()).isEqualTo("cannot reach /bot***/send");
  }

  @Test
  void a_page_that_quotes_what_a_request_showed_does_not_show_it() throws IOException {
    URI uri = URI.create(platform.baseUrl());
    List<HttpCall> calls =
        List.of(
            HttpCall.get(uri).bearer("token-of-an-hour"),
            HttpCall.get(uri).secret("X-Access", "token-of-an-hour").header("X-Extra", "1"));
    for (HttpCall call : calls) {
      Reply quoting = Reply.html(502, "<p>who shows token-of-an-hour is not let in</p>");
      platform.answer(quoting, quoting);
      assertThat(((HttpResult.Response) sender(LONG, LONG).send(call)).excerpt())
          .isEqualTo("who shows *** is not let in");
      assertThat(((FileAnswer.Other) sender(LONG, LONG).open(call, 1000)).response().excerpt())
          .isEqualTo("who shows *** is not let in");
    }
    assertThat(platform.requests().getFirst().headers())
        .containsEntry("authorization", "Bearer token-of-an-hour");
    assertThat(platform.requests().getLast().headers())
        .containsEntry("x-access", "token-of-an-hour")
        .containsEntry("x-extra", "1");
  }
}
