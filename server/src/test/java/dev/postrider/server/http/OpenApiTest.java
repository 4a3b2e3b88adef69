package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.EventRing;
import dev.postrider.server.api.EventsApi;
import dev.postrider.server.api.HealthCheck;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Metrics;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.message.MessageDraft;
import dev.postrider.server.config.HealthSettings;
import dev.postrider.server.config.HttpSettings;
import dev.postrider.server.config.Role;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Keeps the API's description honest. */
class OpenApiTest {
  private final JsonNode api = load();

  @Test
  void every_route_is_described_and_every_description_has_a_route() {
    Set<String> described = new TreeSet<>();
    for (var path : api.get("paths").properties()) {
      for (String method : path.getValue().propertyNames()) {
        described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
      }
    }
    Set<String> routes = new TreeSet<>();
    for (Route route : routes()) {
      if (!route.path().matches("/|/(assets|lib)/.*")) { // the dashboard
        routes.add(route.method() + " " + route.path());
      }
    }

    assertThat(described).isEqualTo(routes);
  }

  @Test
  void the_role_of_every_route_is_told() {
    for (Route route : routes()) {
      JsonNode operation =
          api.get("paths").path(route.path()).path(route.method().toLowerCase(Locale.ROOT));
      if (!operation.isMissingNode()) {
        Role role = route.role();
        String wanted = role == null ? "Open to everybody" : "Role: " + Json.word(role) + ".";
        assertThat(operation.get("description").asString()).as(route.path()).startsWith(wanted);
      }
    }
  }

  @Test
  void the_fields_of_a_message_are_those_that_are_read() {
    assertThat(api.at("/components/schemas/NewMessage/properties").propertyNames())
        .containsExactlyInAnyOrderElementsOf(MessageDraft.FIELDS);
  }

  @Test
  void the_parameters_of_every_query_are_those_that_are_read() {
    for (Route route : routes()) {
      List<String> parameters = route.parameters();
      if (parameters != null) {
        assertThat(
                api.at("/paths")
                    .path(route.path())
                    .path(route.method().toLowerCase(Locale.ROOT))
                    .path("parameters")
                    .valueStream()
                    .filter(parameter -> parameter.path("in").asString().equals("query"))
                    .map(parameter -> parameter.path("name").asString()))
            .as(route.path())
            .containsExactlyInAnyOrderElementsOf(
                parameters.stream().map(name -> name.endsWith(".") ? name + "KEY" : name).toList());
      }
    }
  }

  private static List<Route> routes() {
    try (EventsApi events = new EventsApi(new EventRing(Instant.EPOCH))) {
      return HttpServer.routes(
          new HttpSettings("localhost", 0, List.of(), 1024, 1024, Duration.ofSeconds(9)),
          new EngineState(),
          new Metrics(),
          events,
          new HealthCheck(HealthSettings.DEFAULTS, ""));
    }
  }

  private static JsonNode load() {
    try (InputStream in = OpenApiTest.class.getResourceAsStream("/openapi.json")) {
      return new JsonMapper().readTree(in);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
