package dev.postrider.server.config;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What operators are told, and where: through an account, as a webhook, or both.
 *
 * @param account sends alerts to the chat {@code to}; null: none does
 * @param webhook where alerts are posted, signed with the secret; null: nowhere
 * @param digest several alerts within this time are one message
 * @param accountDown how long an account may be broken or unreachable; empty: for ever
 * @param deaf how long an account may not hear what is written to it; empty: for ever
 * @param oldestWaiting how long a message may wait; empty: for ever
 */
public record AlertSettings(
    @Nullable String account,
    @Nullable String to,
    @Nullable URI webhook,
    @Nullable String webhookSecret,
    Duration digest,
    Optional<Duration> accountDown,
    Optional<Duration> deaf,
    Optional<Duration> oldestWaiting,
    boolean deadLetters,
    boolean runEnded) {

  /** Nobody is told; everything else is as usual. */
  public static final AlertSettings OFF =
      new AlertSettings(
          null,
          null,
          null,
          null,
          Duration.ofMinutes(1),
          Optional.of(Duration.ofMinutes(5)),
          Optional.of(Duration.ofMinutes(5)),
          Optional.of(Duration.ofMinutes(15)),
          true,
          true);

  /** Whether anybody is told anything. */
  public boolean on() {
    return account != null || webhook != null;
  }

  /** Whether alerts go to this chat. */
  public boolean carries(String byAccount, String chat) {
    return byAccount.equals(account) && chat.equals(to);
  }

  @Override
  public String toString() {
    return "alerts"
        + (account == null ? "" : " by account " + account)
        + (webhook == null ? "" : " to " + webhook.getHost());
  }
}
