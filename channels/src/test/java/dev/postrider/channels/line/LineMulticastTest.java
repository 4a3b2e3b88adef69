package dev.postrider.channels.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Priority;
import dev.postrider.testkit.platform.Request;
import dev.postrider.testkit.time.VirtualTime;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Messages of runs share requests, and nobody gets one twice or not at all because of that. */
class LineMulticastTest {
  private static final String PUSH = "/v2/bot/message/push";
  private static final String MULTICAST = "/v2/bot/message/multicast";
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualTime time = VirtualTime.inOrder();
  private final FakeLine line = new FakeLine();
  private final AccountConfig config =
      AccountConfig.of("shop", "line")
          .set("token", "long-lived-token")
          .set("baseUrl", line.platform.baseUrl());
  private final Shaky memory = new Shaky(new TestMemory(time));
  private final TestAccount parts = TestAccount.of(config);
  private final Map<String, Outcome> outcomes = new HashMap<>(); // by the parts' keys
  private Link link = open();

  LineMulticastTest() {
    line.clock(time);
    line.quota(10_000, 0);
  }

  @AfterEach
  void close() {
    time.crash();
    link.close();
    line.close();
  }

  private Link open() {
    return new LineChannel().open(new Account(config, time, memory));
  }

  private record Account(AccountConfig config, Scheduler scheduler, Memory memory)
      implements AccountContext {
    @Override
    public void ready() {}

    @Override
    public void notReady(String reason) {}
  }

  /** A memory that can be away, or slow, from its nth write on. */
  private final class Shaky implements Memory {
    private final TestMemory kept;
    private int writes;
    private int awayFrom = Integer.MAX_VALUE;
    private Duration takes = Duration.ZERO;

    Shaky(TestMemory kept) {
      this.kept = kept;
    }

    @Override
    public Optional<String> read(@Nullable String chat, String key) {
      return kept.read(chat, key);
    }

    @Override
    public void write(List<Remembered> all) {
      if (++writes >= awayFrom) {
        throw new NotSentException("the store is away");
      }
      kept.write(all);
      time.pause(takes);
    }

    @Override
    public boolean replace(@Nullable String expected, Remembered by) {
      return kept.replace(expected, by);
    }
  }

  // ---- acting and looking

  private static String user(int n) {
    return "U%032x".formatted(n);
  }

  private static Message.Builder bulk(String to) {
    return Message.to("shop", to).text("hello").priority(Priority.BULK);
  }

  private List<Dispatch> bulk(int count) {
    return IntStream.range(0, count).mapToObj(n -> parts.part(bulk(user(n)))).toList();
  }

  private static List<String> users(int count) {
    return IntStream.range(0, count).mapToObj(LineMulticastTest::user).toList();
  }

  private Scheduler.Task begin(Dispatch part) {
    return time.start(
        "send",
        () -> {
          try {
            outcomes.put(part.key(), link.send(part));
          } catch (NotSentException e) {
            outcomes.put(part.key(), new Outcome.NotSent(String.valueOf(e.getMessage())));
          } catch (Scheduler.Interrupted e) {
            outcomes.put(part.key(), new Outcome.Unknown("interrupted"));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Sends all of them at the same moment; gives their outcomes. */
  private List<Outcome> send(List<Dispatch> all) {
    all.forEach(this::begin);
    time.advance(SECOND.multipliedBy(2));
    return outcomes(all);
  }

  private List<Outcome> outcomes(List<Dispatch> all) {
    return all.stream().map(part -> Objects.requireNonNull(outcomes.remove(part.key()))).toList();
  }

  private List<Dispatch> inDoubt(List<Dispatch> all) {
    return all.stream().map(part -> part.inDoubt(time.instant())).toList();
  }

  private static List<Dispatch> alone(List<Dispatch> all) {
    return all.stream()
        .map(
            it ->
                new Dispatch(
                    it.id(),
                    it.message(),
                    it.plan(),
                    0,
                    it.state().with(new Fix.Alone()),
                    List.of()))
        .toList();
  }

  private List<Request> multicasts() {
    return line.platform.requests().stream().filter(it -> it.path().equals(MULTICAST)).toList();
  }

  private static List<String> to(Request multicast) {
    return Objects.requireNonNull(Json.readObject(multicast.text()))
        .path("to")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }

  private static @Nullable String key(Request request) {
    return request.headers().get("x-line-retry-key");
  }

  private void deliveredOnce(int count) {
    assertThat(line.received()).containsExactlyInAnyOrderElementsOf(users(count));
  }

  // ---- who shares a request

  @Test
  void what_a_run_says_to_many_users_goes_out_in_one_request() {
    assertThat(send(bulk(3)))
        .as("there are no ids of messages: the request's stands for them")
        .containsOnly(Outcome.delivered("request-1"))
        .hasSize(3);

    Request request = line.platform.onlyRequest();
    assertThat(request.path()).isEqualTo(MULTICAST);
    assertThat(to(request)).containsExactlyElementsOf(users(3));
    assertThat(UUID.fromString(Objects.requireNonNull(key(request))).version()).isEqualTo(5);
    deliveredOnce(3);
  }

  @Test
  void one_request_takes_five_hundred() {
    send(bulk(1_200));

    assertThat(multicasts()).extracting(it -> to(it).size()).containsExactly(500, 500, 200);
    assertThat(line.platform.requests()).hasSize(3);
    assertThat(memory.writes).as("each is written down once").isEqualTo(3);
    deliveredOnce(1_200);
  }

  @Test
  void one_that_stays_alone_is_pushed_under_its_own_key() {
    Dispatch part = bulk(1).getFirst();

    assertThat(send(List.of(part))).containsExactly(Outcome.delivered("1"));

    Request request = line.platform.onlyRequest();
    assertThat(request.path()).isEqualTo(PUSH);
    assertThat(key(request)).isEqualTo(LineRequest.retryKey(part.key()));
    assertThat(memory.writes).as("nobody shares it: there is nothing to write down").isZero();
  }

  @Test
  void those_that_say_something_else_are_not_mixed() {
    List<Dispatch> all = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      all.add(parts.part(bulk(user(n)).text(n % 2 == 0 ? "even" : "odd")));
      all.add(parts.part(bulk(user(4 + n)).text("even").silent(n % 2 == 0)));
    }
    send(all);

    assertThat(multicasts())
        .extracting(LineMulticastTest::to)
        .containsExactlyInAnyOrder(
            List.of(user(0), user(5), user(2), user(7)),
            List.of(user(1), user(3)),
            List.of(user(4), user(6)));
    deliveredOnce(8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "R"})
  void groups_and_rooms_are_pushed_to(String kind) {
    List<Dispatch> all =
        users(3).stream().map(it -> parts.part(bulk(it.replace("U", kind)))).toList();
    send(all);

    assertThat(line.count(PUSH)).isEqualTo(3);
    assertThat(multicasts()).isEmpty();
  }

  @Test
  void live_messages_are_pushed_at_once() {
    all(users(3), it -> bulk(it).priority(Priority.LIVE)).forEach(this::begin);
    time.settle();

    assertThat(line.count(PUSH)).isEqualTo(3);
    assertThat(multicasts()).isEmpty();
  }

  private List<Dispatch> all(List<String> users, Function<String, Message.Builder> message) {
    return users.stream().map(it -> parts.part(message.apply(it))).toList();
  }

  @Test
  void a_request_names_nobody_twice() {
    List<Dispatch> all = List.of(bulk(1).getFirst(), bulk(2).getLast(), bulk(1).getFirst());
    send(all);

    assertThat(to(multicasts().getFirst())).containsExactly(user(0), user(1));
    assertThat(line.count(PUSH)).isEqualTo(1);
    assertThat(line.received()).containsExactlyInAnyOrder(user(0), user(0), user(1));
  }

  @Test
  void a_request_waits_as_long_as_others_come_but_not_longer_than_a_second() {
    for (Dispatch part : bulk(40)) {
      begin(part);
      time.advance(Duration.ofMillis(50));
    }
    time.advance(SECOND);

    assertThat(multicasts()).hasSize(2).allSatisfy(it -> assertThat(to(it)).hasSize(20));
    deliveredOnce(40);
  }

  @Test
  void a_user_who_has_blocked_the_account_is_told_of_among_many() {
    memory.kept.write(Remembered.of(user(1), LineLink.UNFOLLOWED, "2026-01-01T00:00:00Z"));

    assertThat(send(bulk(3)))
        .extracting(it -> ((Outcome.Delivered) it).note() != null)
        .containsExactly(false, true, false);
  }

  // ---- in doubt

  @Test
  void after_a_lost_answer_the_same_request_is_made_once_more_for_all_of_them() {
    line.losesAnswers(1);
    List<Dispatch> all = bulk(500);
    assertThat(send(all)).allMatch(Outcome.Unknown.class::isInstance);

    List<Dispatch> again = inDoubt(all);
    for (Dispatch part : again) { // most come within a second, the last when all is over
      begin(part);
      time.advance(Duration.ofMillis(3));
    }
    time.advance(SECOND);

    assertThat(outcomes(again)).containsOnly(Outcome.delivered("request-1"));
    assertThat(multicasts()).hasSize(2);
    assertThat(multicasts().stream().map(LineMulticastTest::key).distinct()).hasSize(1);
    assertThat(multicasts().stream().map(Request::text).distinct()).hasSize(1);
    assertThat(line.platform.requests()).hasSize(2);
    deliveredOnce(500);
  }

  @Test
  void after_a_kill_those_that_did_not_hear_come_back_to_the_same_request() {
    List<Dispatch> all = bulk(500);
    assertThat(send(all)).hasSize(500);
    link.close();
    link = open(); // only the memory is left

    assertThat(send(inDoubt(all).subList(100, 300))).containsOnly(Outcome.delivered("request-1"));
    assertThat(multicasts()).hasSize(2);
    assertThat(to(multicasts().getLast())).containsExactlyElementsOf(users(500));
    deliveredOnce(500);
  }

  @Test
  void after_a_kill_before_the_request_it_is_made_for_the_first_time() {
    List<Dispatch> all = bulk(20);
    memory.takes = Duration.ofSeconds(3);
    all.forEach(this::begin);
    time.advance(SECOND);
    time.crash(); // written down, and not sent
    memory.takes = Duration.ZERO;
    link.close();
    link = open();
    assertThat(line.platform.requests()).isEmpty();

    assertThat(send(inDoubt(all))).containsOnly(Outcome.delivered("request-1"));
    assertThat(line.platform.requests()).hasSize(1);
    deliveredOnce(20);
  }

  @Test
  void one_that_was_never_written_down_goes_out_alone_if_it_comes_back_in_doubt() {
    List<Dispatch> all = inDoubt(bulk(3));
    send(all);

    assertThat(line.platform.requests())
        .extracting(Request::path)
        .containsExactly(PUSH, PUSH, PUSH);
    deliveredOnce(3);
  }

  @Test
  void a_part_that_was_given_up_waits_for_the_request_it_is_in() {
    List<Dispatch> all = bulk(3);
    memory.takes = Duration.ofSeconds(2);
    Scheduler.Task first = begin(all.getFirst());
    begin(all.get(1));
    begin(all.get(2));
    time.advance(Duration.ofMillis(50));
    first.interrupt();
    time.settle();
    assertThat(outcomes.remove(all.getFirst().key())).isInstanceOf(Outcome.Unknown.class);
    begin(inDoubt(all).getFirst());
    time.advance(Duration.ofSeconds(3));

    assertThat(outcomes(all)).containsOnly(Outcome.delivered("request-1"));
    assertThat(line.platform.requests()).hasSize(1);
    deliveredOnce(3);
  }

  @Test
  void what_keeps_a_repeat_from_being_looked_at_says_nothing_about_the_first_time() {
    line.losesAnswers(1);
    List<Dispatch> all = bulk(3);
    send(all);
    line.platform.answer(
        FakeLine.error(429, "The API rate limit has been exceeded. Try again later."));

    assertThat(send(inDoubt(all))).allMatch(Outcome.Throttled.class::isInstance);
    assertThat(send(inDoubt(all))).containsOnly(Outcome.delivered("request-1"));
    assertThat(line.count(PUSH)).isZero();
    deliveredOnce(3);
  }

  @Test
  void the_record_is_gone_before_line_forgets_the_key() {
    line.losesAnswers(1);
    List<Dispatch> all = bulk(2);
    send(all);
    time.advance(Duration.ofHours(23).plusMinutes(55));

    Dispatch part = inDoubt(all).getFirst();
    send(List.of(part));
    assertThat(line.platform.requests().getLast().path())
        .as("a multicast would reach the other user, too, once LINE has forgotten it")
        .isEqualTo(PUSH);
  }

  // ---- not taken

  @Test
  void one_wrong_id_sends_each_in_a_request_of_its_own_and_only_that_one_fails() {
    line.stranger(user(7));
    List<Dispatch> all = bulk(20);

    assertThat(send(all))
        .allSatisfy(
            it ->
                assertThat(it)
                    .isInstanceOfSatisfying(
                        Outcome.Repairable.class,
                        repairable -> assertThat(repairable.fix()).isEqualTo(new Fix.Alone())));
    List<Outcome> after = send(alone(all));

    assertThat(after.get(7))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.TARGET));
    assertThat(after).filteredOn(Outcome.Delivered.class::isInstance).hasSize(19);
    assertThat(multicasts()).hasSize(1);
    assertThat(line.count(PUSH)).isEqualTo(20);
    assertThat(line.received()).hasSize(19).doesNotHaveDuplicates();
  }

  @Test
  void one_that_did_not_hear_that_line_took_none_brings_nobody_a_second_one() {
    line.platform.answer(
        FakeLine.error(429, "The API rate limit has been exceeded. Try again later."));
    List<Dispatch> all = bulk(3);
    assertThat(send(all)).allMatch(Outcome.Throttled.class::isInstance);

    // The last one's process died before its outcome was stored; the others share a new request.
    send(all.subList(0, 2));
    send(inDoubt(all.subList(2, 3)));

    assertThat(to(multicasts().getLast())).containsExactly(user(0), user(1));
    assertThat(line.count(PUSH)).isEqualTo(1);
    deliveredOnce(3);
  }

  @Test
  void if_it_cannot_be_stored_that_line_took_none_all_come_back_to_the_same_request() {
    line.platform.answer(
        FakeLine.error(429, "The API rate limit has been exceeded. Try again later."));
    memory.awayFrom = 2;
    List<Dispatch> all = bulk(3);
    assertThat(send(all)).allMatch(Outcome.Unknown.class::isInstance);

    memory.awayFrom = Integer.MAX_VALUE;
    assertThat(send(inDoubt(all))).containsOnly(Outcome.delivered("request-1"));
    assertThat(multicasts().stream().map(LineMulticastTest::key).distinct()).hasSize(1);
    deliveredOnce(3);
  }

  @Test
  void nothing_is_sent_while_the_store_is_away() {
    memory.awayFrom = 1;
    List<Dispatch> all = bulk(3);
    assertThat(send(all)).allMatch(Outcome.Unknown.class::isInstance);
    assertThat(line.platform.requests()).isEmpty();
  }

  @Test
  void a_request_that_comes_too_late_is_not_made() {
    memory.takes = Duration.ofSeconds(10);
    List<Dispatch> all = bulk(3);
    all.forEach(this::begin);
    time.advance(Duration.ofMinutes(1));

    assertThat(outcomes(all)).allMatch(Outcome.NotSent.class::isInstance);
    assertThat(line.platform.requests()).isEmpty();
    memory.takes = Duration.ZERO;
    send(inDoubt(all.subList(0, 1)));
    assertThat(line.received()).containsExactly(user(0));
  }

  @Test
  void of_what_is_left_of_the_month_some_get_theirs() {
    line.quota(100, 90);
    List<Dispatch> all = bulk(20);
    assertThat(send(all)).allMatch(Outcome.Repairable.class::isInstance);
    List<Outcome> after = send(alone(all));

    assertThat(after).filteredOn(Outcome.Delivered.class::isInstance).hasSize(10);
    assertThat(after).filteredOn(Outcome.AccountBroken.class::isInstance).hasSize(10);
  }

  @Test
  void nothing_left_of_the_month_stops_the_account() {
    line.quota(100, 100);
    assertThat(send(bulk(20))).allMatch(Outcome.AccountBroken.class::isInstance);
    assertThat(line.count(PUSH)).isZero();
  }
}
