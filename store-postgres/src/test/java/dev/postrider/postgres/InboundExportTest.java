package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Message;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.store.Exports;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everything of an inbound store is carried to another store, and goes on there. */
class InboundExportTest {
  private final InboundFixture here = new InboundFixture();
  private final InboundFixture there = new InboundFixture();
  private Store from;
  private Store to;
  private Lease lease;

  @BeforeEach
  void open() {
    from = here.open("from");
    to = there.open("to");
    lease = here.await(from.acquire("bot", "from")).orElseThrow();
  }

  @AfterEach
  void close() {
    from.close();
    to.close();
    here.close();
    there.close();
  }

  private void move() {
    Exports.copy(from, to);
  }

  private StoredMessage deliver(NewMessage message) {
    var stored = (AcceptResult.Stored) here.await(from.accept(message));
    StoredMessage sending =
        here.await(
                from.reserve(
                    stored.message().row(), new Reservation(lease, InboundFixture.NOW, List.of())))
            .orElseThrow();
    PartState delivered = PartState.PENDING.delivered(new Receipt("r1", false));
    here.await(
        from.settle(
            new Settlement(
                sending,
                lease,
                Status.DELIVERED,
                InboundFixture.NOW,
                InboundFixture.NOW,
                true,
                new Progress(List.of(delivered)),
                null,
                null,
                false,
                false,
                null,
                List.of(),
                null)));
    return sending;
  }

  private StoredInbound handOut(String session) {
    here.hear(from, session);
    return here.handOut(from);
  }

  /** In the order in which they came. */
  private static List<String> events(Store store) {
    return Exports.lines(store, Kind.INBOUND);
  }

  @Test
  void whatever_the_state_of_an_event_it_is_the_same_there() throws SQLException {
    here.await(from.inboundStore().complete(InboundFixture.handled(handOut("handled"))));
    InboundId gone = fail(handOut("gone"));
    here.await(from.inboundStore().discard(gone, InboundFixture.NOW));
    InboundId dead = fail(handOut("dead"));
    here.await(
        from.inboundStore().complete(InboundFixture.back(handOut("again"), InboundStatus.PENDING)));
    StoredInbound leased = here.handOut(from);
    here.await(from.inboundStore().replay(dead, here.nextId(), InboundFixture.NOW));
    here.hear(from, "dead");
    here.hear(from, "paused");
    here.hear(from, "paused");
    here.await(from.inboundStore().pauseSession("paused", "a pause", InboundFixture.NOW));

    move();
    move(); // again: nothing is added

    assertThat(events(to)).isEqualTo(events(from)).hasSize(8);
    assertThat(there.wrong()).isEmpty();
    assertThat(there.await(to.depths())).isEqualTo(here.await(from.depths()));
    assertThat(Exports.lines(to, Kind.SESSION)).isEqualTo(Exports.lines(from, Kind.SESSION));
    assertThat(to.inboundStore().leased(InboundFixture.lease(leased)))
        .map(inbound -> inbound.at(0))
        .contains(leased.at(0));
    assertThat(handedOutOneByOne()).hasSize(2).isEqualTo(waitingIn(from));
  }

  private InboundId fail(StoredInbound inbound) {
    here.await(from.inboundStore().complete(InboundFixture.back(inbound, InboundStatus.FAILED)));
    return inbound.id();
  }

  /** What may be handed out there, until nothing may. */
  private List<InboundId> handedOutOneByOne() {
    List<InboundId> all = new ArrayList<>();
    while (true) {
      List<StoredInbound> events = there.await(to.inboundStore().lease(there.wish(1)));
      if (events.isEmpty()) {
        return all;
      }
      all.add(events.getFirst().id());
      there.await(to.inboundStore().complete(InboundFixture.handled(events.getFirst())));
    }
  }

  /** In the order of their rows. */
  private static List<InboundId> waitingIn(Store store) {
    return store.inbound(InboundFilter.ALL, null, 100).items().reversed().stream()
        .filter(inbound -> inbound.status() == InboundStatus.PENDING)
        .filter(inbound -> !inbound.sessionId().equals("paused"))
        .map(StoredInbound::id)
        .toList();
  }

  @Test
  void what_was_said_and_what_is_still_to_be_followed_goes_along() {
    StoredInbound inbound = handOut("s");
    Message.Builder saying =
        Message.to("bot", "ann").text("hello").turnId(inbound.id().toString()).sessionId("s");
    StoredMessage followed = deliver(here.message(saying));
    here.await(from.inboundStore().follow(followed.id(), InboundFixture.NOW));
    StoredMessage unfollowed = deliver(here.message(saying));
    here.await(from.inboundStore().complete(InboundFixture.handled(inbound)));

    move();

    assertThat(Exports.lines(to, Kind.SESSION_MESSAGE))
        .isEqualTo(Exports.lines(from, Kind.SESSION_MESSAGE))
        .hasSize(1);
    assertThat(to.inboundStore().unfollowed(null, 9).messages()).containsExactly(unfollowed.id());
    EndEffects.TurnEnd end =
        there.await(to.inboundStore().follow(unfollowed.id(), InboundFixture.NOW)).turn();
    assertThat(Objects.requireNonNull(end).state()).isEqualTo(TurnState.DELIVERED);
    assertThat(to.inboundStore().history("s", null, 9).items()).hasSize(3);
  }
}
