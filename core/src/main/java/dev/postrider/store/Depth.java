package dev.postrider.store;

/** How many messages of an account are active, and how many are dead letters. */
public record Depth(String account, long active, long deadLetters) {}
