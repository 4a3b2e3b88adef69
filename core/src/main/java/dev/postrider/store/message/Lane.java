package dev.postrider.store.message;

/** The name of a lane: the FIFO of one account and chat. */
public record Lane(String account, String chat) {}
