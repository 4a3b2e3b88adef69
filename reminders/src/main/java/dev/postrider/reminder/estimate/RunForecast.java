package dev.postrider.reminder.estimate;

import java.util.List;

/**
 * What a reminder would come to, if it fired now.
 *
 * @param sends how many messages that are
 * @param estimate of the account that takes longest
 * @param perMinute how many it sends a minute
 * @param unknown targets that their account has never heard of, the first of them
 * @param unknownCount how many of those there are
 * @param firings the next ones of its schedule
 */
public record RunForecast(
    long sends,
    Estimate estimate,
    double perMinute,
    List<String> unknown,
    int unknownCount,
    List<FiringForecast> firings) {
  public RunForecast {
    firings = List.copyOf(firings);
    unknown = List.copyOf(unknown);
  }
}
