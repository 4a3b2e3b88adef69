package dev.postrider.store.inbound;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A wish for inbound messages to handle.
 *
 * @param accounts whose inbound messages
 * @param leases a new name for each that is wanted
 * @param latest the latest instant the clock has shown, which is {@code now} unless it was set
 *     back: what was never handed out is due if it came by then
 * @param until when the leases run out
 * @param holder the node that handles them itself, and whose end is theirs; null if it is somebody
 *     outside
 */
public record LeaseRequest(
    Set<String> accounts,
    List<UUID> leases,
    Instant now,
    Instant latest,
    Instant until,
    @Nullable String holder) {
  public LeaseRequest {
    accounts = Set.copyOf(accounts);
    leases = List.copyOf(leases);
  }

  /** By a clock that was not set. */
  public LeaseRequest(
      Set<String> accounts,
      List<UUID> leases,
      Instant now,
      Instant until,
      @Nullable String holder) {
    this(accounts, leases, now, now, until, holder);
  }
}
