package dev.postrider.store;

import java.util.Map;

/**
 * What a pruning deleted.
 *
 * @param rows how many messages
 * @param deadLetters how many of them were dead letters, by account
 */
public record PruneResult(int rows, Map<String, Integer> deadLetters) {}
