package dev.postrider.store.message;

import java.time.Instant;
import java.util.List;

/**
 * Leave to make one attempt.
 *
 * @param lease under which the attempt is made
 * @param spent the tokens taken for it, stored in the same write
 */
public record Reservation(Lease lease, Instant at, List<Budget> spent) {
  public Reservation {
    spent = List.copyOf(spent);
  }
}
