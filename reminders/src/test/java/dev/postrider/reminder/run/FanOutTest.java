package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.config.AccountPace;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.problem.InvalidInput;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.DailyCeilings;
import dev.postrider.reminder.time.Cron;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A run reaches its targets: all of them, once, in order, at the pace of its account. */
class FanOutTest extends RunsBehaviour {

  @Test
  void a_run_reaches_every_target_with_its_own_words() {
    start();
    UUID run = fire(notice(3));
    world.pass(minutes(1));

    assertThat(arrived())
        .extracting(Request::text)
        .containsExactlyInAnyOrder("Hello Team 0", "Hello Team 1", "Hello Team 2");
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(run(run).sent()).isEqualTo(3);
    assertThat(targets(run))
        .allSatisfy(
            target -> {
              assertThat(target.status()).isEqualTo(TargetStatus.SENT);
              assertThat(target.messages()).hasSize(1);
            });
    assertThat(ends()).hasSize(1);
    assertThat(ends().getFirst().summary()).isEqualTo("3 of 3 delivered.");
    assertThat(world.events(Event.ReminderFired.class)).hasSize(1);
  }

  @Test
  void a_thousand_groups_at_forty_a_minute_take_twenty_five_minutes() {
    start();
    Instant began = world.time.instant();
    UUID run = fire(notice(1_000));
    world.pass(minutes(25).plusSeconds(30));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(mostWithin(minutes(1), arrived())).isLessThanOrEqualTo(40 + 5);
    assertThat(Duration.between(began, arrived().getLast().at())).isGreaterThan(minutes(24));
  }

  /** The most targets of the run that are under way at one moment while nobody answers. */
  private int underWay(Reminder.Builder draft) {
    world.platform.mood(_ -> world.platform.delivered().taking(minutes(1)));
    world.platform.pace(Pace.perSecond(2_000).burst(2_000), Pace.UNLIMITED);
    start();
    UUID run = fire(draft);
    world.pass(Duration.ofSeconds(30));
    return targets(run, TargetStatus.SENDING).size();
  }

  private static Reminder.Builder same(int chats) {
    return notice(chats).messages(List.of(Content.text("Hello all")));
  }

  @Test
  void a_run_sends_to_a_few_at_a_time() {
    assertThat(underWay(same(60))).isEqualTo(3);
  }

  @Test
  void where_one_request_reaches_many_a_run_that_says_the_same_to_all_sends_to_as_many() {
    world.platform.sharing(50);
    assertThat(underWay(same(60))).isEqualTo(50);
  }

  @Test
  void a_run_that_says_something_else_to_each_sends_to_a_few_everywhere() {
    world.platform.sharing(50);
    assertThat(underWay(notice(60))).isEqualTo(3);
  }

  @Test
  void a_live_run_shares_no_requests() {
    world.platform.sharing(50);
    assertThat(underWay(same(60).priority(Priority.LIVE))).isEqualTo(3);
  }

  @Test
  void an_account_that_sends_to_few_at_once_shares_among_few() {
    world.platform.sharing(50);
    world.account(account -> account.withPace(new AccountPace(null, null, 20)));
    assertThat(underWay(same(60))).isEqualTo(20);
  }

  private static MediaRules pictures() {
    Rule rule = new Rule(Set.of(), 10 << 20, false);
    return new MediaRules(
        Arrays.stream(MediaKind.values()).collect(Collectors.toMap(Function.identity(), _ -> rule)),
        TextLimit.of(1000, TextLimit.Unit.UTF16),
        10,
        List.of(Set.of(MediaKind.IMAGE)),
        true,
        true,
        MediaRules.Reuse.BY_UPLOAD);
  }

  private Media picture(int size) throws IOException {
    byte[] picture = new byte[size];
    System.arraycopy(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff}, 0, picture, 0, 3);
    return Media.held(world.postrider().hold(new ByteArrayInputStream(picture)).hash());
  }

  @Test
  void an_upload_is_kept_until_the_reminder_needs_it() throws Exception {
    world.platform.media(pictures());
    start();
    Content message = Content.builder().media(List.of(picture(100))).build();
    reminders.create(notice(2).messages(List.of(message)).schedule(new Cron("0 12 * * FRI")));
    world.pass(Duration.ofDays(5));

    assertThat(chats()).hasSize(2);
    assertThatThrownBy(
            () ->
                reminders.create(
                    notice(2)
                        .messages(
                            List.of(Content.builder().media(List.of(Media.held("00"))).build()))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("messages[0].media");
  }

  @Test
  void a_picture_for_a_thousand_groups_is_uploaded_once_and_sent_in_time() throws Exception {
    world.platform.media(pictures());
    start();
    Media held = picture(5 << 20);
    UUID run =
        fire(
            notice(1_000)
                .messages(
                    List.of(Content.builder().text("Hi {{name}}").media(List.of(held)).build())));
    world.pass(minutes(25).plusSeconds(30));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(world.platform.uploads()).hasSize(1);
    assertThat(chats()).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(mostWithin(minutes(1), arrived())).isLessThanOrEqualTo(40 + 5);
  }

  @Test
  void parts_to_one_group_keep_their_order_and_some_distance() {
    pace(Pace.perSecond(100));
    start();
    UUID run =
        fire(
            notice(20)
                .messages(
                    List.of(Content.text("one"), Content.text("two"), Content.text("three"))));
    world.pass(minutes(1));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    for (int n = 0; n < 20; n++) {
      String chat = "g" + n;
      List<Request> parts = arrived().stream().filter(r -> r.chat().equals(chat)).toList();
      assertThat(parts).extracting(Request::text).containsExactly("one", "two", "three");
      for (int i = 1; i < 3; i++) {
        assertThat(Duration.between(parts.get(i - 1).at(), parts.get(i).at()))
            .isBetween(Duration.ofMillis(200), Duration.ofMillis(520));
      }
    }
    assertThat(targets(run)).allSatisfy(target -> assertThat(target.messages()).hasSize(3));
  }

  @Test
  void no_more_groups_are_under_way_than_allowed() {
    pace(Pace.perSecond(1));
    start();
    UUID run = fire(notice(30));
    for (int i = 0; i < 20; i++) {
      world.pass(seconds(1));
      assertThat(run(run).sending()).isLessThanOrEqualTo(3);
      assertThat(world.postrider().stats().queued()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void runs_on_two_accounts_go_side_by_side_at_full_pace() {
    accounts("other");
    start();
    UUID one = fire(notice(80));
    UUID two = fire(notice(80).account("other"));
    world.pass(seconds(1));
    assertThat(run(one).sent()).isPositive();
    assertThat(run(two).sent()).isPositive();
    world.pass(minutes(2));

    assertThat(run(one).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(run(two).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  @Test
  void runs_on_one_account_share_it_fairly_and_do_not_exceed_it() {
    pace(Pace.perMinute(60));
    start();
    UUID one = fire(notice(100));
    UUID two = fire(notice(100).name("other"));
    world.pass(minutes(1));
    assertThat(run(one).sent()).isBetween(25, 35);
    assertThat(run(two).sent()).isBetween(25, 35);
    world.pass(minutes(3));

    assertThat(chats()).hasSize(200);
    assertThat(mostWithin(minutes(1), arrived())).isLessThanOrEqualTo(61);
  }

  @Test
  void a_live_reply_goes_before_the_rest_of_a_run() {
    pace(Pace.perMinute(60));
    start();
    fire(notice(100));
    world.pass(seconds(10));
    Instant asked = world.time.instant();
    world.send("ann", "live");
    world.pass(seconds(1));

    Request live = arrived().stream().filter(r -> r.chat().equals("ann")).findFirst().orElseThrow();
    assertThat(Duration.between(asked, live.at())).isLessThanOrEqualTo(seconds(1));
  }

  @Test
  void more_accounts_than_may_fan_out_wait_for_their_turn() {
    settings = settings.with(s -> s.runConcurrency = 1);
    accounts("other");
    start();
    UUID one = fire(notice(10));
    UUID two = fire(notice(10).account("other"));
    assertThat(run(two).run().status()).isEqualTo(RunStatus.WAITING);
    assertThat(run(two).run().reason()).contains("1 accounts fan out");
    world.pass(minutes(1));

    assertThat(run(one).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(run(two).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  @Test
  void who_was_not_reached_and_why_is_in_the_targets() {
    start();
    world.platform.then(rejected());
    UUID run = fire(notice(3));
    world.pass(minutes(1));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(targets(run, TargetStatus.FAILED))
        .singleElement()
        .satisfies(target -> assertThat(target.error()).contains("chat not found"));
    assertThat(run(run).run().summary()).isEqualTo("2 of 3 delivered, 1 failed.");
  }

  @Test
  void a_split_reminder_is_spread_over_its_accounts() {
    accounts("other");
    start();
    UUID run = fire(notice(10).accounts(List.of("bot", "other")));
    world.pass(minutes(1));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(targets(run).stream().filter(t -> t.target().account().equals("other"))).hasSize(5);
    assertThat(chats()).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void a_daily_ceiling_is_kept_and_the_run_goes_on_the_next_day() {
    settings = settings.with(s -> s.accounts = Map.of("bot", new DailyCeilings(10, null)));
    start(); // on a Monday at 09:00
    UUID run = fire(notice(25));
    world.pass(minutes(30));
    assertThat(run(run).sent()).isEqualTo(10);
    assertThat(run(run).run().status()).isEqualTo(RunStatus.WAITING);
    assertThat(run(run).run().until()).isEqualTo(Instant.parse("2026-01-06T00:00:00Z"));
    until("2026-01-06T00:30:00Z");
    assertThat(run(run).sent()).isEqualTo(20);
    until("2026-01-07T00:30:00Z");

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
  }

  @Test
  void too_many_failures_in_a_row_pause_a_run() {
    settings = settings.with(s -> s.errorSample = 10);
    world.platform.mood(_ -> FakeChannel.Reaction.of(rejected()));
    start();
    UUID run = fire(notice(100));
    world.pass(minutes(5));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.PAUSED);
    assertThat(run(run).run().reason()).contains("10 of the last 10 targets failed");
    assertThat(run(run).failed()).isBetween(10, 12);
    world.platform.mood(_ -> world.platform.delivered());
    reminders.runs().resume(run, ResumeScope.ALL);
    world.pass(minutes(5));
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void messages_of_runs_are_of_low_priority_and_say_where_they_come_from() {
    start();
    UUID run = fire(notice(1));
    world.pass(minutes(1));
    var message =
        world.postrider().find(targets(run).getFirst().messages().getFirst()).orElseThrow();

    assertThat(message.status()).isEqualTo(Status.DELIVERED);
    assertThat(message.message().metadata()).containsEntry("run", run.toString());
  }

  @Test
  void a_test_goes_to_one_chat_only() {
    start();
    Reminder reminder = reminders.create(notice(5));
    reminders.test(reminder.id(), Target.to("me").with(Map.of("name", "myself")));
    world.time.settle();

    assertThat(chats()).containsExactly("me");
    assertThat(reminders.runs().list(RunFilter.ALL, null, 10).items()).isEmpty();
  }
}
