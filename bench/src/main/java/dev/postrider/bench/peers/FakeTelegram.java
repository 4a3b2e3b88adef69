package dev.postrider.bench.peers;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.concurrent.atomic.AtomicInteger;

/** A Telegram that takes every message at once, and counts them. */
final class FakeTelegram implements AutoCloseable {
  private final AtomicInteger arrived = new AtomicInteger();
  private final WebServer server;

  FakeTelegram() {
    server =
        WebServer.builder()
            .host("127.0.0.1")
            .port(0)
            .routing(HttpRouting.builder().any(this::answer))
            .build()
            .start();
  }

  String address() {
    return "http://127.0.0.1:" + server.port();
  }

  /** How many messages have arrived. */
  int arrived() {
    return arrived.get();
  }

  private void answer(ServerRequest request, ServerResponse response) {
    if (request.content().hasEntity()) {
      request.content().as(byte[].class);
    }
    String result =
        request.path().path().endsWith("/sendMessage")
            ? ("{\"message_id\":%d,\"date\":1700000000,\"chat\":{\"id\":1,"
                    + "\"type\":\"private\"},\"text\":\"x\"}")
                .formatted(arrived.incrementAndGet())
            : "{\"id\":1,\"is_bot\":true,\"first_name\":\"Bench\",\"username\":\"bench_bot\"}";
    response.header("Content-Type", "application/json");
    response.send("{\"ok\":true,\"result\":" + result + "}");
  }

  @Override
  public void close() {
    server.stop();
  }
}
