package dev.postrider.server.http;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.postrider.server.api.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds answers to the OpenAPI document: the operation is described, and so are the status, the
 * content type and the shape of the body. What is no operation is answered with a problem document.
 */
final class ApiContract {
  static final ApiContract API = new ApiContract();

  private static final String ID = "urn:postrider:openapi";
  private static final String PROBLEM = "application/problem+json";

  /** What any request can be answered with that no operation is found for. */
  private static final Set<Integer> NO_OPERATION = Set.of(400, 401, 403, 404, 405, 414, 429, 503);

  /** Told once for all operations: the target is not even looked at. */
  private static final int TOO_LONG = 414;

  private final JsonNode api;
  private final SchemaRegistry schemas;

  private ApiContract() {
    try (InputStream in =
        Objects.requireNonNull(ApiContract.class.getResourceAsStream("/openapi.json"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      api = new JsonMapper().readTree(text);
      schemas =
          SchemaRegistry.withDefaultDialect(
              SpecificationVersion.DRAFT_2020_12, with -> with.schemas(Map.of(ID, text)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode document() {
    return api;
  }

  /** What an answer breaks; nothing if it is as described. */
  List<String> broken(String method, String rawPath, int status, String contentType, String body) {
    String described = path(rawPath);
    String wanted = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
    JsonNode operation = api.path("paths").path(described).path(wanted);
    String type = contentType.replaceAll(";.*", "").strip();
    if (operation.isMissingNode() || status == TOO_LONG) {
      boolean dashboard = (status == 200 || status == 304) && rawPath.matches("/|/(assets|lib)/.*");
      return dashboard || (NO_OPERATION.contains(status) && type.equals(PROBLEM))
          ? List.of()
          : List.of("no operation is described, and it was answered with " + status + " " + type);
    }
    JsonNode response = operation.path("responses").path(Integer.toString(status));
    String at = "/paths/%s/%s/responses/%d".formatted(escaped(described), wanted, status);
    if (response.isMissingNode()) {
      return List.of("status " + status + " is not described: " + shortened(body));
    }
    if (response.has("$ref")) {
      at = response.get("$ref").asString().substring(1);
      response = api.at(at);
    }
    JsonNode content = response.path("content");
    if (content.isMissingNode()) {
      return body.isEmpty() || described.startsWith("/hooks/")
          ? List.of()
          : List.of("no body is described for " + status + ": " + shortened(body));
    }
    if (content.has("*/*")) {
      return List.of(); // a file, whatever it is
    }
    if (!content.has(type)) {
      return List.of("content type '" + type + "' is not described for " + status);
    }
    if (method.equals("HEAD") || !content.path(type).has("schema")) {
      return List.of();
    }
    return wrong(at + "/content/" + escaped(type) + "/schema", type, body);
  }

  private List<String> wrong(String schema, String type, String body) {
    List<String> documents =
        type.equals(Json.LINES)
            ? body.lines().toList()
            : type.endsWith("json") ? List.of(body) : List.of();
    List<String> wrong = new ArrayList<>();
    for (String document : documents) {
      try {
        JsonNode json = new JsonMapper().readTree(document);
        for (Error error : schemas.getSchema(SchemaLocation.of(ID + "#" + schema)).validate(json)) {
          wrong.add(error + " in " + shortened(document));
        }
      } catch (JacksonException e) {
        wrong.add("is not JSON: " + shortened(document));
      }
    }
    return wrong.subList(0, Math.min(wrong.size(), 5));
  }

  /** The path as it is described. */
  private String path(String raw) {
    String[] steps = raw.replaceAll("[?#].*", "").split("/", -1);
    String best = "";
    for (String described : api.path("paths").propertyNames()) {
      String[] names = described.split("/", -1);
      boolean fits = names.length == steps.length;
      for (int i = 0; fits && i < names.length; i++) {
        fits = names[i].startsWith("{") || names[i].equals(steps[i]);
      }
      if (fits && (best.isEmpty() || best.contains("{"))) {
        best = described;
      }
    }
    return best;
  }

  private static String escaped(String step) {
    return step.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D");
  }

  private static String shortened(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + "…";
  }
}
