package dev.postrider.message;

/**
 * The platform's id for a part it took.
 *
 * @param accepted the platform queued the part and reports its final fate later
 */
public record Receipt(String id, boolean accepted) {}
