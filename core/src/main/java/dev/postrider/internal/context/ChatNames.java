package dev.postrider.internal.context;

import dev.postrider.channel.Alias;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.Store;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.Lane;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The names that chats have: each in the one spelling that its channel gives it, and if it has
 * moved, the one that it has now, as far as this process has heard. Whoever names a chat comes by
 * here. Whatever depends on the order of writes asks the store itself. Thread-safe.
 */
public final class ChatNames {
  /** How a channel spells the address of a chat. */
  @FunctionalInterface
  public interface Spelling {
    /**
     * @throws InvalidInput if it cannot be an address
     */
    String of(String account, String name);
  }

  private final Store store;
  private final Set<String> accounts;
  private final Spelling spelling;
  private volatile Map<String, Map<String, String>> moved = Map.of(); // by account and former name
  private volatile Map<String, Map<String, String>> told = Map.of(); // whose lanes are not joined
  private volatile Consumer<String> joiner = _ -> {};
  private int changes; // of what was told; guarded by this

  /**
   * @param accounts all that are configured
   */
  public ChatNames(Store store, Set<String> accounts, Spelling spelling) {
    this.store = store;
    this.accounts = Set.copyOf(accounts);
    this.spelling = spelling;
  }

  /**
   * The chat's address as its channel spells it.
   *
   * @throws InvalidInput if it cannot be an address
   */
  public String canonical(String account, String name) {
    return spelling.of(account, name);
  }

  /** The same, of what is there already: it stays as it is if it cannot be an address. */
  public String spelled(String account, String name) {
    try {
      return canonical(account, name);
    } catch (InvalidInput e) {
      return name;
    }
  }

  /** Is told of accounts whose platform has told of another name, from now on. */
  public void onTold(Consumer<String> join) {
    joiner = join;
  }

  /** Reads them again: a chat has moved, here or elsewhere, or is about to. */
  public void restore() {
    while (true) {
      int before = changes();
      Map<String, Map<String, String>> toldNow = byAccount(store.toldAliases());
      Map<String, Map<String, String>> movedNow = byAccount(store.aliases());
      synchronized (this) {
        if (before == changes) {
          told = toldNow;
          moved = movedNow;
          return;
        } // told of meanwhile, perhaps after the look
      }
    }
  }

  private synchronized int changes() {
    return changes;
  }

  private static Map<String, Map<String, String>> byAccount(List<ChatAlias> aliases) {
    Map<String, Map<String, String>> all = new HashMap<>();
    for (ChatAlias alias : aliases) {
      all.computeIfAbsent(alias.account(), _ -> new HashMap<>()).put(alias.former(), alias.chat());
    }
    return all;
  }

  // ---- names that a platform tells

  /** Those that are not known yet, as the channel spells them. */
  public List<Alias> news(String account, List<Alias> aliases) {
    return aliases.stream()
        .map(alias -> new Alias(spelled(account, alias.former()), spelled(account, alias.chat())))
        .filter(alias -> !now(account, alias.former()).equals(now(account, alias.chat())))
        .toList();
  }

  /** They are stored: whoever works the account joins their lanes. */
  public void told(String account, List<Alias> aliases) {
    if (aliases.isEmpty()) {
      return;
    }
    synchronized (this) {
      changes++;
      Map<String, Map<String, String>> all = new HashMap<>(told);
      Map<String, String> ofAccount = new HashMap<>(all.getOrDefault(account, Map.of()));
      aliases.forEach(alias -> ofAccount.put(alias.former(), alias.chat()));
      all.put(account, ofAccount);
      told = all;
    }
    joiner.accept(account);
  }

  /** Names whose lanes are to be joined, each with the name that its chat is to have. */
  public Map<String, String> told(String account) {
    return told.getOrDefault(account, Map.of());
  }

  /** The name that the chat has now, if these are told of besides. */
  String now(String account, String name, List<Alias> besides) {
    String present = now(account, name);
    for (Alias alias : besides) {
      if (alias.former().equals(present)) {
        return now(account, alias.chat());
      }
    }
    return present;
  }

  // ---- names

  /** The name that the chat has now, however it is written and whatever it was called before. */
  public String now(String account, String name) {
    Map<String, String> former = moved.getOrDefault(account, Map.of());
    String present = former.get(name);
    if (present == null) {
      String spelled = spelled(account, name);
      present = former.getOrDefault(spelled, spelled);
    }
    String other = told(account).get(present);
    return other == null ? present : former.getOrDefault(other, other);
  }

  /**
   * The name that a lane's chat is to have from now on: its platform uses it besides, or its
   * channel spells it in another way than whoever filled the lane. Null if it has the right one, or
   * has moved already.
   */
  public @Nullable String newName(String account, String chat) {
    if (moved.getOrDefault(account, Map.of()).containsKey(chat)) {
      return null;
    }
    String other = told(account).get(chat);
    String name = other == null ? spelled(account, chat) : other;
    return name.equals(chat) ? null : name;
  }

  /** The names that the chat had before, in order. */
  public List<String> former(String account, String chat) {
    return moved.getOrDefault(account, Map.of()).entrySet().stream()
        .filter(alias -> alias.getValue().equals(chat))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /**
   * All other names of the chat: the one that it has now, and those that it had before.
   *
   * @param account null for any
   */
  public Set<Lane> others(@Nullable String account, String name) {
    Set<Lane> others = new HashSet<>();
    for (String each : account == null ? accounts : Set.of(account)) {
      String now = now(each, name);
      others.add(new Lane(each, now));
      former(each, now).forEach(former -> others.add(new Lane(each, former)));
    }
    others.removeIf(lane -> lane.chat().equals(name));
    return others;
  }
}
