package dev.postrider.channels.bluebubbles;

import static java.util.Objects.requireNonNullElse;

import dev.postrider.channel.Hook;
import dev.postrider.channels.bluebubbles.BlueBubblesEvents.Told;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import tools.jackson.databind.JsonNode;

/**
 * Where the server posts what happens on its Mac. It signs nothing and can add no header: a secret
 * in the address ({@code ?secret=…}) is all that tells who speaks, so the address has to be reached
 * by TLS, or within a network of one's own. A proxy in between may give it as a bearer token.
 *
 * @param secret what has to be shown
 */
record BlueBubblesHook(String secret) implements Hook {
  private static final String SCHEME = "Bearer ";

  @Override
  public Answer read(Request request) {
    String inHead = requireNonNullElse(request.header("authorization"), "");
    boolean genuine =
        Hmac.same(secret, requireNonNullElse(request.query().get("secret"), ""))
            | Hmac.same(secret, inHead.startsWith(SCHEME) ? inHead.substring(7) : "");
    if (!genuine) {
      return new Answer.Forged("the secret in the webhook's address is not webhookSecret");
    }
    JsonNode event = Json.readObject(request.text());
    String type = event == null ? null : Json.text(event, "type");
    if (event == null || type == null) {
      return new Answer.Malformed("not an event of BlueBubbles");
    }
    Told told = BlueBubblesEvents.read(type, event.path("data"), request.receivedAt());
    return new Answer.Genuine(told.arrivals(), told.reports(), Reply.OK);
  }

  @Override
  public String toString() {
    return "BlueBubblesHook";
  }
}
