package dev.postrider.bench;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/** The web server the product is built on, without the product: reads a request and answers it. */
public final class BareServer {
  private BareServer() {}

  public static void main(String[] args) {
    WebServer.builder()
        .host("127.0.0.1")
        .port(Integer.parseInt(args[0]))
        .routing(HttpRouting.builder().any(BareServer::answer))
        .build()
        .start();
  }

  private static void answer(ServerRequest request, ServerResponse response) {
    if (request.content().hasEntity()) {
      request.content().as(byte[].class);
    }
    response.send("{}");
  }
}
