package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.StoredMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who works an account: one at a time, and whoever lost it is told so. */
abstract class Leases extends StoreBehaviour {
  Leases(StoreContract contract) {
    super(contract);
  }

  @Test
  void a_second_owner_is_refused_while_the_first_holds() {
    Lease first = done(store.acquire("account", "one")).orElseThrow();

    assertThat(done(store.acquire("account", "two"))).isEmpty();

    assertThat(first.account()).isEqualTo("account");
    assertThat(done(store.release(first))).isTrue();
  }

  @Test
  void a_released_lease_can_be_taken_at_once_with_a_higher_fence() {
    Lease first = done(store.acquire("account", "one")).orElseThrow();
    done(store.release(first));

    Lease second = done(store.acquire("account", "two")).orElseThrow();

    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  @Test
  void an_owner_that_takes_its_lease_again_loses_the_older_one() {
    Lease first = done(store.acquire("account", "one")).orElseThrow();
    Lease second = done(store.acquire("account", "one")).orElseThrow();

    assertThat(second.fence()).isGreaterThan(first.fence());
    assertThat(done(store.release(first))).isFalse();
    assertThat(done(store.acquire("account", "two"))).isEmpty();
    assertThat(done(store.release(second))).isTrue();
  }

  @Test
  void a_lease_is_released_once() {
    Lease lease = done(store.acquire("account", "one")).orElseThrow();

    assertThat(done(store.release(lease))).isTrue();
    assertThat(done(store.release(lease))).isFalse();
  }

  @Test
  void leases_of_two_accounts_are_independent() {
    assertThat(done(store.acquire("a", "one"))).isPresent();

    assertThat(done(store.acquire("b", "two"))).isPresent();
  }

  @Test
  void nothing_is_done_under_a_released_lease() {
    StoredMessage queued = stored(to("ann"));
    StoredMessage sending = sending(to("ben"));
    done(store.release(lease));

    assertThat(failure(store.reserve(queued.row(), leave(at(1))))).isInstanceOf(LeaseLost.class);
    assertThat(failure(store.settle(SettlementDraft.of(sending, lease).build())))
        .isInstanceOf(LeaseLost.class);
    assertThat(failure(store.progress(sending, lease, sending.progress(), null)))
        .isInstanceOf(LeaseLost.class);
    assertThat(find(queued.id())).isEqualTo(queued);
    assertThat(find(sending.id())).isEqualTo(sending);
  }

  @Test
  void a_message_is_accepted_under_a_released_lease_but_not_reserved() {
    done(store.release(lease));

    AcceptResult.Stored stored = accept(to("ann").reserve(leave(at(1))));

    assertThat(stored.reserved()).isFalse();
    assertThat(stored.message().attempts()).isZero();
    assertThat(find(stored.message().id())).isEqualTo(stored.message());
  }

  @Test
  void accepting_without_an_attempt_needs_no_lease() {
    done(store.release(lease));

    accept(to("ann"));
  }

  @Test
  void a_lease_taken_and_released_beside_a_refused_write_is_not_disturbed() {
    Lease lost = lease;
    lease = lease("bot");
    StoredMessage queued = stored(to("ann"));

    var taken = store.acquire("account", "one");
    var refused = store.reserve(queued.row(), new Reservation(lost, at(1), List.of()));
    var released = store.release(lease);

    assertThat(done(taken)).isPresent();
    assertThat(failure(refused)).isInstanceOf(LeaseLost.class);
    assertThat(done(released)).isTrue();
    assertThat(done(store.acquire("account", "two"))).isEmpty();
    assertThat(done(store.acquire("bot", "two"))).isPresent();
  }

  @Test
  void the_fence_grows_over_reopenings() {
    long before = lease.fence();

    reopen();
    assertThat(lease.fence()).isGreaterThan(before);
    long between = lease.fence();
    reopen();
    assertThat(lease.fence()).isGreaterThan(between);
  }

  @Test
  void a_lease_of_before_reopening_is_lost() {
    StoredMessage queued = stored(to("ann"));
    var old = leave(at(1));

    reopen();

    assertThat(failure(store.reserve(queued.row(), old))).isInstanceOf(LeaseLost.class);
  }
}
