package dev.postrider.server.api;

import static java.util.Objects.requireNonNull;

import dev.postrider.config.Durations;
import dev.postrider.config.NearestName;
import dev.postrider.config.StorableTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads typed values where a parser stands. Reading goes on after a wrong one, so that one answer
 * names them all.
 */
public final class FieldReader {
  private static final int MOST_HINTS = 20;

  public final JsonParser parser;
  public final List<FieldError> errors = new ArrayList<>();

  public FieldReader(JsonParser parser) {
    this.parser = parser;
  }

  public String text(String field) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    wrong(
        field,
        parser.currentToken().isNumeric() ? "must be text; put it in quotes" : "must be text");
    return "";
  }

  private String textOrEmpty() {
    return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
  }

  public boolean flag(String field) {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> {
        wrong(field, "must be true or false");
        yield false;
      }
    };
  }

  public @Nullable Integer count(String field) {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      Number number = parser.getNumberValue();
      if (number instanceof Integer whole) {
        return whole;
      }
    }
    wrong(field, "must be a whole number");
    return null;
  }

  public @Nullable Duration duration(String field) {
    try {
      return StorableTime.checked(Durations.parse(textOrEmpty()));
    } catch (IllegalArgumentException e) {
      wrong(field, "must be a duration such as \"30m\", of a hundred years at most");
      return null;
    }
  }

  public @Nullable Instant instant(String field) {
    try {
      return StorableTime.checked(OffsetDateTime.parse(textOrEmpty()).toInstant());
    } catch (DateTimeException | IllegalArgumentException e) {
      wrong(
          field,
          "must be an instant with its zone, such as \"2026-11-20T09:00:00Z\", before the year 10000");
      return null;
    }
  }

  public @Nullable UUID uuid(String field) {
    try {
      return UUID.fromString(textOrEmpty());
    } catch (IllegalArgumentException e) {
      wrong(field, "must be an id such as \"0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70\"");
      return null;
    }
  }

  public <E extends Enum<E>> E word(String field, Class<E> type, E otherwise) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      String written = parser.getString();
      for (E value : type.getEnumConstants()) {
        if (value.name().toLowerCase(Locale.ROOT).equals(written)) {
          return value;
        }
      }
    }
    List<String> known = Arrays.stream(type.getEnumConstants()).map(Json::word).toList();
    wrong(field, "must be one of " + String.join(", ", known));
    return otherwise;
  }

  @SuppressWarnings("unchecked")
  public // an object token reads as such a map
  Map<String, @Nullable Object> map(String field) {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return (Map<String, @Nullable Object>) requireNonNull(Json.value(parser));
    }
    wrong(field, "must be an object");
    return Map.of();
  }

  public void unknown(String field, String name, List<String> known) {
    wrong(
        field,
        "is not known"
            + (errors.size() < MOST_HINTS
                ? NearestName.to(name, known).map(n -> "; did you mean '" + n + "'?").orElse("")
                : ""));
  }

  /** Notes the error and steps over the value. */
  public void wrong(String field, String message) {
    errors.add(new FieldError(field, message));
    parser.skipChildren();
  }
}
