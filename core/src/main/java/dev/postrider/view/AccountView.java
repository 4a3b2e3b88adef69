package dev.postrider.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account for people to look at.
 *
 * @param since when its health became what it is; null if nobody knows
 * @param reason why it is not ready, in a sentence
 * @param needsLogin whether that is because a person must log it in
 * @param node the node that works it; null if none does
 * @param queued active messages, those being sent included
 * @param sending attempts under way
 * @param oldestWaitingAt when the message was accepted, or wanted to be sent, that waits longest
 * @param waitingFor why nothing of it is sent; null if something may be
 * @param share the part of the configured rate in use after the platform's complaints
 * @param outages servers that cannot be reached, the longest first; one without a name is the whole
 *     account's
 */
public record AccountView(
    String id,
    String channel,
    Health health,
    @Nullable Instant since,
    @Nullable String reason,
    boolean needsLogin,
    @Nullable String node,
    ListeningView listening,
    long queued,
    int sending,
    long deadLetters,
    double share,
    @Nullable Instant throttledUntil,
    @Nullable Instant nextProbeAt,
    @Nullable Instant oldestDueAt,
    @Nullable Instant oldestWaitingAt,
    List<Outage> outages,
    @Nullable WaitingFor waitingFor) {}
