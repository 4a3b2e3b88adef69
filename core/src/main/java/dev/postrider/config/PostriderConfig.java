package dev.postrider.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything an engine needs to be told.
 *
 * @param store where messages live: {@code sqlite:path}, or a JDBC URL of a store on the class path
 * @param encryptionKeys what the store keeps contents under; {@link EncryptionKeys#OFF} unless
 *     given
 * @param channelPaces pace shared by all accounts of a channel that this process works
 */
public record PostriderConfig(
    String store,
    OnUnavailable onUnavailable,
    EncryptionKeys encryptionKeys,
    QueueSettings queue,
    MediaSettings media,
    InboundQueueSettings inboundQueue,
    ClusterSettings cluster,
    Map<String, Pace> channelPaces,
    List<AccountConfig> accounts) {

  /** What happens when the store cannot be opened. */
  public enum OnUnavailable {
    /** Do not start, and say why. */
    REFUSE,
    /** Run in memory; every answer says that it is not durable. */
    MEMORY
  }

  public PostriderConfig {
    channelPaces = Map.copyOf(channelPaces);
    accounts = List.copyOf(accounts);
  }

  public static PostriderConfig store(String url) {
    return new PostriderConfig(
        url,
        OnUnavailable.REFUSE,
        EncryptionKeys.OFF,
        QueueSettings.DEFAULTS,
        MediaSettings.DEFAULTS,
        InboundQueueSettings.DEFAULTS,
        ClusterSettings.ofThisProcess(),
        Map.of(),
        List.of());
  }

  public PostriderConfig account(AccountConfig account) {
    List<AccountConfig> all = new ArrayList<>(accounts);
    all.add(account);
    return new PostriderConfig(
        store,
        onUnavailable,
        encryptionKeys,
        queue,
        media,
        inboundQueue,
        cluster,
        channelPaces,
        all);
  }

  public PostriderConfig queue(QueueSettings settings) {
    return new PostriderConfig(
        store,
        onUnavailable,
        encryptionKeys,
        settings,
        media,
        inboundQueue,
        cluster,
        channelPaces,
        accounts);
  }

  public PostriderConfig media(MediaSettings settings) {
    return new PostriderConfig(
        store,
        onUnavailable,
        encryptionKeys,
        queue,
        settings,
        inboundQueue,
        cluster,
        channelPaces,
        accounts);
  }

  public PostriderConfig inboundQueue(InboundQueueSettings settings) {
    return new PostriderConfig(
        store,
        onUnavailable,
        encryptionKeys,
        queue,
        media,
        settings,
        cluster,
        channelPaces,
        accounts);
  }

  public PostriderConfig channelPace(String channel, Pace pace) {
    Map<String, Pace> all = new LinkedHashMap<>(channelPaces);
    all.put(channel, pace);
    return new PostriderConfig(
        store, onUnavailable, encryptionKeys, queue, media, inboundQueue, cluster, all, accounts);
  }

  public PostriderConfig onUnavailable(OnUnavailable choice) {
    return new PostriderConfig(
        store, choice, encryptionKeys, queue, media, inboundQueue, cluster, channelPaces, accounts);
  }

  /** Keeps contents encrypted in the store. */
  public PostriderConfig encryptionKeys(EncryptionKeys keys) {
    return new PostriderConfig(
        store, onUnavailable, keys, queue, media, inboundQueue, cluster, channelPaces, accounts);
  }

  public PostriderConfig cluster(ClusterSettings settings) {
    return new PostriderConfig(
        store,
        onUnavailable,
        encryptionKeys,
        queue,
        media,
        inboundQueue,
        settings,
        channelPaces,
        accounts);
  }

  /** The same with other accounts. */
  public PostriderConfig accounts(List<AccountConfig> all) {
    return new PostriderConfig(
        store,
        onUnavailable,
        encryptionKeys,
        queue,
        media,
        inboundQueue,
        cluster,
        channelPaces,
        all);
  }
}
