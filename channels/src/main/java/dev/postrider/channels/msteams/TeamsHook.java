package dev.postrider.channels.msteams;

import dev.postrider.channel.Hook;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.SignedToken;
import dev.postrider.channels.token.SigningKeys;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where the Bot Connector delivers activities. Each comes with a token of Microsoft's for this app,
 * which names the service that sent it and nothing else of the activity: whoever has one could say
 * anything until it ends, but only in that service's name. Thread-safe.
 */
final class TeamsHook implements Hook {
  private static final String KEYS =
      "https://login.botframework.com/v1/.well-known/openidconfiguration";
  private static final String ISSUER = "https://api.botframework.com";
  private static final String CHANNEL = "msteams";
  private static final int LARGEST = 1 << 20;

  /** So that people in Teams are not told that something went wrong. */
  private static final String TAKEN =
      Json.write(
          Map.of(
              "statusCode",
              200,
              "type",
              "application/vnd.microsoft.activity.message",
              "value",
              "OK"));

  private final Settings settings;
  private final String appId;
  private final String keys;
  private final SignedToken tokens;
  private volatile Instant now = Instant.EPOCH;
  private volatile @Nullable String noKeys;

  TeamsHook(Settings settings) {
    this.settings = settings;
    appId = settings.required("appId");
    keys = settings.web("openIdUrl", KEYS);
    tokens = new SignedToken(new SigningKeys(() -> now, this::fetchKeys), ISSUER, appId);
  }

  // ---- Microsoft's keys

  private @Nullable JsonNode fetchKeys() {
    try (HttpSender http = HttpSender.of(settings, Secrets.of())) {
      noKeys = null;
      JsonNode described = ask(http, URI.create(keys));
      URI where =
          described == null
              ? null
              : InboundFetch.own(
                  described.path("jwks_uri").asString(""), keys, Set.of("login.botframework.com"));
      JsonNode all = where == null ? null : ask(http, where);
      if (all == null) {
        noKeys = noKeys == null ? "they name no address of their own" : noKeys;
        return null;
      }
      List<JsonNode> ours = all.path("keys").valueStream().filter(TeamsHook::isEndorsed).toList();
      return Json.tree(Map.of("keys", ours));
    }
  }

  /** Some keys are good for certain channels only. */
  private static boolean isEndorsed(JsonNode key) {
    JsonNode channels = key.path("endorsements");
    return !channels.isArray()
        || channels.valueStream().anyMatch(one -> one.asString("").equals(CHANNEL));
  }

  private @Nullable JsonNode ask(HttpSender http, URI address) {
    HttpResult result = http.send(HttpCall.get(address));
    JsonNode body =
        result instanceof Response answer && answer.status() == 200
            ? Json.readObject(answer.body())
            : null;
    if (body == null) {
      noKeys =
          switch (result) {
            case HttpResult.Failed failed -> failed.cause();
            case Response answer -> address.getHost() + " answered " + answer.status();
          };
    }
    return body;
  }

  // ---- activities

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    if (request.body().length > LARGEST) {
      return new Answer.Malformed("more than Teams sends at once");
    }
    now = request.receivedAt();
    return switch (tokens.check(bearer(request), request.receivedAt())) {
      case SignedToken.Result.Forged(String why) -> new Answer.Forged(why);
      case SignedToken.Result.Unverified _ ->
          new Answer.Unverified("Microsoft's keys could not be fetched: " + noKeys);
      case SignedToken.Result.Genuine(JsonNode claims) -> read(request, claims);
    };
  }

  private static @Nullable String bearer(Request request) {
    String header = request.header("authorization");
    return header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
        ? header.substring(7).strip()
        : null;
  }

  private Answer read(Request request, JsonNode claims) {
    JsonNode activity = Json.readObject(request.text());
    String service = activity == null ? null : Json.text(activity, "serviceUrl");
    if (activity == null || service == null || Json.text(activity, "type") == null) {
      return new Answer.Malformed("this is no activity");
    }
    if (!service.equals(claims.path("serviceurl").asString(""))) {
      return new Answer.Forged("the token is for another service than the activity names");
    }
    if (!activity.path("channelId").asString("").equals(CHANNEL)) {
      return new Answer.Malformed("this is not from Teams; switch the bot's other channels off");
    }
    if (!TeamsAddress.isConversation(activity.path("conversation").path("id").asString(""))) {
      return new Answer.Malformed("the conversation has no id that Teams gives");
    }
    TeamsEvents events = new TeamsEvents(activity, "28:" + appId, request.receivedAt());
    return new Answer.Genuine(
        events.arrivals(), events.reports(), reply(activity), events.memory(), events.aliases());
  }

  /** A button that calls the bot waits for an answer; some want none but the status. */
  private static Reply reply(JsonNode activity) {
    if (!activity.path("type").asString().equals("invoke")) {
      return Reply.OK;
    }
    return activity.path("name").asString("").equals("adaptiveCard/action")
        ? Reply.json(TAKEN)
        : Reply.json("{}");
  }
}
