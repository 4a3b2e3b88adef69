package dev.postrider.server.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.DispatchKind;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.server.api.Json;
import dev.postrider.server.http.TestServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

class MessageJsonTest {
  private static final String FULL =
      """
      { "account": "tg-main", "to": "12345", "text": "**Hi** there", "format": "plain",
        "media": [ { "url": "https://x/a.jpg", "kind": "image", "filename": "a.jpg", "loop": true,
                     "asDocument": false } ],
        "threadId": "7", "replyToId": "991", "silent": true, "channelData": {"a": [1]},
        "idempotencyKey": "order-77", "ordering": "none", "priority": "bulk",
        "sendAt": "2026-11-20T09:00:00+08:00", "expiresIn": "30m", "maxAttempts": 3,
        "bestEffort": true, "onUnknown": "hold", "sessionId": "s", "turnId": "t",
        "dispatchKind": "block", "metadata": { "order": "77" },
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }
      """;

  @Test
  void every_field_is_read() {
    Message message = read(FULL);

    assertThat(message)
        .isEqualTo(
            Message.to("tg-main", "12345")
                .text("**Hi** there")
                .format(Format.PLAIN)
                .media(List.of(new Media("https://x/a.jpg", MediaKind.IMAGE, "a.jpg", true, false)))
                .threadId("7")
                .replyToId("991")
                .silent(true)
                .channelData(Map.of("a", List.of(1)))
                .idempotencyKey("order-77")
                .ordering(Ordering.NONE)
                .priority(Priority.BULK)
                .sendAt(Instant.parse("2026-11-20T01:00:00Z"))
                .expiresIn(Duration.ofMinutes(30))
                .maxAttempts(3)
                .bestEffort(true)
                .onUnknown(OnUnknown.HOLD)
                .sessionId("s")
                .turnId("t")
                .dispatchKind(DispatchKind.BLOCK)
                .metadata(Map.of("order", "77"))
                .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .build());
  }

  @Test
  void a_field_that_is_null_is_as_if_it_were_not_there() {
    StringBuilder nulls = new StringBuilder("{\"account\":\"a\",\"to\":\"b\",\"text\":\"x\"");
    for (String field : MessageDraft.FIELDS) {
      if (!List.of("account", "to", "text").contains(field)) {
        nulls.append(",\"").append(field).append("\":null");
      }
    }

    assertThat(read(nulls + "}")).isEqualTo(Message.to("a", "b").text("x").build());
  }

  @Test
  void what_is_written_says_what_was_read() {
    JsonNode json =
        TestServer.json(
            new String(
                Json.object(out -> MessageJson.writeContent(out, read(FULL))),
                StandardCharsets.UTF_8));
    JsonNode given = TestServer.json(FULL);

    for (String field : json.propertyNames()) {
      if (!field.equals("sendAt")) {
        JsonNode expected = given.has(field) ? given.get(field) : NullNode.getInstance();
        assertThat(json.get(field)).as(field).isEqualTo(expected);
      }
    }
    assertThat(json.get("sendAt").asString()).isEqualTo("2026-11-20T01:00:00Z");
  }

  private static Message read(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return MessageJson.read(bytes, 0, bytes.length, _ -> Optional.empty());
  }
}
