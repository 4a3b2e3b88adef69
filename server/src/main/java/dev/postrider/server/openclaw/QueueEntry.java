package dev.postrider.server.openclaw;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An entry, read.
 *
 * @param fields as they are written
 * @param sha256 of its bytes, in hexadecimal
 */
record QueueEntry(String id, ObjectNode fields, long size, String sha256) {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private static final int LONGEST_ID = 200;

  /** Later than any that a clock could give. */
  private static final long NEVER = 1L << 50;

  private static final int MOST_ATTEMPTS = 1_000;

  /**
   * @throws Unusable if it is not what such a queue writes
   */
  static QueueEntry read(EntryQueue.Place place, byte[] bytes) throws Unusable {
    if (bytes.length == 0) {
      throw new Unusable("it is empty");
    }
    if (!(parsed(bytes) instanceof ObjectNode fields)) {
      throw new Unusable("it is no JSON object");
    }
    String inner = fields.path("id").asString("");
    String id = inner.isBlank() ? place.id() : inner;
    if (id.length() > LONGEST_ID) {
      throw new Unusable("its id is longer than " + LONGEST_ID + " characters");
    }
    return new QueueEntry(id, fields, bytes.length, sha256(bytes));
  }

  private static JsonNode parsed(byte[] bytes) throws Unusable {
    try {
      return JSON.readTree(bytes);
    } catch (JacksonException e) {
      throw new Unusable("it is not JSON, or cut off");
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A text or a number, as text; null if there is none. */
  static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    String text = value.isString() || value.isNumber() ? value.asString() : "";
    return text.isBlank() ? null : text;
  }

  /**
   * @throws Unusable if it is not there
   */
  String required(String field) throws Unusable {
    String value = text(fields, field);
    if (value == null) {
      throw new Unusable("its " + field + " is missing");
    }
    return value;
  }

  boolean flag(String field) {
    return fields.path(field).asBoolean(false);
  }

  /** A moment given in milliseconds; null if there is none, or it is none that a clock gives. */
  @Nullable Instant moment(String field) {
    JsonNode value = fields.path(field);
    boolean whole = value.isNumber() && value.canConvertToExactIntegral();
    return whole && value.canConvertToLong() && value.asLong() >= 0 && value.asLong() < NEVER
        ? Instant.ofEpochMilli(value.asLong())
        : null;
  }

  int attempts() {
    JsonNode value = fields.path("retryCount");
    return value.isNumber() ? Math.clamp((long) value.asDouble(), 0, MOST_ATTEMPTS) : 0;
  }

  /** Whether its sending had begun, and nobody noted how it ended. */
  boolean outcomeUnknown() {
    return fields.hasNonNull("recoveryState") || fields.hasNonNull("platformSendStartedAt");
  }

  /**
   * @throws Unusable if there are none
   */
  List<ObjectNode> payloads() throws Unusable {
    List<ObjectNode> payloads = new ArrayList<>();
    for (JsonNode payload : fields.path("payloads")) {
      if (!(payload instanceof ObjectNode object)) {
        throw new Unusable("one of its payloads is no JSON object");
      }
      payloads.add(object);
    }
    if (!fields.path("payloads").isArray() || payloads.isEmpty()) {
      throw new Unusable("it has no payloads");
    }
    return payloads;
  }
}
