package dev.postrider.internal.context;

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
 * The names that chats have now, as far as this process has heard: sessions and operators' words
 * are taken to them. Whatever depends on the order of writes asks the store itself. Thread-safe.
 */
public final class ChatNames {
  private final Store store;
  private volatile Map<String, Map<String, String>> moved = Map.of(); // by account and former name

  public ChatNames(Store store) {
    this.store = store;
  }

  /** Reads them again: a chat has moved, here or elsewhere. */
  public void restore() {
    Map<String, Map<String, String>> read = new HashMap<>();
    for (ChatAlias alias : store.aliases()) {
      read.computeIfAbsent(alias.account(), _ -> new HashMap<>()).put(alias.former(), alias.chat());
    }
    moved = read;
  }

  /** The name that the chat has now: this one, unless it has moved. */
  public String now(String account, String name) {
    return moved.getOrDefault(account, Map.of()).getOrDefault(name, name);
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
    for (String each : account == null ? moved.keySet() : Set.of(account)) {
      String now = now(each, name);
      others.add(new Lane(each, now));
      former(each, now).forEach(former -> others.add(new Lane(each, former)));
    }
    others.removeIf(lane -> lane.chat().equals(name));
    return others;
  }
}
