package dev.postrider.channels.synology;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.throttled;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer. Chat says with status 200 that it failed; {@code success} and the code decide.
 * What failed was not posted.
 */
final class SynologyVerdict {
  private static final Duration TOO_FAST = Duration.ofSeconds(5);

  /** What Chat and DSM say of any post. What is not here is tried again, and charged. */
  private static final ErrorTable ERRORS =
      ErrorTable.of(
          throttled(ThrottleScope.CHANNEL, TOO_FAST, 407, 411),
          broken(102, 103, 104, 105, 106, 107, 119, 404),
          rejected(Blame.MESSAGE, 101, 114, 120, 410),
          rejected(Blame.TARGET, 800),
          notSent(100, 117));

  private static final int NO_TARGET = 800;
  private static final int BUSY_OR_INVALID = 407;

  private final InstantSource clock;
  private final boolean bot;

  SynologyVerdict(InstantSource clock, boolean bot) {
    this.clock = clock;
    this.bot = bot;
  }

  /**
   * The result of a post.
   *
   * @param user whom a bot wrote to
   */
  Outcome of(Response response, Dispatch dispatch, @Nullable Long user) {
    JsonNode body = answer(response);
    if (body == null) {
      return foreign(response);
    }
    if (!body.path("success").booleanValue()) {
      return file(refusal(body), body, dispatch);
    }
    JsonNode data = body.path("data");
    if (user != null && !data.path("fail").isEmpty()) {
      return new Outcome.Rejected(Blame.TARGET, "Chat could not post to user " + user);
    }
    // A webhook is told nothing; a bot what the post is called, for each user.
    return Outcome.delivered(
        data.path("succ").path("user_id_post_map").path(String.valueOf(user)).asString(""));
  }

  /** Chat's own words; null if they are not. */
  static @Nullable JsonNode answer(Response response) {
    JsonNode body = Json.readObject(response.body());
    return body == null || !body.path("success").isBoolean() ? null : body;
  }

  /** What Chat refuses, whatever was asked. */
  Outcome refusal(JsonNode body) {
    int code = code(body);
    String cause = cause(code, said(body));
    if (code == NO_TARGET && !bot) {
      return new Outcome.AccountBroken(cause);
    }
    boolean tooFast = said(body).contains("too fast"); // some versions say so under another code
    if (code == BUSY_OR_INVALID && !tooFast && !said(body).isEmpty()) {
      // With words it is about this post ("record is not valid"): charged, so that it has an end.
      return new Outcome.NotSent(cause);
    }
    Outcome known = ERRORS.byCode(tooFast ? 411 : code, cause);
    return known == null ? new Outcome.NotSent(cause) : known;
  }

  private static int code(JsonNode body) {
    return body.at("/error/code").asInt(-1);
  }

  private static String said(JsonNode body) {
    JsonNode errors = body.at("/error/errors");
    String text = errors.isString() ? errors.asString() : errors.isMissingNode() ? "" : "" + errors;
    return text.toLowerCase(Locale.ROOT);
  }

  private String cause(int code, String said) {
    String remedy =
        switch (code) {
          case 102 -> "Synology Chat Server does not run on the NAS";
          case 103, 104 -> "Synology Chat Server is too old";
          case 105 -> "not permitted, or DSM's auto block has shut out our address";
          case 106, 107, 119 -> "the token is not valid";
          case 117 -> "the NAS could not fetch the file, or is busy";
          case 404 -> "the token is wrong, or the bot or webhook is switched off or has no name";
          case 409 -> "the file has more than 32 MB";
          case 410 -> "the text is too long; set text.limit";
          case BUSY_OR_INVALID -> said.isEmpty() ? "posts may come too fast for the NAS" : "";
          case 411 -> "posts come too fast for the NAS";
          case NO_TARGET ->
              bot
                  ? "Chat has no such user, or the bot is hidden from them"
                  : "the webhook has no channel";
          default -> "";
        };
    String told = (code < 0 ? "an error without a code" : code + " " + said).strip();
    return remedy.isEmpty() ? told : told + ": " + remedy;
  }

  /** Of a file that the NAS could not have, people still get the address; unless it was ours. */
  private static Outcome file(Outcome outcome, JsonNode body, Dispatch dispatch) {
    int code = code(body);
    if (dispatch.cargo().isEmpty()
        || (code != 117 && code != 409)
        || !(outcome instanceof Outcome.NotSent(String cause))) {
      return outcome;
    }
    boolean ours = dispatch.part().media().getFirst().hash() != null;
    if (!ours) {
      return new Outcome.Repairable(new Fix.LinkInstead(), cause);
    }
    return code == 409
        ? new Outcome.Rejected(Blame.MESSAGE, cause)
        : new Outcome.NotSent(cause + " (can the NAS reach http.publicUrl?)");
  }

  Outcome foreign(Response response) {
    return new ForeignAnswer(
            clock,
            null,
            ThrottleScope.CHANNEL,
            Set.of(401, 404),
            "whether the address is DSM's own, with the right port and https if it wants that")
        .read(response);
  }
}
