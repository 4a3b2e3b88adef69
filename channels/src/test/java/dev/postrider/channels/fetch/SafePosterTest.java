package dev.postrider.channels.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.fetch.Stranger.Answer;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.Network;
import dev.postrider.media.Fetcher.Refused;
import dev.postrider.testkit.internal.net.FreePort;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SafePosterTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);

  /** Every name stands for this machine. */
  private static SafePoster poster(List<Network> allowed, Duration timeout) {
    return new SafePoster(
        allowed,
        timeout,
        Secrets.of("t0ken-in-path"),
        _ -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")},
        FetchRequest.TRUSTED_BY_THE_SYSTEM);
  }

  private static final List<Network> HERE = List.of(Network.parse("127.0.0.0/8"));

  private static String at(Stranger stranger) {
    return "http://hooks.example:" + stranger.port() + "/t0ken-in-path";
  }

  @Test
  void a_public_name_for_a_private_address_is_refused_and_never_connected_to() throws Exception {
    try (Stranger trap = new Stranger(Answer.ok("secret"))) {
      assertThatThrownBy(() -> poster(List.of(), LONG).postJson(at(trap), Map.of(), BODY))
          .isInstanceOf(Refused.class)
          .hasMessage(
              "hooks.example is at a private address, which is reached only if allowedNetworks has"
                  + " it");
      assertThat(trap.sawNobody()).isTrue();
    }
  }

  @Test
  void an_allowed_one_is_posted_to_under_its_name() throws Exception {
    try (Stranger stranger = new Stranger(Answer.ok("thanks, t0ken-in-path"))) {
      HttpResult result =
          poster(HERE, LONG).postJson(at(stranger), Map.of("webhook-id", "m"), BODY);
      assertThat(((HttpResult.Response) result).body()).isEqualTo("thanks, ***");
      assertThat(stranger.awaitRequest().head())
          .contains("POST /t0ken-in-path HTTP/1.1", "Host: hooks.example:" + stranger.port())
          .contains("webhook-id: m", "Content-Length: 2", "Connection: close");
    }
  }

  @Test
  void a_port_where_nobody_listens_was_not_reached_and_says_so() throws Exception {
    String closed = "http://hooks.example:" + FreePort.find() + "/t0ken-in-path";
    assertThat(poster(HERE, LONG).postJson(closed, Map.of(), BODY))
        .isEqualTo(
            new HttpResult.Unreachable("hooks.example cannot be reached: connection refused"));
  }

  @Test
  void the_deadline_cuts_what_is_not_answered_and_leaves_it_unknown() throws Exception {
    try (Stranger stranger = new Stranger((_, _) -> Thread.sleep(LONG))) {
      assertThat(poster(HERE, Duration.ofMillis(300)).postJson(at(stranger), Map.of(), BODY))
          .isEqualTo(
              new HttpResult.Unknown("hooks.example took longer than the 300 ms of timeout"));
    }
  }

  @Test
  void a_status_counts_even_if_its_body_never_ends() throws Exception {
    Answer endless =
        (_, out) -> {
          out.write("HTTP/1.1 403 No\r\n\r\n".getBytes(StandardCharsets.UTF_8));
          while (true) {
            out.write(new byte[8_192]);
          }
        };
    try (Stranger stranger = new Stranger(endless)) {
      HttpResult result = poster(HERE, LONG).postJson(at(stranger), Map.of(), BODY);
      assertThat(((HttpResult.Response) result).status()).isEqualTo(403);
    }
  }

  @Test
  void an_interrupted_post_is_unknown_and_the_interruption_stays_visible() throws Exception {
    try (Stranger stranger = new Stranger((_, _) -> Thread.sleep(LONG))) {
      CompletableFuture<HttpResult> result = new CompletableFuture<>();
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      Thread caller =
          Thread.startVirtualThread(
              () -> {
                try {
                  result.complete(poster(HERE, LONG).postJson(at(stranger), Map.of(), BODY));
                } catch (Refused e) {
                  result.completeExceptionally(e);
                }
                flag.complete(Thread.currentThread().isInterrupted());
              });
      stranger.awaitRequest();
      caller.interrupt();
      assertThat(result.get()).isInstanceOf(HttpResult.Unknown.class);
      assertThat(flag.get()).isTrue();
    }
  }
}
