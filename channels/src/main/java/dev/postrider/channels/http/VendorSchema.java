package dev.postrider.channels.http;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import dev.postrider.config.NearestName;
import dev.postrider.problem.InvalidInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A vendor's own description of its requests. What a sender passes through as channel data is held
 * to it before the message is accepted, so that a misspelt button is an error now and not a dead
 * letter later. Thread-safe.
 */
public final class VendorSchema {
  private static final String ID = "urn:postrider:vendor";
  private static final String UNKNOWN = "is not known to the platform here";

  private final SchemaRegistry registry;
  private final JsonNode description;

  /**
   * @param resource a JSON Schema beside the class, with one definition per request
   */
  public VendorSchema(Class<?> owner, String resource) {
    try (InputStream file = Objects.requireNonNull(owner.getResourceAsStream(resource))) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      description = Objects.requireNonNull(Json.readObject(text));
      registry =
          SchemaRegistry.withDefaultDialect(
              SpecificationVersion.DRAFT_2020_12, with -> with.schemas(Map.of(ID, text)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Holds the body of a request to its definition.
   *
   * @throws InvalidInput about the channel data: everything else in the body is ours
   */
  public void check(String definition, Map<String, ?> body) {
    List<Error> errors = validate(definition, Json.tree(body));
    // Of the errors of several alternatives, the deepest is about what the sender had in mind.
    errors.stream()
        .max(Comparator.comparingInt(error -> error.getInstanceLocation().getNameCount()))
        .ifPresent(
            error -> {
              throw new InvalidInput("channelData" + field(error), problem(error));
            });
  }

  /** What is wrong with the body of a request; nothing if it is right. */
  public List<Error> validate(String definition, JsonNode body) {
    Schema schema = registry.getSchema(SchemaLocation.of(ID + "#/$defs/" + definition));
    return schema.validate(body);
  }

  private static String field(Error error) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < error.getInstanceLocation().getNameCount(); i++) {
      String name = error.getInstanceLocation().getName(i);
      path.append(name.matches("\\d+") ? "[" + name + "]" : "." + name);
    }
    @Nullable String property = error.getProperty();
    return property == null ? path.toString() : path + "." + property;
  }

  private String problem(Error error) {
    return switch (error.getKeyword()) {
      case "additionalProperties", "unevaluatedProperties" ->
          UNKNOWN + meant(error.getProperty(), known(error)).orElse("");
      case "enum" ->
          meant(error.getInstanceNode().asString(""), texts(error.getSchemaNode().valueStream()))
              .map(hint -> UNKNOWN + hint)
              .orElse(String.valueOf(error.getMessage()));
      case "required" -> "is missing";
      default -> String.valueOf(error.getMessage());
    };
  }

  private static Optional<String> meant(@Nullable String given, List<String> known) {
    return NearestName.to(Objects.requireNonNullElse(given, ""), known)
        .map(name -> "; did you mean '" + name + "'?");
  }

  /** The names that the description has where it does not have the one that was given. */
  private List<String> known(Error error) {
    NodePath rule = error.getSchemaLocation().getFragment();
    JsonNode here = description;
    for (int i = 0; i < rule.getNameCount() - 1; i++) {
      String step = rule.getName(i);
      here = here.isArray() ? here.path(Integer.parseInt(step)) : here.path(step);
    }
    return List.copyOf(here.path("properties").propertyNames());
  }

  private static List<String> texts(Stream<JsonNode> values) {
    return values.filter(JsonNode::isString).map(JsonNode::asString).toList();
  }
}
