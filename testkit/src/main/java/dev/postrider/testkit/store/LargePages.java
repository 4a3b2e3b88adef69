package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Pages of large things: each ends when it has bytes enough, and the next goes on exactly there.
 */
abstract class LargePages extends InboundStoreBehaviour {
  private static final int LARGE = 900_000;
  private static final int MANY = 200;

  LargePages(StoreContract contract) {
    super(contract);
  }

  private static String large(int number) {
    return number + "x".repeat(LARGE);
  }

  /** A page of a list, from a cursor on. */
  @FunctionalInterface
  private interface Pages<T> {
    Page<T> from(@Nullable String cursor);
  }

  /** All that is listed; no page is empty, and none has more than one thing too many. */
  private static <T> List<T> walk(Pages<T> pages, ToLongFunction<T> size) {
    List<T> all = new ArrayList<>();
    String cursor = null;
    int count = 0;
    do {
      Page<T> page = pages.from(cursor);
      assertThat(page.items()).as("items of page %d", ++count).isNotEmpty();
      long before = page.items().subList(0, page.items().size() - 1).stream().mapToLong(size).sum();
      assertThat(before).as("bytes before the last item").isLessThan(Page.MOST_BYTES);
      all.addAll(page.items());
      cursor = page.next();
    } while (cursor != null);
    assertThat(count).as("pages").isGreaterThan(1);
    return all;
  }

  /** Which messages are listed; whole ones would fill the log when they differ. */
  private List<MessageId> messages(MessageFilter filter) {
    return idsOf(
        walk(
            cursor -> store.list(filter, cursor, MANY),
            message -> String.valueOf(message.message().text()).length()));
  }

  private static List<MessageId> idsOf(List<StoredMessage> messages) {
    return messages.stream().map(StoredMessage::id).toList();
  }

  private static MessageFilter filter(
      Function<MessageFilter.Builder, MessageFilter.Builder> change) {
    return change.apply(new MessageFilter.Builder()).build();
  }

  @Test
  void a_page_of_messages_ends_when_it_has_bytes_enough_whatever_it_is_filtered_by() {
    List<StoredMessage> queued = new ArrayList<>();
    List<StoredMessage> failed = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String account = i % 2 == 0 ? "bot" : "other";
      lease = lease(account);
      MessageDraft draft = MessageDraft.to(account, "ann").unordered().at(at(i)).text(large(i));
      MessageDraft other = MessageDraft.to(account, "ann").unordered().at(at(i)).text(large(i));
      queued.add(stored(draft.with(to -> to.turnId("turn").sessionId("session"))));
      failed.add(ended(other, Status.FAILED, at(i)));
    }
    List<StoredMessage> both =
        Stream.iterate(7, i -> i - 1)
            .limit(8)
            .flatMap(i -> Stream.of(failed.get(i), queued.get(i)))
            .toList();

    for (MessageFilter each :
        List.of(
            MessageFilter.ALL,
            filter(with -> with.chat("ann")),
            filter(with -> with.since(at(-1))),
            filter(with -> with.text("xxx")))) {
      assertThat(messages(each)).as(each.toString()).isEqualTo(idsOf(both));
    }
    assertThat(messages(filter(with -> with.account("bot"))))
        .isEqualTo(
            idsOf(
                both.stream()
                    .filter(message -> message.message().account().equals("bot"))
                    .toList()));
    for (MessageFilter each :
        List.of(
            filter(with -> with.turnId("turn")),
            filter(with -> with.sessionId("session")),
            filter(with -> with.statuses(Set.of(Status.QUEUED))))) {
      assertThat(messages(each)).as(each.toString()).isEqualTo(idsOf(queued.reversed()));
    }
    assertThat(messages(filter(with -> with.statuses(Set.of(Status.FAILED)))))
        .isEqualTo(idsOf(failed.reversed()));
  }

  @Test
  void a_page_of_messages_under_way_ends_when_it_has_bytes_enough() {
    List<StoredMessage> sending = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sending.add(sending(to("ann").unordered().at(at(i)).text(large(i))));
    }

    assertThat(messages(filter(with -> with.statuses(Set.of(Status.SENDING)))))
        .isEqualTo(idsOf(sending.reversed()));
  }

  private InboundId hearLarge(String session, int second) {
    NewInbound small = said(session, at(second));
    InboundMessage arrival = small.arrival();
    InboundMessage large =
        new InboundMessage(
            arrival.platformId(),
            arrival.kind(),
            arrival.chat(),
            arrival.chatKind(),
            arrival.sender(),
            large(second),
            List.of(),
            null,
            null,
            null,
            null,
            Map.of());
    return hear("bot", new NewInbound(small.id(), large, session, at(second)));
  }

  private static long size(StoredInbound inbound) {
    return String.valueOf(inbound.arrival().text()).length();
  }

  @Test
  void a_page_of_events_and_of_a_sessions_history_ends_when_it_has_bytes_enough() {
    List<InboundId> heard = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      heard.add(hearLarge("s", 2 * i));
      MessageDraft answer = saying("s", 2 * i).unordered().text(large(i));
      follow(ended(answer, Status.DELIVERED, at(2 * i + 1)), 2 * i + 1);
    }

    for (InboundFilter filter :
        List.of(
            new InboundFilter(null, null, null),
            new InboundFilter("bot", null, null),
            new InboundFilter(null, "s", null),
            new InboundFilter(null, null, InboundStatus.PENDING))) {
      List<StoredInbound> listed =
          walk(cursor -> store.inbound(filter, cursor, MANY), LargePages::size);
      assertThat(ids(listed)).as(filter.toString()).isEqualTo(heard.reversed());
    }
    List<SessionEntry> history =
        walk(
            cursor -> desk().history("s", cursor, MANY),
            entry ->
                switch (entry) {
                  case SessionEntry.Heard one -> size(one.inbound());
                  case SessionEntry.Said one ->
                      String.valueOf(one.message().message().text()).length();
                });
    assertThat(history.stream().map(SessionEntry::at).toList())
        .isEqualTo(Stream.iterate(15L, i -> i - 1).limit(16).map(i -> at(i)).toList());
  }

  @Test
  void no_more_large_events_are_handed_out_at_once_than_a_page_may_have_bytes() {
    List<InboundId> heard = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      heard.add(hearLarge("session-" + i, i));
    }

    List<InboundId> first = ids(handOut(MANY, at(20), "bot"));
    List<InboundId> rest = ids(handOut(MANY, at(20), "bot"));

    assertThat(first).hasSize(5);
    assertThat(rest).hasSize(3);
    assertThat(Stream.concat(first.stream(), rest.stream())).hasSameElementsAs(heard);
  }

  @Test
  void a_page_of_reminders_runs_and_targets_ends_when_it_has_bytes_enough() {
    ReminderStore reminders = store.reminders();
    List<StoredReminder> saved = new ArrayList<>();
    List<ReminderTarget> targets = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      targets.add(new ReminderTarget("bot", "chat-" + i, null, Map.of("text", large(i))));
    }
    StoredRun run = null;
    for (int i = 0; i < 8; i++) {
      StoredReminder small = ReminderBehaviour.draft("bot", null, i);
      StoredReminder reminder =
          new StoredReminder(
              small.id(),
              small.name(),
              "bot",
              null,
              "{\"text\": \"" + large(i) + "\"}",
              0,
              1,
              at(i),
              at(i));
      assertThat(done(reminders.save(reminder, i == 0 ? targets : List.of(), null))).isTrue();
      saved.add(reminders.reminder(small.id()).orElseThrow());
      StoredRun fired =
          done(reminders.fire(ReminderBehaviour.byHand(saved.getLast(), at(i)))).orElseThrow();
      run = i == 0 ? fired : run;
    }
    StoredRun first = present(run);

    assertThat(
            walk(
                    cursor -> reminders.reminders(null, cursor, MANY),
                    reminder -> reminder.document().length())
                .stream()
                .map(StoredReminder::id))
        .isEqualTo(saved.reversed().stream().map(StoredReminder::id).toList());
    assertThat(
            walk(
                    cursor -> reminders.runs(RunFilter.ALL, cursor, MANY),
                    one -> one.document().length())
                .stream()
                .map(StoredRun::reminder))
        .isEqualTo(saved.reversed().stream().map(StoredReminder::id).toList());
    assertThat(
            walk(
                    cursor -> reminders.targets(first.id(), RunTargetFilter.ALL, cursor, MANY),
                    _ -> LARGE)
                .stream()
                .map(target -> target.target().to()))
        .isEqualTo(targets.stream().map(ReminderTarget::to).toList());
  }
}
