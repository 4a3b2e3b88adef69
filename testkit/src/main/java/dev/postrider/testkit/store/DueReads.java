package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.WaitingHeads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is due and when the next will be, what expires next, how much there is. */
abstract class DueReads extends StoreBehaviour {
  DueReads(StoreContract contract) {
    super(contract);
  }

  private List<Long> due(Priority priority, long second) {
    return done(store.due("bot", priority, at(second), null, 99)).stream().map(Head::row).toList();
  }

  @Test
  void heads_are_due_the_longest_due_first() {
    StoredMessage third = stored(to("c").at(at(3)));
    StoredMessage first = stored(to("a").at(at(1)));
    StoredMessage second = stored(to("b").at(at(2)));

    assertThat(due(Priority.LIVE, 5)).containsExactly(first.row(), second.row(), third.row());
    assertThat(due(Priority.LIVE, 2)).containsExactly(first.row(), second.row());
    assertThat(due(Priority.LIVE, 0)).isEmpty();
  }

  @Test
  void what_is_due_is_asked_by_priority_and_account() {
    lease("other");
    StoredMessage live = stored(to("a"));
    StoredMessage bulk = stored(to("b").bulk());
    StoredMessage other = stored(MessageDraft.to("other", "a"));

    assertThat(due(Priority.LIVE, 1)).containsExactly(live.row());
    assertThat(due(Priority.BULK, 1)).containsExactly(bulk.row());
    assertThat(heads("other")).extracting(Head::row).containsExactly(other.row());
    assertThat(heads("nobody")).isEmpty();
  }

  @Test
  void pages_of_what_is_due_follow_each_other_also_over_equal_times() {
    List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      writes.add(store.accept(to("chat" + i).at(at(i / 40)).build()));
    }
    writes.forEach(this::done);

    List<Head> paged = new ArrayList<>();
    List<Head> page = page(null);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(7);
      paged.addAll(page);
      assertThat(paged).as("a list that ends").hasSizeLessThanOrEqualTo(100);
      page = page(paged.getLast());
    }

    assertThat(paged).hasSize(100).doesNotHaveDuplicates().isEqualTo(heads("bot"));
    assertThat(paged).extracting(Head::dueAt).isSorted();
  }

  private List<Head> page(@Nullable Head after) {
    return done(store.due("bot", Priority.LIVE, at(9), after, 7));
  }

  @Test
  void a_page_goes_on_after_a_head_that_is_gone() {
    List<StoredMessage> messages = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      messages.add(stored(to("chat" + i)));
    }
    List<Head> first = done(store.due("bot", Priority.LIVE, at(9), null, 2));
    reserve(messages.get(1), at(9));

    assertThat(done(store.due("bot", Priority.LIVE, at(9), first.getLast(), 9)))
        .extracting(Head::row)
        .containsExactly(messages.get(2).row(), messages.get(3).row());
  }

  @Test
  void a_message_under_way_or_behind_another_is_not_due() {
    sending(to("a"));
    accept(to("a"));

    assertThat(due(Priority.LIVE, 9)).isEmpty();
  }

  // ---- next and oldest

  @Test
  void the_next_due_time_is_after_now_whatever_the_priority() {
    accept(to("a").at(at(1)));
    accept(to("b").bulk().due(at(5)));
    accept(to("c").due(at(7)));

    assertThat(done(store.nextDue("bot", at(0)))).contains(at(1));
    assertThat(done(store.nextDue("bot", at(1)))).contains(at(5));
    assertThat(done(store.nextDue("bot", at(5)))).contains(at(7));
    assertThat(done(store.nextDue("bot", at(7)))).isEmpty();
    assertThat(done(store.nextDue("nobody", at(0)))).isEmpty();
  }

  @Test
  void the_next_due_time_is_that_of_a_head() {
    sending(to("a"));
    accept(to("a").at(at(3)));

    assertThat(done(store.nextDue("bot", at(0)))).isEmpty();
  }

  @Test
  void the_oldest_due_head_tells_since_when_it_is_due() {
    accept(to("a").bulk().at(at(2)));
    accept(to("b").at(at(4)));

    assertThat(store.oldestDue("bot", at(1))).isEmpty();
    assertThat(store.oldestDue("bot", at(2))).contains(at(2));
    assertThat(store.oldestDue("bot", at(9))).contains(at(2));
    assertThat(store.oldestDue("nobody", at(9))).isEmpty();
  }

  @Test
  void heads_that_wait_are_counted_by_kind_and_no_further_than_asked() {
    accept(to("a").at(at(1)));
    accept(to("a").at(at(1))); // behind it
    accept(to("b").bulk().at(at(2)));
    accept(to("c").due(at(7)));
    StoredMessage tried = sending(to("d"));
    settle(SettlementDraft.of(tried, lease).at(at(1)).again(at(6)));
    sending(to("e"));
    accept(to("f"));
    accept(to("f")); // behind it
    done(store.pauseLane(new PausedLane("bot", "f", "on holiday", at(3))));

    assertThat(store.waitingHeads("bot", at(5), 10)).isEqualTo(new WaitingHeads(2, 1, 1, 1, false));
    assertThat(store.waitingHeads("bot", at(9), 10)).isEqualTo(new WaitingHeads(4, 1, 0, 0, false));
    assertThat(store.waitingHeads("bot", at(9), 3).more()).isTrue();
    assertThat(store.waitingHeads("nobody", at(9), 10)).isEqualTo(WaitingHeads.NONE);
  }

  @Test
  void heads_that_wait_are_given_by_kind_the_first_of_each() {
    accept(to("a").at(at(1)));
    accept(to("a").at(at(1))); // behind it
    accept(to("b").at(at(2)));
    accept(to("c").due(at(7)));
    StoredMessage tried = sending(to("d"));
    settle(SettlementDraft.of(tried, lease).at(at(1)).again(at(6)));
    sending(to("e"));
    accept(to("f"));
    done(store.pauseLane(new PausedLane("bot", "f", "on holiday", at(3))));

    assertThat(waiting(10)).containsExactlyInAnyOrder("a", "b", "c later", "d", "f paused");
    assertThat(waiting(1)).containsExactlyInAnyOrder("a", "d", "f paused");
    assertThat(store.waiting("nobody", at(5), 10)).isEmpty();
  }

  private List<String> waiting(int most) {
    return store.waiting("bot", at(5), most).stream()
        .map(
            head ->
                head.lane().chat()
                    + (head.message().scheduled() ? " later" : "")
                    + (head.paused() ? " paused" : ""))
        .toList();
  }

  @Test
  void a_promoted_message_is_due_since_it_was_promoted() {
    StoredMessage first = sending(to("a"));
    accept(to("a").at(at(1)));

    deliver(first, at(6));

    assertThat(store.oldestDue("bot", at(9))).contains(at(6));
  }

  @Test
  void the_next_expiry_is_the_earliest_of_what_is_queued() {
    assertThat(done(store.nextExpiry())).isEmpty();
    sending(to("a").expires(at(3)));
    assertThat(done(store.nextExpiry())).isEmpty();
    accept(to("b").expires(at(20)));
    accept(to("b").expires(at(10)));
    accept(MessageDraft.to("other", "b").expires(at(15)));
    assertThat(done(store.nextExpiry())).contains(at(10));

    done(store.expire(at(10), 9));

    assertThat(done(store.nextExpiry())).contains(at(15));
  }

  // ---- counts

  @Test
  void depths_count_what_is_active_and_what_is_dead() {
    lease("other");
    accept(to("a"));
    accept(to("a"));
    accept(to("a").unordered());
    accept(to("a").due(at(60)));
    sending(to("b"));
    ended(to("c"), Status.DELIVERED, at(1));
    ended(to("c"), Status.CANCELLED, at(1));
    ended(to("c"), Status.FAILED, at(1));
    ended(to("c"), Status.HELD, at(1));
    ended(to("c"), Status.EXPIRED, at(1));
    accept(MessageDraft.to("other", "a"));

    assertThat(done(store.depths()))
        .containsExactlyInAnyOrder(
            new QueueDepth("bot", 5, 3, 0, 0), new QueueDepth("other", 1, 0, 0, 0));
  }

  @Test
  void depths_count_an_account_that_has_dead_letters_only() {
    ended(to("c"), Status.FAILED, at(1));

    assertThat(done(store.depths())).containsExactly(new QueueDepth("bot", 0, 1, 0, 0));
  }
}
