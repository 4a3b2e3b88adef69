package dev.postrider.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One configured identity on a channel.
 *
 * @param settings what the channel itself understands: {@code token}, {@code baseUrl}, …. Never
 *     printed: it may hold secrets
 */
public record AccountConfig(
    String id,
    String channel,
    Map<String, Object> settings,
    AccountPace pace,
    ContentSettings content,
    DeliverySettings delivery,
    InboundSettings inbound) {

  public AccountConfig {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  public static AccountConfig of(String id, String channel) {
    return new AccountConfig(
        id,
        channel,
        Map.of(),
        AccountPace.CHANNEL_DEFAULT,
        ContentSettings.CHANNEL_DEFAULT,
        DeliverySettings.DEFAULTS,
        InboundSettings.DEFAULTS);
  }

  public AccountConfig set(String key, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(settings);
    all.put(key, value);
    return new AccountConfig(id, channel, all, pace, content, delivery, inbound);
  }

  public AccountConfig withPace(AccountPace value) {
    return new AccountConfig(id, channel, settings, value, content, delivery, inbound);
  }

  public AccountConfig withDelivery(DeliverySettings value) {
    return new AccountConfig(id, channel, settings, pace, content, value, inbound);
  }

  public AccountConfig withContent(ContentSettings value) {
    return new AccountConfig(id, channel, settings, pace, value, delivery, inbound);
  }

  public AccountConfig withInbound(InboundSettings value) {
    return new AccountConfig(id, channel, settings, pace, content, delivery, value);
  }

  /** A text setting, or null if it is not there. */
  public @Nullable String text(String key) {
    Object value = settings.get(key);
    return value == null ? null : value.toString();
  }

  /** A text setting, or what to take if it is not there. */
  public String text(String key, String otherwise) {
    String value = text(key);
    return value == null ? otherwise : value;
  }

  @Override
  public String toString() {
    return "account " + id + " on " + channel;
  }
}
