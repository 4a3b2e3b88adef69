package dev.postrider.server.alert;

import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.webhook.Signatures;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Posts alerts to a web server, signed after Standard Webhooks as everything that is pushed. */
final class WebhookAlertSender implements AlertSender {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final JsonFactory JSON = new JsonFactory();

  private final URI to;
  private final String node;
  private final Signatures signatures;
  private final HttpSender sender;
  private final InstantSource clock;

  WebhookAlertSender(URI to, String secret, String node, InstantSource clock) {
    this.to = to;
    this.node = node;
    this.clock = clock;
    signatures = Signatures.of(List.of(secret));
    sender = new HttpSender(CONNECT, PATIENCE, Secrets.ofAddress(to.toString(), secret));
  }

  @Override
  public String name() {
    return "the webhook at " + to.getHost();
  }

  @Override
  public boolean takes(Alert alert) {
    return true;
  }

  @Override
  public void carry(String id, Instant at, List<Alert> alerts) throws CannotCarry {
    String body = body(at, alerts);
    HttpCall call = HttpCall.post(to).text("application/json", body);
    Map<String, String> headers =
        signatures.headers(id, clock.instant(), body.getBytes(StandardCharsets.UTF_8));
    for (Map.Entry<String, String> header : headers.entrySet()) {
      call = call.header(header.getKey(), header.getValue());
    }
    switch (sender.send(call)) {
      case HttpResult.Response response when response.status() / 100 == 2 -> {}
      case HttpResult.Response response ->
          throw new CannotCarry("it answered " + response.status());
      case HttpResult.Unreachable(String cause) -> throw new CannotCarry(cause);
      case HttpResult.NotSent(String cause) -> throw new CannotCarry(cause);
      case HttpResult.Unknown(String cause) -> throw new CannotCarry(cause);
    }
  }

  private String body(Instant at, List<Alert> alerts) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("type", "alert");
      json.writeStringProperty("timestamp", at.toString());
      json.writeName("data");
      json.writeStartObject();
      json.writeStringProperty("node", node);
      json.writeName("alerts");
      json.writeStartArray();
      for (Alert alert : alerts) {
        json.writeStartObject();
        json.writeStringProperty("kind", alert.kind().label());
        json.writeStringProperty("account", alert.account());
        json.writeBooleanProperty("over", alert.over());
        json.writeStringProperty("text", alert.text());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndObject();
    }
    return text.toString();
  }

  @Override
  public void close() {
    sender.close();
  }
}
