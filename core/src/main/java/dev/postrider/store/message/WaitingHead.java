package dev.postrider.store.message;

/**
 * A message that stands first in its lane, or outside its order, and waits.
 *
 * @param paused whether its lane is paused
 */
public record WaitingHead(Lane lane, LaneBacklog.First message, boolean paused) {}
