package dev.postrider.config;

import java.time.Duration;

/**
 * How the process as a whole takes in and hands out what platforms tell.
 *
 * @param maxDepth most events that wait to be handled; platforms are asked to tell the rest later
 * @param concurrency most events that handlers in this process have at once
 * @param handlerLease how long after its death the event of a handler in this process is given to
 *     another; renewed while it lives
 */
public record InboundQueueSettings(long maxDepth, int concurrency, Duration handlerLease) {
  public static final InboundQueueSettings DEFAULTS =
      new InboundQueueSettings(1_000_000, 64, Duration.ofSeconds(30));
}
