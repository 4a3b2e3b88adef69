package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Postrider;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.channels.sandbox.SandboxDelivery;
import dev.postrider.channels.sandbox.SandboxMessage;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The whole application, on a port of its own and a store that is thrown away. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ShopApplicationTest {
  @TempDir static Path folder;

  @DynamicPropertySource
  static void store(DynamicPropertyRegistry registry) {
    registry.add("postrider.store", () -> "sqlite:" + folder.resolve("postrider.db"));
  }

  @Autowired Postrider postrider;
  @Autowired Environment environment;

  private HttpResponse<String> request(String method, String path) throws Exception {
    String port = environment.getRequiredProperty("local.server.port");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .build(),
          BodyHandlers.ofString());
    }
  }

  private SandboxChannel sandbox() {
    return (SandboxChannel) postrider.channel("sandbox").orElseThrow();
  }

  private List<String> inbox(String chat) {
    return sandbox().inbox("shop", chat, 9).stream().map(SandboxDelivery::text).toList();
  }

  @Test
  void a_request_sends_a_message_and_a_repeated_one_does_not() throws Exception {
    HttpResponse<String> first = request("POST", "/orders/77/shipped?customer=ann");
    HttpResponse<String> again = request("POST", "/orders/77/shipped?customer=ann");

    assertThat(first.statusCode()).isEqualTo(202);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(
            postrider
                .await(MessageId.parse(first.body()), Duration.ofMinutes(1))
                .orElseThrow()
                .status())
        .isEqualTo(Status.DELIVERED);
    assertThat(inbox("ann")).containsExactly("Your order 77 has shipped");
  }

  @Test
  void a_customer_is_answered() throws Exception {
    CompletableFuture<Event> delivered = new CompletableFuture<>();
    try (Events.Subscription _ =
        postrider
            .events()
            .subscribe(
                event -> {
                  if (event instanceof Event.Delivered it && it.to().equals("bob")) {
                    delivered.complete(it);
                  }
                })) {
      SandboxMessage written =
          new SandboxMessage(
              UUID.randomUUID().toString(), "bob", "bob", null, "hi", null, null, Instant.now());
      postrider.receive("shop", sandbox().webhook(written));

      delivered.get(1, TimeUnit.MINUTES);
    }
    assertThat(inbox("bob")).containsExactly("You said: hi");
  }

  @Test
  void its_health_counts() throws Exception {
    assertThat(request("GET", "/actuator/health").body()).contains("\"UP\"");
  }
}
