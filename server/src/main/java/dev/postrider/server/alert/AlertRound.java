package dev.postrider.server.alert;

import dev.postrider.Postrider;
import dev.postrider.server.config.AlertSettings;
import dev.postrider.time.Scheduler;
import dev.postrider.view.AccountView;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Looks at the accounts and sends what is to be told. Does no harm when it fails: whatever was not
 * sent is sent in a later round, and every round looks at everything anew. For one thread.
 */
public final class AlertRound implements Runnable, AutoCloseable {
  private final Alerts alerts;
  private final Postrider postrider;
  private final Scheduler time;
  private final List<Digest> digests = new ArrayList<>();

  public AlertRound(AlertSettings settings, Alerts alerts, Postrider postrider) {
    this.alerts = alerts;
    this.postrider = postrider;
    this.time = postrider.time();
    if (settings.account() != null && settings.to() != null) {
      add(settings, new MessageAlertSender(postrider, settings.account(), settings.to()));
    }
    if (settings.webhook() != null && settings.webhookSecret() != null) {
      add(
          settings,
          new WebhookAlertSender(
              settings.webhook(), settings.webhookSecret(), postrider.node(), time));
    }
  }

  private void add(AlertSettings settings, AlertSender carrier) {
    digests.add(new Digest(carrier, settings.digest(), () -> UUID.randomUUID().toString()));
  }

  @Override
  public void run() {
    try {
      List<AccountView> here =
          postrider.accounts().stream().filter(account -> postrider.works(account.id())).toList();
      List<Alert> told =
          alerts.take(
              here,
              time.instant(),
              time.elapsed(),
              id -> MessageAlertSender.isAlert(postrider, id));
      digests.forEach(digest -> digest.add(told));
    } finally {
      digests.forEach(digest -> digest.send(time.instant(), time.elapsed()));
    }
  }

  @Override
  public void close() {
    digests.forEach(Digest::close);
  }
}
