package dev.postrider.channels.zalo;

import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Receipt;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads an answer to an Official Account: the number in it decides, with its text. */
record OaVerdict(PermanentErrors permanent, InstantSource clock, Memory memory, boolean reports) {

  /** Whether the answer refuses the access token, so that with another one it may pass. */
  static boolean refusesToken(Response response) {
    JsonNode body = Json.readObject(response.body());
    if (body == null || body.path("error").asInt(0) == 0) {
      return false;
    }
    String text = body.path("message").asString("").toLowerCase(Locale.ROOT);
    return OaErrors.TOKEN.contains(body.path("error").asInt())
        || text.contains("access token")
        || text.contains("access_token");
  }

  /**
   * The result of a part.
   *
   * @param chat whom it was for; null if it was a question, or a file
   */
  Outcome of(Response response, @Nullable String chat) {
    JsonNode body = Json.readObject(response.body());
    if (body == null || !body.path("error").isIntegralNumber()) {
      return new ForeignAnswer(
              clock, permanent, ThrottleScope.ACCOUNT, Set.of(401, 404), "whether baseUrl is right")
          .read(response);
    }
    int code = body.path("error").asInt();
    if (code == 0 && response.status() / 100 == 2) {
      String id = body.path("data").path("message_id").asString(""); // a reaction has none
      Receipt receipt = new Receipt(id, reports && !id.isEmpty());
      return new Outcome.Delivered(
          receipt, Map.of(), List.of(), charged(body.path("data").path("quota")));
    }
    return refusal(code, body.path("message").asString(""), response.status(), chat);
  }

  /** That the message was not free; null if it was, or nobody said. */
  private static @Nullable String charged(JsonNode quota) {
    String type = quota.path("quota_type").asString("");
    return type.isEmpty() || type.equals("reply")
        ? null
        : "counted against "
            + type
            + ", of which "
            + quota.path("remain").asString("?")
            + " are left";
  }

  static String cause(Response response) {
    JsonNode body = Json.readObject(response.body());
    return body == null
        ? response.status() + " " + response.excerpt()
        : body.path("error").asInt(0) + " " + body.path("message").asString("");
  }

  private Outcome refusal(int code, String text, int status, @Nullable String chat) {
    String cause = code + " " + text;
    if (OaErrors.NIGHT.contains(code)) {
      return new Outcome.Throttled(
          ThrottleScope.CHAT, OaErrors.untilMorning(clock.instant()), cause);
    }
    Outcome clear = OaErrors.BY_TEXT.byText(text, cause);
    if (clear != null) {
      return clear;
    }
    Outcome known = OaErrors.BY_CODE.byCode(code, cause);
    if (known instanceof Outcome.Rejected(Blame blame, String why)
        && OaErrors.WINDOW.contains(code)) {
      return new Outcome.Rejected(blame, why + lastSeen(chat));
    }
    if (known instanceof Outcome.NotSent) {
      return permanent.or(known, cause);
    }
    if (known != null) {
      return known;
    }
    // Zalo says no, with a number that it does not list.
    return status / 100 == 5
        ? permanent.or(new Outcome.Unknown(cause), cause)
        : permanent.or(new Outcome.Rejected(Blame.MESSAGE, cause), cause);
  }

  private String lastSeen(@Nullable String chat) {
    if (chat == null) {
      return "";
    }
    try {
      return memory
          .read(chat, LastInteraction.KEY)
          .map(at -> "; they last did something at " + at)
          .orElse("; nothing they did has come in");
    } catch (NotSentException e) { // the store is away, but what was refused was refused
      return "";
    }
  }
}
