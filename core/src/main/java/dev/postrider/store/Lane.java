package dev.postrider.store;

/** The name of a lane: the FIFO of one account and chat. */
public record Lane(String account, String chat) {}
