package dev.postrider.channels.googlechat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Hook;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.SignedToken;
import dev.postrider.channels.token.SigningKeys;
import java.net.URI;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Google's events, each with a token in its header. By what the app is configured for, that is one
 * signed by Chat itself for the number of the project, or an identity token of Chat's account for
 * the address of the endpoint. The token says nothing of the body: events are recognised by their
 * names and times.
 */
final class GoogleChatHook implements Hook {
  private static final String CHAT = "chat@system.gserviceaccount.com";
  private static final String ADD_ON = "service-%s@gcp-sa-gsuiteaddons.iam.gserviceaccount.com";
  private static final String USUAL_KEYS = "https://www.googleapis.com";
  private static final String BEARER = "Bearer ";

  private final Settings settings;
  private final String keysUrl;

  /** Who may issue a token, and how it is checked. */
  private final Map<String, SignedToken> issuers = new HashMap<>();

  /** Whose identity tokens are taken. */
  private final Set<String> callers = new HashSet<>(Set.of(CHAT));

  GoogleChatHook(Settings settings, InstantSource clock) {
    this.settings = settings;
    keysUrl = settings.web("keysUrl", USUAL_KEYS);
    String project = settings.text("projectNumber", "");
    if (!project.matches("\\d*")) {
      throw settings.wrong(
          "projectNumber",
          "is not a number; the Cloud console shows it beside" + " the project's id");
    }
    if (!project.isEmpty()) {
      String addOn = ADD_ON.formatted(project);
      callers.add(addOn);
      trust(CHAT, "/service_accounts/v1/jwk/" + CHAT, project, clock);
      trust(addOn, "/service_accounts/v1/jwk/" + addOn, project, clock);
    }
    String endpoint = settings.text("endpointUrl", "");
    if (!endpoint.isEmpty()) {
      SigningKeys keys = keys("/oauth2/v3/certs", clock);
      for (String issuer : new String[] {"https://accounts.google.com", "accounts.google.com"}) {
        issuers.put(issuer, new SignedToken(keys, issuer, endpoint));
      }
    }
  }

  private void trust(String account, String path, String audience, InstantSource clock) {
    issuers.put(account, new SignedToken(keys(path, clock), account, audience));
  }

  private SigningKeys keys(String path, InstantSource clock) {
    URI address = URI.create(keysUrl + path);
    return new SigningKeys(clock, () -> fetch(address));
  }

  private @Nullable JsonNode fetch(URI address) {
    try (HttpSender http = HttpSender.of(settings, Secrets.of())) {
      return http.send(HttpCall.get(address)) instanceof HttpResult.Response response
              && response.status() == 200
          ? Json.readObject(response.body())
          : null;
    }
  }

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    Answer refusal = refusal(request);
    if (refusal != null) {
      return refusal;
    }
    JsonNode event = Json.readObject(request.text());
    return event == null
        ? new Answer.Malformed("this is no event")
        : GoogleChatEvents.read(event, request.receivedAt());
  }

  /** Why it is not from Google; null if it is. */
  private @Nullable Answer refusal(Request request) {
    String header = request.header("authorization");
    if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return new Answer.Forged("there is no token");
    }
    String token = header.substring(BEARER.length()).strip();
    SignedToken issuer = issuers.get(issuer(token));
    if (issuer == null) {
      return new Answer.Forged(
          "the token is issued by somebody else; check projectNumber and endpointUrl against"
              + " the authentication audience set at Google");
    }
    return switch (issuer.check(token, request.receivedAt())) {
      case SignedToken.Result.Forged(String reason) -> new Answer.Forged(reason);
      case SignedToken.Result.Unverified(String reason) -> new Answer.Unverified(reason);
      case SignedToken.Result.Genuine(JsonNode claims) -> stranger(issuer.issuer(), claims);
    };
  }

  /** Anybody at Google can have an identity token for our address; only Chat's count. */
  private @Nullable Answer stranger(String issuer, JsonNode claims) {
    if (!issuer.endsWith("accounts.google.com")) {
      return null;
    }
    return claims.path("email_verified").asBoolean(false)
            && callers.contains(claims.path("email").asString(""))
        ? null
        : new Answer.Forged("the token is of another account than Google Chat's");
  }

  /** What a token says of its issuer, unchecked: which keys to check it with. */
  private static String issuer(String token) {
    String[] pieces = token.split("\\.", -1);
    try {
      JsonNode claims =
          pieces.length == 3
              ? Json.readObject(new String(Base64.getUrlDecoder().decode(pieces[1]), UTF_8))
              : null;
      return claims == null ? "" : claims.path("iss").asString("");
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
