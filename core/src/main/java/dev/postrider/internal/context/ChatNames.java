package dev.postrider.internal.context;

import dev.postrider.problem.InvalidInput;
import dev.postrider.store.Store;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.Lane;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** Reads them again: a chat has moved, here or elsewhere. */
  public void restore() {
    Map<String, Map<String, String>> read = new HashMap<>();
    for (ChatAlias alias : store.aliases()) {
      read.computeIfAbsent(alias.account(), _ -> new HashMap<>()).put(alias.former(), alias.chat());
    }
    moved = read;
  }

  /** The name that the chat has now, however it is written and whatever it was called before. */
  public String now(String account, String name) {
    Map<String, String> former = moved.getOrDefault(account, Map.of());
    String present = former.get(name);
    if (present == null) {
      String spelled = spelled(account, name);
      present = former.getOrDefault(spelled, spelled);
    }
    return present;
  }

  /**
   * The name that a lane's chat is to have from now on: its channel spells it in another way than
   * whoever filled the lane. Null if it has the right one, or has moved already.
   */
  public @Nullable String newName(String account, String chat) {
    String spelled = spelled(account, chat);
    return spelled.equals(chat) || moved.getOrDefault(account, Map.of()).containsKey(chat)
        ? null
        : spelled;
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
