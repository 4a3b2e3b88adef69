package dev.postrider.server.openclaw;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which account here an entry's messages belong to. */
final class AccountMap {
  /** What the queue calls the only account of a channel. */
  private static final String ONLY = "default";

  /** Channels whose name there is another one here. */
  private static final Map<String, String> CALLED_HERE =
      Map.of("whatsapp", "whatsapp-web", "zalouser", "zalo-personal");

  private final Map<String, AccountConfig> configured;
  private final Map<String, Channel> channels;
  private final Map<String, String> given;
  private final Map<String, AccountConfig> assumed = new HashMap<>();

  /**
   * @param configured by id
   * @param channels by name
   * @param given ids by {@code channel:account}, or by channel for those not named
   */
  AccountMap(
      Map<String, AccountConfig> configured,
      Map<String, Channel> channels,
      Map<String, String> given) {
    this.configured = configured;
    this.channels = channels;
    this.given = given;
  }

  /**
   * An account, and whether it is there already.
   *
   * @param account as it is configured, or as one of the channel without any settings
   */
  record Target(AccountConfig account, Channel channel, boolean isConfigured) {}

  /**
   * @throws Unusable if it is not clear which account is meant
   */
  Target find(String channel, @Nullable String accountThere) throws Unusable {
    String name = accountThere == null ? ONLY : accountThere;
    String key = channel + ":" + name;
    String mapped = given.getOrDefault(key, given.get(channel));
    String id = mapped != null ? mapped : usual(channel, name);
    AccountConfig known = configured.get(id);
    if (known == null) {
      return new Target(assumed(id, channel, key), channel(channel, key), false);
    }
    if (mapped == null && !fits(known, channel)) {
      throw new Unusable(
          "account '%s' here is on %s, not on %s; say which one is meant with --map %s=ACCOUNT"
              .formatted(id, known.channel(), channel, key));
    }
    return new Target(known, Objects.requireNonNull(channels.get(known.channel())), true);
  }

  /** By the same name; the only account of a channel by the channel's, as several may have one. */
  private String usual(String channel, String name) {
    AccountConfig same = configured.get(name);
    boolean theirs = same != null && fits(same, channel);
    return name.equals(ONLY) && !theirs ? channel : name;
  }

  private static boolean fits(AccountConfig account, String channel) {
    return account.channel().equals(channel) || account.channel().equals(here(channel));
  }

  private static String here(String channel) {
    return CALLED_HERE.getOrDefault(channel, channel);
  }

  private Channel channel(String channel, String key) throws Unusable {
    Channel found = channels.get(here(channel));
    if (found == null) {
      throw new Unusable(
          "Postrider has no channel '%s'; say which account takes it with --map %s=ACCOUNT"
              .formatted(channel, key));
    }
    return found;
  }

  private AccountConfig assumed(String id, String channel, String key) throws Unusable {
    Channel found = channel(channel, key);
    AccountConfig account =
        assumed.computeIfAbsent(
            id,
            _ ->
                AccountConfig.of(id, found.name())
                    .withDelivery(found.delivery(DeliverySettings.DEFAULTS)));
    if (!account.channel().equals(found.name())) {
      throw new Unusable(
          "account '%s' would be one of %s and of %s; say which one is meant with --map %s=ACCOUNT"
              .formatted(id, account.channel(), found.name(), key));
    }
    return account;
  }
}
