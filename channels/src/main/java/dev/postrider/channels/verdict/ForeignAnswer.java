package dev.postrider.channels.verdict;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.PermanentErrors;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer that is not the platform's own voice: a proxy's, a firewall's, a web page, half
 * an answer. Only its status can be trusted.
 *
 * @param permanent may end what the status leaves open; null where nothing may
 * @param scope who waits after a 429, for nobody said whose limit it is
 * @param broken statuses that mean a wrong address or a wrong key
 * @param check what to look at if we are sent elsewhere, such as {@code the address}
 */
public record ForeignAnswer(
    InstantSource clock,
    @Nullable PermanentErrors permanent,
    ThrottleScope scope,
    Set<Integer> broken,
    String check) {
  /** For a 429 that does not say how long. */
  public static final Duration THROTTLE = Duration.ofSeconds(5);

  public Outcome read(Response response) {
    int status = response.status();
    String cause = status + " without a readable answer: " + response.excerpt();
    Duration asked = response.retryAfter(clock.instant());
    if (broken.contains(status)) {
      return new Outcome.AccountBroken(cause);
    }
    return switch (status) {
      case 408 -> open(new Outcome.Unknown(cause), cause);
      case 413 -> new Outcome.Rejected(Blame.MESSAGE, cause);
      case 429 -> new Outcome.Throttled(scope, asked == null ? THROTTLE : asked, cause);
      case 503 ->
          open(
              asked == null ? new Outcome.Unknown(cause) : new Outcome.Unreachable(cause, asked),
              cause);
      default ->
          switch (status / 100) {
            case 3 -> new Outcome.AccountBroken(status + " sends us elsewhere; check " + check);
            // Refused, so certainly not processed, but nobody said what for.
            case 4 -> open(new Outcome.NotSent(cause), cause);
            default -> open(new Outcome.Unknown(cause), cause);
          };
    };
  }

  /** What is left open: the patterns may decide. */
  private Outcome open(Outcome otherwise, String cause) {
    return permanent == null ? otherwise : permanent.or(otherwise, cause);
  }
}
