package dev.postrider.channels.nextcloud;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/** Reads an answer to a message. Talk gives statuses and no words, so each gets its words here. */
final class NextcloudVerdict {
  static final String REFUSED =
      "401: Talk does not accept the bot here. Its secret is another one, or it was installed"
          + " without --feature response (occ talk:bot:state --feature webhook --feature response"
          + " <bot-id> 1), or it is not enabled in this conversation";

  /** Nextcloud counts refusals for half an hour, and does not say when it forgets. */
  private static final Duration BLOCKED = Duration.ofMinutes(10);

  private static final Duration MAINTENANCE = Duration.ofMinutes(1);

  /** For a message that quotes nothing and is in no thread. */
  private static final ErrorTable ERRORS =
      ErrorTable.of(
          rejected(Blame.MESSAGE, 400, 413),
          broken(401),
          rejected(Blame.TARGET, 403, 404),
          broken(998));

  /** Talk has one status for a reply to nothing, and for whatever else is wrong. */
  private static final ErrorTable OF_REPLIES = ErrorTable.of(repairable(new Fix.DropReply(), 400));

  private final InstantSource clock;

  NextcloudVerdict(InstantSource clock) {
    this.clock = clock;
  }

  Outcome of(Response response, Dispatch dispatch) {
    OcsAnswer answer = OcsAnswer.of(response);
    if (response.status() == 503
        && response.headers().containsKey("x-nextcloud-maintenance-mode")) {
      return maintenance(response);
    }
    if (answer == null) {
      return notNextcloud(response);
    }
    if (answer.status() == 201) {
      // Bots are not told what their message is called: it is found by what we called it.
      return Outcome.delivered(dispatch.key());
    }
    return refusal(answer, response, dispatch);
  }

  private Outcome refusal(OcsAnswer answer, Response response, Dispatch dispatch) {
    if (answer.status() == 429) {
      return blocked(response);
    }
    int code = answer.code() == 998 ? 998 : answer.status();
    String cause = cause(code, dispatch);
    Outcome known = dispatch.replyToId() == null ? null : OF_REPLIES.byCode(code, cause);
    if (known == null) {
      known = ERRORS.byCode(code, cause);
    }
    if (known != null) {
      return known;
    }
    return answer.status() / 100 == 4
        ? new Outcome.Rejected(Blame.MESSAGE, cause)
        : new Outcome.Unknown(cause);
  }

  private static String cause(int code, Dispatch dispatch) {
    return switch (code) {
      case 400 ->
          dispatch.replyToId() != null
              ? "400: the message to reply to is not in this conversation"
              : dispatch.threadId() != null
                  ? "400: the thread is not in this conversation, or Talk cannot post the message"
                  : "400: Talk cannot post the message";
      case 401 -> REFUSED;
      case 404 -> "404: there is no such conversation";
      case 413 -> "413: the text is longer than this server allows; set text.limit";
      case 998 -> "404: the server has no Talk, or one without bots; it takes Talk 17.1";
      default -> code + " from Nextcloud";
    };
  }

  /** Nobody of this address is heard, whatever they sign. */
  private Outcome blocked(Response response) {
    Duration asked = response.retryAfter(clock.instant());
    return new Outcome.Throttled(
        ThrottleScope.ACCOUNT,
        asked == null ? BLOCKED : asked,
        "429: too many refused signatures came from our address; Nextcloud listens again after"
            + " half an hour, or once an administrator runs occ security:bruteforce:reset");
  }

  private Outcome maintenance(Response response) {
    Duration asked = response.retryAfter(clock.instant());
    return new Outcome.Unreachable(
        "503: Nextcloud is in maintenance mode", asked == null ? MAINTENANCE : asked);
  }

  Outcome notNextcloud(Response response) {
    return new ForeignAnswer(
            clock,
            null,
            ThrottleScope.ACCOUNT,
            Set.of(400, 401, 404),
            "whether baseUrl is Nextcloud's own address, with its path if it has one")
        .read(response);
  }
}
