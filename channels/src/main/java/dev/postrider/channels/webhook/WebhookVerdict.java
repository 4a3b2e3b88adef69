package dev.postrider.channels.webhook;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Reads an answer, of which only the status and {@code Retry-After} count.
 *
 * @param permanentOn4xx whether a receiver that refuses a message is not asked again
 * @param throttle the pause if the receiver does not say how long
 */
record WebhookVerdict(boolean permanentOn4xx, Duration throttle, InstantSource clock) {

  /**
   * The result of a post.
   *
   * @param own whether the address is the account's own; if not, it is one chat of many
   */
  Outcome of(Response response, String webhookId, boolean own) {
    int status = response.status();
    String cause = (status + " " + response.excerpt()).strip();
    Duration asked = response.retryAfter(clock.instant());
    return switch (status) {
      case 410 -> new Outcome.Rejected(Blame.TARGET, cause);
      case 429, 502, 504 -> throttled(own, asked == null ? throttle : asked, cause);
      case 408, 425 -> new Outcome.NotSent(cause);
      default ->
          switch (status / 100) {
            case 2 -> Outcome.delivered(webhookId);
            case 3 -> refusal(own, status + " sends us elsewhere, and redirects are not followed");
            case 4 -> permanentOn4xx ? rejected(status, cause) : new Outcome.NotSent(cause);
            default ->
                status == 503 && asked != null
                    ? throttled(own, asked, cause)
                    : new Outcome.Unknown(cause);
          };
    };
  }

  /** What nobody can post to: the account's own address breaks it, another is a chat's trouble. */
  static Outcome refusal(boolean own, String cause) {
    return own
        ? new Outcome.AccountBroken(cause + "; check url")
        : new Outcome.Rejected(Blame.TARGET, cause);
  }

  private static Outcome throttled(boolean own, Duration delay, String cause) {
    return new Outcome.Throttled(own ? ThrottleScope.ACCOUNT : ThrottleScope.CHAT, delay, cause);
  }

  private static Outcome rejected(int status, String cause) {
    return switch (status) {
      case 401, 403, 404 -> new Outcome.Rejected(Blame.TARGET, cause);
      default -> new Outcome.Rejected(Blame.MESSAGE, cause);
    };
  }
}
