package dev.postrider.server.config;

import dev.postrider.config.DeliverySettings;

/** What was said about delivery at one of the three levels: everywhere, a channel, an account. */
class DeliveryDraft {
  final Changes<DeliverySettings.Draft> delivery = new Changes<>();
}
