package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.platform.FakeTelegram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a limit on requests that somebody else wrote. */
class RateLimiterTest {
  private static final int CHATS = 8;

  @TempDir Path dir;

  @Test
  void what_nginx_turns_away_waits_and_is_delivered_once_and_in_order() throws Exception {
    try (FakeTelegram telegram = FakeTelegram.start();
        Nginx nginx =
            new Nginx(
                dir,
                "limit_req_zone $server_port zone=bot:1m rate=10r/s; limit_req_status 429;",
                """
                limit_req zone=bot burst=2 nodelay;
                error_page 429 = @slower;
                proxy_pass %s; }
                location @slower {
                  default_type application/json;
                  add_header Retry-After 1 always;
                  return 429 '{"ok":false,"error_code":429,"description":"Too Many Requests:
                  retry after 1","parameters":{"retry_after":1}}';
                """
                    .formatted(telegram.baseUrl()));
        TestServer server =
            TestServer.start(
                dir,
                """
                accounts:
                  - { id: tg, channel: telegram, token: "1:a", baseUrl: "%s",
                      pace: { perSecond: 1000, concurrency: 8 } }
                """
                    .formatted(nginx.address()))) {
      for (int chat = 1; chat <= CHATS; chat++) {
        for (String text : List.of("first", "second")) {
          server.post(
              "/v1/messages",
              "{\"account\":\"tg\",\"to\":\"%d\",\"text\":\"%s\"}".formatted(chat, text));
        }
      }

      List<FakeTelegram.Delivery> arrived =
          telegram.awaitDeliveries(2 * CHATS, Duration.ofMinutes(5));

      assertThat(arrived).hasSize(2 * CHATS);
      IntStream.rangeClosed(1, CHATS)
          .forEach(
              chat ->
                  assertThat(arrived)
                      .filteredOn(each -> each.chat().equals("" + chat))
                      .extracting(FakeTelegram.Delivery::text)
                      .containsExactly("first", "second"));
      assertThat(server.get("/v1/stats").json().path("throttled").asLong()).isPositive();
      assertThat(server.get("/v1/stats").json().path("failed").asLong()).isZero();
    }
  }
}
