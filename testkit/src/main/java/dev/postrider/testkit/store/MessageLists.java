package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.SessionKey;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.Retention;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.DeadLetterGroups;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists of messages: every filter, page by page, and no page that never ends. */
abstract class MessageLists extends StoreBehaviour {
  MessageLists(StoreContract contract) {
    super(contract);
  }

  /** Walks the whole list. */
  private List<StoredMessage> walk(MessageFilter filter, int limit) {
    List<StoredMessage> all = new ArrayList<>();
    String cursor = null;
    int pages = 0;
    do {
      Page<StoredMessage> page = store.list(filter, cursor, limit);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.items());
      cursor = page.next();
      if (page.scanned() == null && cursor != null) {
        assertThat(page.items()).as("a page before the last").hasSize(limit);
      }
      assertThat(cursor == null ? "-" : cursor).as("a printable cursor").matches("[\\w.~-]+");
      assertThat(++pages).as("pages of a list that ends").isLessThan(10_000);
    } while (cursor != null);
    return all;
  }

  @Test
  void dead_letters_are_added_up_by_how_they_ended_the_largest_group_first() {
    some();
    StoredMessage last = sending(MessageDraft.to("other", "ann").unordered().at(at(90)));
    settle(
        SettlementDraft.of(last, lease)
            .status(Status.FAILED)
            .at(at(90))
            .because("what else", "because-ann"));

    DeadLetterGroups groups =
        store.deadLetterGroups(
            null, Set.of(Status.FAILED, Status.EXPIRED, Status.HELD), null, null, 100);

    assertThat(groups.complete()).isTrue();
    assertThat(groups.groups()).hasSize(12);
    DeadLetterGroups.Group first = groups.groups().getFirst();
    assertThat(first.account()).isEqualTo("other");
    assertThat(first.status()).isEqualTo(Status.FAILED);
    assertThat(first.reason()).isEqualTo("because-ann");
    assertThat(first.error()).isEqualTo("what else");
    assertThat(first.messages()).isEqualTo(2);
    assertThat(first.replayed()).isZero();
    assertThat(first.oldestAt()).isEqualTo(at(18));
    assertThat(first.newestAt()).isEqualTo(at(90));
    assertThat(first.example()).isEqualTo(last.id());
    assertThat(groups.groups().subList(1, 12))
        .extracting(DeadLetterGroups.Group::messages)
        .containsOnly(1L);
  }

  @Test
  void dead_letters_are_added_up_by_account_status_and_time_and_no_more_than_asked() {
    List<StoredMessage> all = some();
    Set<Status> failed = Set.of(Status.FAILED);
    assertThat(store.deadLetterGroups("bot", failed, null, null, 100).groups())
        .extracting(DeadLetterGroups.Group::account)
        .containsExactly("bot", "bot");
    assertThat(store.deadLetterGroups("nobody", failed, null, null, 100).groups()).isEmpty();

    DeadLetterGroups few = store.deadLetterGroups(null, failed, null, null, 1);
    assertThat(few.complete()).isFalse();
    assertThat(few.groups().stream().mapToLong(DeadLetterGroups.Group::messages).sum())
        .isLessThanOrEqualTo(1);

    Instant after = all.getLast().createdAt().plusSeconds(1);
    assertThat(store.deadLetterGroups(null, failed, after, null, 100).groups()).isEmpty();
    assertThat(store.deadLetterGroups(null, failed, null, after, 100).groups()).hasSize(4);
  }

  /** Messages of every status, on two accounts and four chats; the oldest first. */
  private List<StoredMessage> some() {
    List<StoredMessage> messages = new ArrayList<>();
    int second = 0;
    for (String account : List.of("bot", "other")) {
      lease = lease(account);
      for (String chat : List.of("ann", "ben")) {
        for (Status status : Status.values()) {
          second++;
          MessageDraft draft =
              MessageDraft.to(account, chat)
                  .unordered()
                  .at(at(second))
                  .with(
                      message ->
                          message
                              .turnId(status.ordinal() % 2 == 0 ? "even" : null)
                              .sessionId(status.ordinal() % 3 == 0 ? "third" : null));
          StoredMessage message =
              switch (status) {
                case QUEUED -> stored(draft);
                case SENDING -> sending(draft);
                case DELIVERED, FAILED, EXPIRED, HELD, CANCELLED -> {
                  StoredMessage sending = sending(draft);
                  settle(
                      SettlementDraft.of(sending, lease)
                          .status(status)
                          .at(at(second))
                          .because("what", "because-" + chat));
                  yield find(sending.id());
                }
              };
          messages.add(message);
        }
      }
    }
    return messages;
  }

  private static List<StoredMessage> newestFirst(
      List<StoredMessage> messages, Predicate<StoredMessage> wanted) {
    return messages.stream()
        .filter(wanted)
        .sorted(Comparator.comparing(StoredMessage::createdAt).reversed())
        .toList();
  }

  @Test
  void an_empty_store_lists_nothing() {
    assertThat(store.list(MessageFilter.ALL, null, 10)).isEqualTo(new Page<>(List.of(), null));
  }

  @Test
  void every_filter_finds_its_messages_the_newest_first_on_pages_of_any_size() {
    List<StoredMessage> messages = some();
    List<Set<Status>> statuses = new ArrayList<>();
    statuses.add(Set.of());
    for (Status status : Status.values()) {
      statuses.add(Set.of(status));
    }
    statuses.add(Set.of(Status.FAILED, Status.HELD));
    statuses.add(Set.of(Status.FAILED, Status.HELD, Status.EXPIRED));
    statuses.add(Set.of(Status.QUEUED, Status.SENDING));
    statuses.add(Set.of(Status.DELIVERED, Status.FAILED));

    for (Set<Status> wanted : statuses) {
      for (String account : options("bot", "nobody")) {
        for (String chat : options("ann", "nobody")) {
          for (String turn : options("even", "nothing")) {
            for (String session : options("third")) {
              for (String reason : options("because-ann")) {
                MessageFilter filter =
                    new MessageFilter.Builder()
                        .statuses(wanted)
                        .account(account)
                        .chat(chat)
                        .turnId(turn)
                        .sessionId(session)
                        .reason(reason)
                        .build();
                List<StoredMessage> expected =
                    newestFirst(
                        messages,
                        found ->
                            (wanted.isEmpty() || wanted.contains(found.status()))
                                && fits(account, found.message().account())
                                && fits(chat, found.message().to())
                                && fits(turn, found.message().turnId())
                                && fits(session, found.message().sessionId())
                                && fits(reason, found.reason()));
                assertThat(walk(filter, 3)).as(filter.toString()).isEqualTo(expected);
              }
            }
          }
        }
      }
    }
    for (int limit : List.of(1, 2, 5, 28, 29, 1_000)) {
      assertThat(walk(MessageFilter.ALL, limit)).isEqualTo(newestFirst(messages, _ -> true));
    }
  }

  private static List<@Nullable String> options(String... values) {
    List<@Nullable String> options = new ArrayList<>(List.of(values));
    options.add(null);
    return options;
  }

  private static boolean fits(@Nullable String wanted, @Nullable String value) {
    return wanted == null || wanted.equals(value);
  }

  @Test
  void a_page_that_holds_the_last_message_is_the_last() {
    for (int i = 0; i < 3; i++) {
      accept(to("ann").at(at(i)));
    }

    assertThat(store.list(MessageFilter.ALL, null, 3).next()).isNull();
    assertThat(store.list(MessageFilter.status(Status.QUEUED), null, 3).next()).isNull();
    assertThat(store.list(MessageFilter.ALL, null, 2).next()).isNotNull();
  }

  @Test
  void messages_that_ended_or_expire_at_one_moment_are_each_listed_once() {
    for (int i = 0; i < 10; i++) {
      ended(to("ann"), Status.FAILED, at(5));
      accept(to("ben").expires(at(500)));
    }

    for (Status status : List.of(Status.FAILED, Status.QUEUED)) {
      assertThat(walk(MessageFilter.status(status), 3)).hasSize(10).doesNotHaveDuplicates();
    }
  }

  @Test
  void messages_that_come_while_somebody_pages_neither_repeat_nor_hide_the_others() {
    List<StoredMessage> before = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      before.add(stored(to("ann").at(at(i))));
    }
    Page<StoredMessage> first = store.list(MessageFilter.ALL, null, 3);
    accept(to("ann").at(at(9)));

    Page<StoredMessage> second = store.list(MessageFilter.ALL, first.next(), 3);

    List<StoredMessage> seen = new ArrayList<>(first.items());
    seen.addAll(second.items());
    assertThat(seen).isEqualTo(newestFirst(before, _ -> true));
  }

  // ---- behind many others

  private static final int MANY = 50_000;

  /** Accepts as many as said on the account {@code other}, in 100 chats, and waits for them. */
  private void others(int count, Instant when) {
    List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(
          store.accept(MessageDraft.to("other", "chat-" + i % 100).unordered().at(when).build()));
    }
    writes.forEach(this::done);
  }

  /** Six of each status to the chat {@code rare}, with everything that can be asked for. */
  private List<StoredMessage> rare() {
    List<StoredMessage> rare = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      for (Status status : Status.values()) {
        String key = status + "-" + i;
        MessageDraft draft =
            to("rare")
                .unordered()
                .at(at(100 + rare.size()))
                .key(key)
                .text("the Rare text of " + key)
                .with(
                    message ->
                        message
                            .sessionId("rare-session")
                            .turnId("rare-turn")
                            .metadata(Map.of("run", "rare-run", "order", 77)));
        StoredMessage message =
            status == Status.QUEUED
                ? stored(draft)
                : status == Status.SENDING
                    ? sending(draft)
                    : ended(draft, status, at(100 + rare.size()), "rare-reason");
        rare.add(message);
      }
    }
    return rare;
  }

  private StoredMessage ended(MessageDraft draft, Status status, Instant when, String reason) {
    StoredMessage sending = sending(draft);
    settle(SettlementDraft.of(sending, lease).status(status).at(when).because("what", reason));
    return find(sending.id());
  }

  private static MessageFilter.Builder where() {
    return new MessageFilter.Builder();
  }

  @Test
  void pages_are_full_behind_fifty_thousand_others() {
    List<StoredMessage> rare = rare();
    others(MANY, at(10_000));
    List<StoredMessage> all = newestFirst(rare, _ -> true);
    List<StoredMessage> ended = newestFirst(rare, message -> message.status().ended());

    assertThat(walk(where().chat("rare").build(), 5)).isEqualTo(all);
    assertThat(walk(where().account("bot").build(), 5)).isEqualTo(all);
    assertThat(walk(where().account("bot").chat("rare").build(), 5)).isEqualTo(all);
    assertThat(walk(where().sessionId("rare-session").build(), 5)).isEqualTo(all);
    assertThat(walk(where().runId("rare-run").build(), 5)).isEqualTo(all);
    assertThat(walk(where().turnId("rare-turn").build(), 5)).isEqualTo(all);
    assertThat(walk(where().reason("rare-reason").build(), 5)).isEqualTo(ended);
    assertThat(walk(where().until(at(9_999)).build(), 5)).isEqualTo(all);
    assertThat(walk(where().since(at(0)).until(at(9_999)).build(), 5)).isEqualTo(all);
    for (Status status : Status.values()) {
      List<StoredMessage> such = newestFirst(rare, message -> message.status() == status);
      assertThat(walk(where().statuses(Set.of(status)).account("bot").build(), 5))
          .as("%s of the account", status)
          .isEqualTo(such);
      if (status != Status.QUEUED) {
        assertThat(walk(MessageFilter.status(status), 5)).as(status.toString()).isEqualTo(such);
      }
    }
  }

  @Test
  void filters_combine_behind_fifty_thousand_others() {
    List<StoredMessage> rare = rare();
    others(MANY, at(10_000));

    for (Status status : Status.values()) {
      MessageFilter filter =
          where()
              .account("bot")
              .chat("rare")
              .statuses(Set.of(status))
              .since(at(110))
              .until(at(130))
              .build();
      assertThat(walk(filter, 2))
          .as(filter.toString())
          .isNotEmpty()
          .isEqualTo(newestFirst(rare, filter::matches));
    }
    assertThat(walk(where().account("other").chat("rare").build(), 5)).isEmpty();
    assertThat(walk(where().account("bot").chat("chat-1").build(), 5)).isEmpty();
    assertThat(walk(where().account("bot").since(at(200)).build(), 5)).isEmpty();
    assertThat(walk(where().chat("chat-7").account("other").build(), 100)).hasSize(MANY / 100);
    assertThat(store.list(where().idempotencyKey("FAILED-3").build(), null, 5).items())
        .singleElement()
        .satisfies(found -> assertThat(found.status()).isEqualTo(Status.FAILED));
    assertThat(walk(where().account("other").idempotencyKey("FAILED-3").build(), 5)).isEmpty();
  }

  @Test
  void text_and_metadata_are_looked_for_so_many_at_a_time_and_the_page_says_how_far() {
    List<StoredMessage> rare = rare();
    others(7_000, at(10_000));
    MessageFilter text = where().text("rare TEXT of failed").build();
    MessageFilter metadata = where().metadata(Map.of("order", "77")).build();

    Page<StoredMessage> first = store.list(text, null, 10);

    assertThat(first.items()).isEmpty();
    assertThat(present(first.scanned()).count()).isBetween(1_000, 7_000);
    assertThat(present(first.scanned()).until()).isEqualTo(at(10_000));
    assertThat(first.next()).isNotNull();
    assertThat(walk(text, 4)).isEqualTo(newestFirst(rare, text::matches)).hasSize(6);
    assertThat(walk(metadata, 4)).isEqualTo(newestFirst(rare, _ -> true));
    assertThat(walk(where().chat("rare").text("nothing").build(), 4)).isEmpty();
    assertThat(store.list(where().chat("rare").text("failed").build(), null, 10).items())
        .hasSize(6);
    assertThat(store.list(MessageFilter.ALL, null, 10).scanned()).isNull();
  }

  @Test
  void a_receipt_is_found_whether_the_platform_reports_on_it_or_not() {
    List<StoredMessage> taken = new ArrayList<>();
    for (boolean reported : List.of(true, false)) {
      StoredMessage sending = sending(to("ann").unordered());
      settle(
          SettlementDraft.of(sending, lease)
              .progress(
                  Progress.none(1)
                      .with(
                          0,
                          PartState.PENDING.delivered(new Receipt("id-" + reported, reported)))));
      taken.add(find(sending.id()));
    }
    others(600, at(1));

    assertThat(store.list(where().receipt("id-true").build(), null, 10).items())
        .containsExactly(taken.getFirst());
    assertThat(store.list(where().receipt("id-false").build(), null, 10).items())
        .containsExactly(taken.getLast());
    assertThat(store.list(where().account("other").receipt("id-true").build(), null, 10).items())
        .isEmpty();
    assertThat(walk(where().receipt("nobody's").build(), 10)).isEmpty();
  }

  @Test
  void a_page_goes_on_rightly_while_messages_come_end_and_go() {
    List<StoredMessage> before = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      before.add(sending(to("ann").unordered().at(at(i))));
    }
    List<StoredMessage> seen = new ArrayList<>();
    String cursor = null;
    int turn = 0;
    do {
      Page<StoredMessage> page = store.list(where().chat("ann").build(), cursor, 7);
      seen.addAll(page.items());
      cursor = page.next();
      deliver(before.get(turn), at(50));
      deliver(before.get(39 - turn), at(50));
      accept(to("ann").unordered().at(at(60)));
      turn++;
    } while (cursor != null);

    assertThat(seen)
        .extracting(StoredMessage::id)
        .isEqualTo(newestFirst(before, _ -> true).stream().map(StoredMessage::id).toList());
  }

  @Test
  void a_chat_is_found_under_its_new_name_and_what_was_deleted_is_gone() {
    others(2_000, at(0));
    StoredMessage early = ended(to("old"), Status.DELIVERED, at(1));
    StoredMessage waits = stored(to("old").at(at(2)));
    others(2_000, at(3));

    done(store.moveLane(lease, "old", "new", SessionKey.DEFAULT, at(4)));

    assertThat(walk(where().chat("old").build(), 5)).containsExactly(early);
    assertThat(walk(where().chat("new").build(), 5)).containsExactly(find(waits.id()));

    done(store.prune(new Retention(FAR, at(0), FAR), 1_000_000));
    assertThat(walk(where().chat("old").build(), 5)).isEmpty();
    assertThat(walk(where().chat("new").build(), 5)).hasSize(1);
  }

  @Test
  void chats_are_found_after_the_store_was_closed_in_the_middle() {
    StoredMessage rare = stored(to("rare"));
    others(3_000, at(1));
    reopen();
    others(3_000, at(2));

    assertThat(walk(where().chat("rare").build(), 5)).containsExactly(rare);
    assertThat(walk(where().chat("chat-5").build(), 50)).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void a_cursor_that_is_none_is_refused_by_name() {
    accept(to("ann"));
    for (String cursor : List.of("nonsense", "", "a", "a1", "a-", "a1-x", "d1-1", "A1-1")) {
      assertThatThrownBy(() -> store.list(MessageFilter.ALL, cursor, 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + cursor + "'");
    }
  }
}
