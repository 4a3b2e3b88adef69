package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leases on events: whoever has the current one is heard, and when the next runs out is known. */
abstract class InboundLeases extends InboundStoreBehaviour {
  InboundLeases(StoreContract contract) {
    super(contract);
  }

  // ---- leases

  @Test
  void a_lease_that_is_not_the_events_any_more_changes_nothing() {
    InboundId id = hear("s", 0);
    hear("s", 0);
    StoredInbound old = handOut(id, 1);
    again(old, 2, 2);
    assertStale(old);

    StoredInbound current = handOut(id, 3);
    assertStale(old);

    handled(current, 4);
    assertStale(old);
    assertStale(current);
  }

  private void assertStale(StoredInbound old) {
    StoredInbound before = event(old.id());
    List<InboundNote> notes = desk().notes(old.id());

    assertThat(give(CompletionDraft.of(old).at(at(9)))).isEqualTo(CompletionResult.STALE);
    assertThat(give(CompletionDraft.of(old).at(at(9)).failed("no")))
        .isEqualTo(CompletionResult.STALE);
    assertThat(give(CompletionDraft.of(old).at(at(9)).again(at(99), "no").died()))
        .isEqualTo(CompletionResult.STALE);
    assertThat(done(desk().extend(present(old.handling().lease()), at(500)))).isFalse();
    assertThat(desk().leased(present(old.handling().lease()))).isEmpty();

    assertThat(event(old.id())).isEqualTo(before);
    assertThat(desk().notes(old.id())).isEqualTo(notes);
  }

  @Test
  void a_lease_nobody_has_changes_nothing() {
    StoredInbound given = handOut(hear("s", 0), 1);

    assertThat(give(CompletionDraft.of(given).lease(nextLease())))
        .isEqualTo(CompletionResult.STALE);
    assertThat(done(desk().extend(nextLease(), at(500)))).isFalse();

    assertThat(event(given.id())).isEqualTo(given);
  }

  @Test
  void leases_run_out_when_they_were_last_told_to() {
    StoredInbound given = handOut(hear("s", 0), 1);
    assertThat(done(desk().nextLeaseExpiry())).contains(at(31));

    assertThat(done(desk().extend(present(given.handling().lease()), at(90)))).isTrue();

    assertThat(event(given.id()).handling().dueAt()).isEqualTo(at(90));
    assertThat(done(desk().nextLeaseExpiry())).contains(at(90));
    assertThat(desk().expiredLeases(at(89), 10)).isEmpty();
    assertThat(ids(desk().expiredLeases(at(90), 10))).containsExactly(given.id());
    handled(given, 91);
    assertThat(done(desk().nextLeaseExpiry())).isEmpty();
    assertThat(desk().expiredLeases(FAR, 10)).isEmpty();
  }

  @Test
  void a_lease_that_has_run_out_holds_until_the_event_is_given_back() {
    InboundId id = hear("s", 0);
    StoredInbound given = handOut(id, 1);

    assertThat(handOut(1_000)).isEmpty();
    assertThat(done(desk().extend(present(given.handling().lease()), at(1_100)))).isTrue();
    handled(given, 2_000);
  }

  @Test
  void leases_that_have_run_out_are_found_the_longest_first() {
    List<InboundId> given = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      InboundId id = hear("s" + i, 0);
      given.add(id);
      handOut(id, 10 - i);
    }

    assertThat(done(desk().nextLeaseExpiry())).contains(at(6 + LEASE));
    assertThat(ids(desk().expiredLeases(at(8 + LEASE), 10)))
        .containsExactlyElementsOf(given.subList(2, 5).reversed());
    assertThat(ids(desk().expiredLeases(at(8 + LEASE), 2)))
        .containsExactlyElementsOf(given.subList(3, 5).reversed());
  }

  @Test
  void a_node_that_is_gone_holds_nothing_any_more() {
    for (int i = 0; i < 4; i++) {
      hear("s" + i, i);
    }
    List<StoredInbound> ours = done(desk().lease(wish(2, at(4), "node 1", "bot")));
    StoredInbound theirs = done(desk().lease(wish(1, at(5), "node 2", "bot"))).getFirst();
    StoredInbound outside = handOut(1, at(6), "bot").getFirst();

    assertThat(done(desk().disown("node 1", at(10)))).isEqualTo(2);
    assertThat(ids(desk().expiredLeases(at(10), 9))).containsExactlyInAnyOrderElementsOf(ids(ours));
    assertThat(done(desk().disown("node 1", at(10)))).isZero();

    assertThat(done(desk().disown(null, at(11)))).isEqualTo(1); // the others have run out
    assertThat(ids(desk().expiredLeases(at(11), 9)))
        .containsExactlyInAnyOrder(ours.getFirst().id(), ours.getLast().id(), theirs.id());
    assertThat(event(outside.id())).isEqualTo(outside);
  }

  // ---- when to look again

  @Test
  void the_next_due_time_is_that_of_a_head_that_waits_and_no_other() {
    assertThat(done(desk().nextDue(Set.of("bot", "nobody"), at(0)))).isEmpty();
    InboundId a = hear("a", 0);
    InboundId b = hear("b", 0);
    hear("bot", "a", 3); // not a head
    hear("other", "o", 4);
    handOut(2, at(1), "bot").forEach(given -> again(given, 2, given.id().equals(a) ? 20 : 10));

    assertThat(done(desk().nextDue(Set.of("bot"), at(2)))).contains(at(10));
    assertThat(done(desk().nextDue(Set.of("bot"), at(9)))).contains(at(10));
    assertThat(done(desk().nextDue(Set.of("bot"), at(10)))).contains(at(20));
    assertThat(done(desk().nextDue(Set.of("bot"), at(20)))).isEmpty();
    assertThat(done(desk().nextDue(Set.of("bot", "other"), at(2)))).contains(at(4));
    assertThat(done(desk().nextDue(Set.of(), at(2)))).isEmpty();
    handOut(b, 10);
    assertThat(done(desk().nextDue(Set.of("bot"), at(2)))).contains(at(20));
  }
}
