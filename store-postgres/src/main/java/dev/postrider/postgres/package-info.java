/**
 * The store on a PostgreSQL database that any number of nodes share: group commit in batched
 * statements, leases with fences, arrivals, and a wake-up call between nodes. May touch: {@code
 * jdbc}, and core's {@code store} and {@code message} packages.
 */
@NullMarked
package dev.postrider.postgres;

import org.jspecify.annotations.NullMarked;
