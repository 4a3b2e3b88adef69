package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Status;
import dev.postrider.store.Acceptance;
import dev.postrider.store.MessageFilter;
import dev.postrider.store.Page;
import dev.postrider.store.StoredMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
      assertThat(++pages).as("pages of a list that ends").isLessThan(10_000);
    } while (cursor != null);
    return all;
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
          Draft draft =
              Draft.to(account, chat)
                  .unordered()
                  .at(at(second))
                  .with(message -> message.turnId(status.ordinal() % 2 == 0 ? "even" : null));
          StoredMessage message =
              switch (status) {
                case QUEUED -> stored(draft);
                case SENDING -> sending(draft);
                case DELIVERED, FAILED, EXPIRED, HELD, CANCELLED -> {
                  StoredMessage sending = sending(draft);
                  settle(
                      Ending.of(sending, lease)
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
            for (String reason : options("because-ann")) {
              MessageFilter filter = new MessageFilter(wanted, account, chat, turn, reason);
              List<StoredMessage> expected =
                  newestFirst(
                      messages,
                      found ->
                          (wanted.isEmpty() || wanted.contains(found.status()))
                              && fits(account, found.message().account())
                              && fits(chat, found.message().to())
                              && fits(turn, found.message().turnId())
                              && fits(reason, found.reason()));
              assertThat(walk(filter, 3)).as(filter.toString()).isEqualTo(expected);
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

  @Test
  void a_rare_message_among_thousands_is_found_in_pages_of_bounded_work() {
    StoredMessage rare = stored(to("rare").at(at(0)));
    List<CompletableFuture<Acceptance>> writes = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      writes.add(store.accept(to("ann").at(at(1)).build()));
    }
    writes.forEach(this::done);

    MessageFilter filter = new MessageFilter(Set.of(), null, "rare", null, null);

    assertThat(walk(filter, 10)).containsExactly(rare);
    assertThat(walk(new MessageFilter(Set.of(Status.QUEUED), null, "rare", null, null), 10))
        .containsExactly(rare);
    assertThat(walk(MessageFilter.ALL, 1_000)).hasSize(5_001).doesNotHaveDuplicates();
  }

  @Test
  void a_cursor_that_is_none_is_refused_by_name() {
    assertThatThrownBy(() -> store.list(MessageFilter.ALL, "nonsense", 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'nonsense'");
  }
}
