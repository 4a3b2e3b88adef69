package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.api.EventJson;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(300)
class EventsTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void events_are_told_as_they_happen() throws Exception {
    try (Stream events = follow("/v1/events")) {
      String id = server.say("ann", "hi").text("id");

      JsonNode accepted = events.next("message.accepted");
      assertThat(accepted.get("id").asString()).isEqualTo(id);
      assertThat(accepted.get("account").asString()).isEqualTo("sandbox");
      assertThat(accepted.get("to").asString()).isEqualTo("ann");
      assertThat(accepted.has("text")).isFalse();
      assertThat(events.next("message.delivered").get("attempts").asInt()).isEqualTo(1);
    }
  }

  @Test
  void a_follower_goes_on_where_it_left_off() throws Exception {
    String last;
    try (Stream events = follow("/v1/events?types=message.delivered")) {
      server.say("ann", "1");
      events.next("message.delivered");
      last = events.lastId;
    }
    String second = server.say("ann", "2").text("id");
    String third = server.say("ann", "3").text("id");

    try (Stream events = follow("/v1/events?types=message.delivered", "Last-Event-ID", last)) {
      assertThat(events.next("message.delivered").get("id").asString()).isEqualTo(second);
      assertThat(events.next("message.delivered").get("id").asString()).isEqualTo(third);
    }
  }

  @Test
  void after_a_restart_a_follower_is_told_of_the_gap_first() throws Exception {
    server.say("ann", "1");

    try (Stream events = follow("/v1/events", "Last-Event-ID", "anotherboot-17")) {
      assertThat(events.next().get("type").asString()).isEqualTo("gap");
      events.next("message.accepted");
    }
  }

  @Test
  void whoever_comes_back_with_an_id_that_is_not_known_is_told_that_some_are_missing()
      throws Exception {
    server.say("ann", "1");
    String last;
    try (Stream events = follow("/v1/events", "Last-Event-ID", "anotherboot-17")) {
      events.next("message.delivered");
      last = events.lastId;
    }
    String later = last.replaceFirst("-.*", "-999999999");

    try (Stream events = follow("/v1/events?types=message.delivered", "Last-Event-ID", later)) {
      assertThat(events.next().get("reason").asString()).isEqualTo("unknown-id");
    }
  }

  @Test
  void every_type_that_is_documented_can_be_asked_for_and_no_other() throws Exception {
    Set<String> documented = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "events.md"))) {
      if (line.startsWith("| `")) {
        Pattern.compile("`([a-z.-]+)`")
            .matcher(line.split("\\|")[1])
            .results()
            .forEach(type -> documented.add(type.group(1)));
      }
    }

    assertThat(new TreeSet<>(EventJson.TYPES)).isEqualTo(documented);
  }

  @Test
  void what_a_message_belonged_to_is_told_with_its_end() throws Exception {
    try (Stream events = follow("/v1/events?types=message.delivered,turn.ended,session.mirrored")) {
      server.hear("ann", "hello");
      JsonNode item = server.lease("{}").json().at("/items/0");
      server.post(
          "/v1/inbound/leases/" + item.path("leaseId").asString() + "/ack",
          "{\"replies\":[\"good day\"]}");

      JsonNode delivered = events.next("message.delivered");
      assertThat(delivered.path("turnId")).isEqualTo(item.path("turnId"));
      assertThat(delivered.path("sessionId").asString()).isEqualTo("sandbox/ann");
      JsonNode mirrored = events.next("session.mirrored");
      assertThat(mirrored.path("messageId")).isEqualTo(delivered.path("id"));
      JsonNode over = events.next("turn.ended");
      assertThat(over.path("id")).isEqualTo(item.path("turnId"));
      assertThat(over.path("state").asString()).isEqualTo("delivered");
    }
  }

  private Stream follow(String path, String... headers) throws Exception {
    var response =
        server.client().send(server.request(path, headers).build(), BodyHandlers.ofLines());
    assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream");
    Stream stream = new Stream(response.body());
    stream.greeting();
    return stream;
  }

  /** Reads a stream of events block by block. */
  private static final class Stream implements AutoCloseable {
    private final java.util.stream.Stream<String> lines;
    private final Iterator<String> iterator;
    private final List<JsonNode> early = new ArrayList<>();
    private String lastId = "";

    Stream(java.util.stream.Stream<String> lines) {
      this.lines = lines;
      this.iterator = lines.iterator();
    }

    /** The first block is sent at once: from then on, nothing is missed. */
    void greeting() {
      JsonNode first = block();
      if (first != null) {
        early.add(first);
      }
    }

    private JsonNode block() {
      JsonNode data = null;
      for (String line = iterator.next(); !line.isEmpty(); line = iterator.next()) {
        if (line.startsWith("id: ")) {
          lastId = line.substring(4);
        } else if (line.startsWith("data: ")) {
          data = TestServer.json(line.substring(6));
        }
      }
      return data;
    }

    JsonNode next() {
      if (!early.isEmpty()) {
        return early.removeFirst();
      }
      JsonNode data = block();
      while (data == null) {
        data = block();
      }
      return data;
    }

    JsonNode next(String type) {
      JsonNode event = next();
      while (!event.get("type").asString().equals(type)) {
        event = next();
      }
      return event;
    }

    @Override
    public void close() {
      lines.close();
    }
  }
}
