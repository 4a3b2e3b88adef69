package dev.postrider.bench.scale;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The accounts: how much each sends, to how many chats, on which channel. Account 0 sends the most.
 * Chats are numbered through all accounts.
 */
final class Population {
  /** Channels whose accounts take turns, with what the product knows of them. */
  static final List<String> CHANNELS =
      List.of("telegram", "whatsapp", "discord", "slack", "msteams");

  private static final int MESSAGES_PER_CHAT = 4; // a day
  private static final int MOST_CHATS = 5_000;

  /** Of its pace; who needs more than the platform takes must have several accounts. */
  private static final double MOST_OF_PACE = 0.5;

  final int accounts;

  /** In a day, of all accounts. */
  final double messages;

  /** In a day, of all accounts. */
  final double fanouts;

  final Draw byReplies;
  final Draw byFanouts;
  private final int[] firstChat;
  private final List<Capabilities> channels = CHANNELS.stream().map(Population::product).toList();
  private final long[] settled =
      channels.stream()
          .mapToLong(it -> Math.max(settled(it.pace()), settled(it.chatPace().apply("1"))))
          .toArray();

  Population(Conditions conditions) {
    accounts = conditions.whole("accounts");
    firstChat = new int[accounts + 1];
    double[] weight = new double[accounts];
    double sum = 0;
    for (int i = 0; i < accounts; i++) {
      weight[i] = Math.pow(i + 1, -conditions.real("skew"));
      sum += weight[i];
    }
    double[] fanoutWeight = new double[accounts];
    double total = 0;
    double fanned = 0;
    for (int i = 0; i < accounts; i++) {
      double most = 86_400 * rate(channel(i).pace()) * MOST_OF_PACE / conditions.real("peak");
      double wished = weight[i] / sum * accounts * conditions.real("messages");
      weight[i] = Math.min(wished, most);
      int chats = (int) Math.clamp(Math.round(weight[i] / MESSAGES_PER_CHAT), 1, MOST_CHATS);
      firstChat[i + 1] = Math.addExact(firstChat[i], chats);
      fanoutWeight[i] = conditions.real("fanout") * weight[i] / chats;
      total += weight[i];
      fanned += fanoutWeight[i];
    }
    messages = total;
    fanouts = fanned;
    byReplies = new Draw(weight);
    byFanouts = new Draw(fanoutWeight);
  }

  private static Capabilities product(String name) {
    return ServiceLoader.load(Channel.class).stream()
        .map(provider -> provider.get())
        .filter(channel -> channel.name().equals(name))
        .findFirst()
        .orElseThrow()
        .capabilities(AccountConfig.of("simulated", name));
  }

  /** What an account may send in a second for long. */
  private static double rate(Pace pace) {
    return pace.limits().entrySet().stream()
        .mapToDouble(limit -> limit.getValue() * 1e9 / limit.getKey().toNanos())
        .min()
        .orElse(1000);
  }

  Capabilities channel(int account) {
    return channels.get(channelIndex(account));
  }

  int firstChat(int account) {
    return firstChat[account];
  }

  int chats(int account) {
    return firstChat[account + 1] - firstChat[account];
  }

  int allChats() {
    return firstChat[accounts];
  }

  int channelIndex(int account) {
    return account % channels.size();
  }

  /** After so long without a message all buckets of an account and its chats are full again. */
  long settled(int channelIndex) {
    return settled[channelIndex];
  }

  private static long settled(Pace pace) {
    return pace.limits().entrySet().stream()
        .mapToLong(
            limit ->
                micros(limit.getKey().multipliedBy(pace.burst()).dividedBy(limit.getValue()))
                    + Conditions.SECOND)
        .max()
        .orElse(0);
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
