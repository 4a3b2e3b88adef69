package dev.postrider.channels.nextcloud;

import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What Nextcloud says in the envelope that all its answers come in.
 *
 * @param status the status of HTTP
 * @param code the envelope's own: mostly the same, but 998 for a call that nobody knows
 * @param data may be null in the sense of JSON: a bot gets nothing for what it posts
 */
record OcsAnswer(int status, int code, JsonNode data) {

  /** Null if Nextcloud itself did not say this. */
  static @Nullable OcsAnswer of(Response response) {
    JsonNode body = Json.readObject(response.body());
    if (body == null) {
      return null;
    }
    JsonNode code = body.at("/ocs/meta/statuscode");
    return code.canConvertToInt()
        ? new OcsAnswer(response.status(), code.asInt(), body.at("/ocs/data"))
        : null;
  }
}
