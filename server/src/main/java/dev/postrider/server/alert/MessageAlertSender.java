package dev.postrider.server.alert;

import dev.postrider.Postrider;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Sends alerts as an ordinary message through one of the accounts. It is marked in its metadata, so
 * that its own end never causes an alert; and that its own account is down is not for it to tell.
 */
final class MessageAlertSender implements AlertSender {
  static final String MARK = "postrider.alert";

  private final Postrider postrider;
  private final String account;
  private final String to;

  MessageAlertSender(Postrider postrider, String account, String to) {
    this.postrider = postrider;
    this.account = account;
    this.to = to;
  }

  /** Whether a message is one of ours, sent by this process or another. */
  static boolean isAlert(Postrider postrider, MessageId id) {
    return postrider
        .find(id)
        .map(stored -> stored.message().metadata().containsKey(MARK))
        .orElse(false);
  }

  @Override
  public String name() {
    return "a chat of account " + account;
  }

  @Override
  public boolean takes(Alert alert) {
    return !(alert.kind().disablesAccount() && alert.account().equals(account));
  }

  @Override
  public void carry(String id, Instant at, List<Alert> alerts) throws CannotCarry {
    String lines = alerts.stream().map(MessageAlertSender::line).collect(Collectors.joining("\n"));
    try {
      postrider.send(
          Message.to(account, to)
              .text("Postrider " + postrider.node() + "\n" + lines)
              .format(Format.PLAIN)
              .idempotencyKey("alert-" + id)
              .metadata(Map.of(MARK, id))
              .build());
    } catch (Refused | StoreUnavailable | StoreClosed e) {
      throw new CannotCarry(String.valueOf(e.getMessage()));
    }
  }

  private static String line(Alert alert) {
    return (alert.over() ? "Over: " : "- ") + alert.text();
  }
}
