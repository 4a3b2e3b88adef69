package dev.postrider.engine;

import dev.postrider.store.ChatAlias;
import dev.postrider.store.Store;
import java.util.HashMap;
import java.util.Map;

/**
 * The names that chats have now, as far as this process has heard: sessions and operators' words
 * are taken to them. Whatever depends on the order of writes asks the store itself. Thread-safe.
 */
final class ChatNames {
  private final Store store;
  private volatile Map<String, Map<String, String>> moved = Map.of(); // by account and former name

  ChatNames(Store store) {
    this.store = store;
  }

  /** Reads them again: a chat has moved, here or elsewhere. */
  void restore() {
    Map<String, Map<String, String>> read = new HashMap<>();
    for (ChatAlias alias : store.aliases()) {
      read.computeIfAbsent(alias.account(), _ -> new HashMap<>()).put(alias.former(), alias.chat());
    }
    moved = read;
  }

  /** The name that the chat has now: this one, unless it has moved. */
  String now(String account, String name) {
    return moved.getOrDefault(account, Map.of()).getOrDefault(name, name);
  }
}
