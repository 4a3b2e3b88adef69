package dev.postrider.store.history;

import java.time.Instant;
import java.util.UUID;

/**
 * Something an operator did, or tried to do.
 *
 * @param operator the name of the token he came with
 * @param action in the words of the command line: {@code accounts pause}
 * @param target to what, and with which options; empty if to nothing in particular
 * @param outcome {@code done}, or why it was not
 */
public record AuditEntry(
    Instant at, UUID id, String operator, String action, String target, String outcome) {}
