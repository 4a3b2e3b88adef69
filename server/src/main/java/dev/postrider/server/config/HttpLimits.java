package dev.postrider.server.config;

import java.time.Duration;

/**
 * How much the server takes on from outside at once.
 *
 * @param headerTimeout how long a request's head may take to arrive, and a new connection to say
 *     anything
 * @param writeTimeout how long a piece of an answer may wait for the other side to read
 * @param bodiesLimit most bytes of bodies in memory, of all requests together
 * @param connections most connections in all
 * @param connectionsPerAddress most connections from one address
 * @param failuresPerMinute most requests of one address with a wrong token or signature, or none
 */
public record HttpLimits(
    Duration headerTimeout,
    Duration writeTimeout,
    long bodiesLimit,
    int connections,
    int connectionsPerAddress,
    int failuresPerMinute) {
  public static final HttpLimits DEFAULT =
      new HttpLimits(Duration.ofSeconds(20), Duration.ofSeconds(20), 64 << 20, 10_000, 5_000, 60);
}
