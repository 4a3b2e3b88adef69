package dev.postrider.store.message;

import dev.postrider.message.Priority;
import dev.postrider.store.Store;
import java.time.Instant;

/**
 * The next message of a lane, as small as it can be: its content is read when its attempt is
 * reserved.
 *
 * @param ordered in a lane's order; if not, it neither waits for the chat's others nor holds them
 *     up
 * @param scheduled waits outside its lane for its time; must {@link Store#enter} the lane before it
 *     is sent
 */
public record Head(
    long row,
    String account,
    String chat,
    Priority priority,
    Instant dueAt,
    boolean ordered,
    boolean scheduled) {}
