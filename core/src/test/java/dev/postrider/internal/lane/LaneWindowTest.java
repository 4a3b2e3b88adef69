package dev.postrider.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Priority;
import dev.postrider.store.message.Head;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an account knows of its lanes, and when it looks again. */
class LaneWindowTest {
  private static final Instant DUE = Instant.parse("2026-03-01T12:00:00Z");

  private final LaneWindow window = new LaneWindow();

  private static Head head(long row, String chat, Instant dueAt) {
    return new Head(row, "bot", chat, Priority.LIVE, dueAt, true, false);
  }

  /** Everything there is has been read. */
  private void readAll(Head... page) {
    for (DueHeads dueHeads : window.hungryShelves()) {
      dueHeads.beginPage();
      window.endPage(dueHeads, dueHeads.priority == Priority.LIVE ? List.of(page) : List.of(), DUE);
    }
    assertThat(window.hungryShelves()).isEmpty();
  }

  @Test
  void a_head_that_arrived_while_a_page_was_read_is_not_sent_if_its_lane_was_paused_meanwhile() {
    DueHeads live = window.shelf(Priority.LIVE);
    live.beginPage();
    window.add(head(1, "ann", DUE));
    window.pause("ann");

    window.endPage(live, List.of(), DUE);

    assertThat(window.next()).isNull();
    window.resume("ann");
    assertThat(window.hungryShelves()).contains(live);
  }

  @Test
  void a_bulk_head_that_arrived_while_a_page_was_read_becomes_urgent_too() {
    DueHeads bulk = window.shelf(Priority.BULK);
    bulk.beginPage();
    window.add(new Head(1, "bot", "ann", Priority.BULK, DUE, true, false));
    window.urgent("ann");

    window.endPage(bulk, List.of(), DUE);
    DueHeads live = window.shelf(Priority.LIVE);
    live.beginPage();
    window.endPage(live, List.of(head(1, "ann", DUE)), DUE);

    assertThat(window.next()).isEqualTo(head(1, "ann", DUE));
    assertThat(window.next()).isNull();
  }

  @Test
  void a_row_that_was_told_of_while_it_was_in_flight_is_looked_at_when_it_has_landed() {
    readAll(head(1, "ann", DUE));
    window.takeOff(1, DUE);
    window.add(head(1, "ann", DUE.plusSeconds(1)));

    window.land(1);

    assertThat(window.hungryShelves()).isNotEmpty();
  }

  @Test
  void a_row_that_a_page_shows_due_again_while_it_is_in_flight_is_looked_at_when_it_has_landed() {
    readAll(head(1, "ann", DUE));
    window.takeOff(1, DUE);
    window.lookAgain();
    readAll(head(1, "ann", DUE.plusSeconds(1)));

    window.land(1);

    assertThat(window.hungryShelves()).isNotEmpty();
  }

  @Test
  void a_page_that_shows_a_row_as_it_was_when_it_took_off_makes_nobody_look() {
    readAll(head(1, "ann", DUE));
    window.takeOff(1, DUE);
    window.lookAgain();
    readAll(head(1, "ann", DUE));

    window.land(1);

    assertThat(window.hungryShelves()).isEmpty();
  }
}
