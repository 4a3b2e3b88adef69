package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.StoredInbound;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events, and what was said, are kept for a while; what waits is kept until it has ended. */
abstract class Forgetting extends InboundStoreBehaviour {
  Forgetting(StoreContract contract) {
    super(contract);
  }

  /** An event that has ended. */
  private NewInbound over(String session, long second) {
    NewInbound event = said(session, at(second));
    hear("bot", event);
    handled(handOut(event.id(), 100), 100);
    return event;
  }

  private void say(String session, long second) {
    follow(ended(saying(session, second).unordered(), Status.DELIVERED, at(second)), second);
  }

  private int prune(Instant before, int limit) {
    return done(store.pruneInbound(before, limit));
  }

  @Test
  void events_are_forgotten_once_they_were_received_long_enough_ago() {
    Instant now = at(0).plus(Duration.ofDays(30));
    NewInbound old = over("s", -1);
    NewInbound young = over("s", 0);
    done(store.receive("bot", List.of(), "c"));

    assertThat(prune(now.minus(Duration.ofDays(30)), 10)).isEqualTo(1);

    assertThat(store.inbound(old.id())).isEmpty();
    assertThat(store.inbound(young.id())).isPresent();
    assertThat(store.cursor("bot")).contains("c");
    assertThat(done(store.receive("bot", List.of(old, young), null)))
        .containsExactly(new ReceiveResult(old.id(), true), new ReceiveResult(young.id(), false));
  }

  @Test
  void what_has_not_ended_is_kept_however_old_it_is() {
    InboundId waiting = hear("waiting", 0);
    StoredInbound given = handOut(waiting, 1);
    again(given, 2, 500);
    InboundId leased = hear("leased", 3);
    handOut(leased, 3);
    over("done", 4);

    assertThat(prune(FAR, 10)).isEqualTo(2); // the event that has ended, and its session
    assertThat(prune(FAR, 10)).isZero();

    assertThat(event(waiting)).isNotNull();
    assertThat(event(leased)).isNotNull();
    handled(handOut(waiting, 500), 501);
    assertThat(prune(FAR, 10)).isEqualTo(2);
  }

  @Test
  void dead_letters_and_discarded_ones_are_forgotten_with_what_went_wrong() {
    InboundId dead = dead("a", 0);
    InboundId discarded = dead("b", 0);
    done(desk().discard(discarded, at(1)));

    prune(FAR, 10);

    for (InboundId id : List.of(dead, discarded)) {
      assertThat(store.inbound(id)).isEmpty();
      assertThat(desk().notes(id)).isEmpty();
    }
    assertThat(done(store.depths())).allMatch(depth -> depth.deadEvents() == 0);
  }

  @Test
  void what_went_wrong_with_others_stays() {
    dead("a", 0);
    InboundId kept = dead("b", 5);

    assertThat(prune(at(5), 10)).isEqualTo(2);

    assertThat(desk().notes(kept)).hasSize(1);
  }

  @Test
  void rows_rise_even_if_everything_before_was_forgotten() {
    NewInbound first = over("s", 0);
    long row = event(first.id()).row();
    prune(FAR, 10);

    reopen();

    assertThat(event(hear("s", 1)).row()).isGreaterThan(row);
  }

  @Test
  void forgetting_works_in_batches_of_the_limit_the_oldest_first() {
    for (int i = 0; i < 5; i++) {
      over("s", 10 - i);
    }
    done(desk().pauseSession("s", "so that it stays", at(0)));

    assertThat(prune(FAR, 2)).isEqualTo(2);
    assertThat(store.inbound(InboundFilter.ALL, null, 9).items())
        .extracting(StoredInbound::receivedAt)
        .containsExactly(at(8), at(9), at(10));
    assertThat(prune(FAR, 2)).isEqualTo(2);
    assertThat(prune(FAR, 2)).isEqualTo(1);
    assertThat(prune(FAR, 2)).isZero();
  }

  // ---- sessions

  @Test
  void what_was_said_is_forgotten_by_when_it_was() {
    say("s", 3);
    say("s", 4);
    say("s", 5);

    assertThat(prune(at(5), 10)).isEqualTo(2);

    assertThat(desk().history("s", null, 9).items())
        .extracting(SessionEntry::at)
        .containsExactly(at(5));
    assertThat(desk().session("s")).isPresent();
  }

  @Test
  void a_session_is_forgotten_when_nothing_of_it_is_left() {
    over("heard", 3);
    say("said", 3);
    over("both", 3);
    say("both", 5);

    assertThat(prune(at(5), 10)).isEqualTo(3 + 2);

    assertThat(desk().session("heard")).isEmpty();
    assertThat(desk().session("said")).isEmpty();
    assertThat(desk().session("both")).isPresent();
    over("heard", 6);
    assertThat(desk().session("heard").orElseThrow().waiting()).isZero();
  }

  @Test
  void a_session_is_not_forgotten_before_what_is_in_it() {
    for (int i = 0; i < 3; i++) {
      over("s", i);
      say("s", i);
    }

    int gone = 0;
    for (int more = prune(FAR, 2); more > 0; more = prune(FAR, 2)) {
      gone += more;
      assertThat(more).isLessThanOrEqualTo(2);
      boolean anything =
          !store.inbound(InboundFilter.ALL, null, 9).items().isEmpty()
              || !desk().history("s", null, 9).items().isEmpty();
      assertThat(desk().session("s").isPresent() || !anything).isTrue();
    }

    assertThat(gone).isEqualTo(3 + 3 + 1);
  }

  @Test
  void a_paused_session_is_not_forgotten() {
    over("s", 0);
    done(desk().pauseSession("s", "for a year", at(1)));

    assertThat(prune(FAR, 10)).isEqualTo(1);

    InboundId id = hear("s", 500);
    assertThat(handOut(501)).isEmpty();
    done(desk().resumeSession("s"));
    handOut(id, 502);
  }

  @Test
  void all_together_stay_within_the_limit() {
    over("s", 0);
    say("t", 0);
    DeliveryReport word = new DeliveryReport("nobody's", DeliveryReport.State.READ, at(0), null);
    done(store.report("bot", List.of(word), OnReceiptFailed.RECORD, at(0)));

    int gone = 0;
    for (int i = 0; i < 5; i++) {
      int more = prune(FAR, 1);
      assertThat(more).isEqualTo(1);
      gone += more;
    }

    assertThat(gone).isEqualTo(5); // an event, a word that was said, two sessions, a report
    assertThat(prune(FAR, 1)).isZero();
  }
}
