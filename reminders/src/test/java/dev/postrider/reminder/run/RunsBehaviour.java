package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.AccountPace;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.sqlite.VirtualSqlite;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import dev.postrider.testkit.engine.World;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of the tests that look at runs from outside, in virtual time on a real store. */
abstract class RunsBehaviour {
  static final ZoneId UTC = ZoneId.of("UTC");

  @TempDir Path folder;

  World world;
  Reminders reminders;
  ReminderSettings settings = ReminderSettings.DEFAULTS;
  private long seed = 1;
  private long expectedRescues;

  @BeforeEach
  void makeWorld() {
    world = new World(time -> VirtualSqlite.open(folder.resolve("test.db"), time));
  }

  /** A target that nobody sends to, or a lane that nobody looks at, is a defect. */
  @AfterEach
  void endWorld() {
    long rescued = world.rescued();
    world.close();
    assertThat(rescued).as("what was forgotten").isEqualTo(expectedRescues);
  }

  /** This test makes the engine forget so much. */
  void expectRescued(long count) {
    expectedRescues = count;
  }

  // ---- setting up

  void start() {
    world.start();
    reminders = Reminders.open(world.postrider(), settings, new SplittableRandom(seed++));
    world.time.settle();
  }

  void crashAndStart() {
    world.crash();
    start();
  }

  /** Lets the account alone decide how fast runs are. */
  void pace(Pace pace) {
    settings = settings.with(s -> s.pace = Pace.perSecond(100_000).burst(1_000));
    world.account(account -> account.withPace(new AccountPace(pace, null, null)));
  }

  void accounts(String... more) {
    world.configure(
        config -> {
          var all = config;
          for (String id : more) {
            all = all.account(AccountConfig.of(id, "fake"));
          }
          return all;
        });
  }

  static List<Target> groups(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> Target.to("g" + n).with(Map.of("name", "Team " + n)))
        .toList();
  }

  static Reminder.Builder notice(int groups) {
    return Reminder.named("notice")
        .account("bot")
        .zone(UTC)
        .window(null)
        .targets(groups(groups))
        .messages(List.of(Content.text("Hello {{name}}")));
  }

  // ---- acting and looking

  UUID fire(Reminder.Builder draft) {
    UUID run = reminders.fire(reminders.create(draft).id()).run().id();
    world.time.settle();
    return run;
  }

  RunView run(UUID id) {
    return reminders.runs().find(id).orElseThrow();
  }

  List<RunTarget> targets(UUID run) {
    return reminders.runs().targets(run, RunTargetFilter.ALL, null, 100_000).items();
  }

  List<RunTarget> targets(UUID run, TargetStatus status) {
    return reminders.runs().targets(run, RunTargetFilter.of(status), null, 100_000).items();
  }

  /** What arrived on the platform, in order. */
  List<FakeChannel.Request> arrived() {
    return world.platform.requests().stream().filter(FakeChannel.Request::arrived).toList();
  }

  List<String> chats() {
    return arrived().stream().map(FakeChannel.Request::chat).toList();
  }

  /** Most that arrived within any span of this length. */
  int mostWithin(Duration span, List<FakeChannel.Request> requests) {
    int most = 0;
    int from = 0;
    for (int to = 0; to < requests.size(); to++) {
      Instant end = requests.get(to).at();
      while (!requests.get(from).at().plus(span).isAfter(end)) {
        from++;
      }
      most = Math.max(most, to - from + 1);
    }
    return most;
  }

  void until(Instant moment) {
    world.pass(Duration.between(world.time.instant(), moment));
  }

  void until(String moment) {
    until(Instant.parse(moment));
  }

  List<Event.RunEnded> ends() {
    return world.events(Event.RunEnded.class);
  }

  static Outcome rejected() {
    return new Outcome.Rejected(Outcome.Blame.TARGET, "chat not found");
  }

  static Duration minutes(long count) {
    return Duration.ofMinutes(count);
  }

  static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  static <T> List<T> concat(List<T> one, List<T> other) {
    List<T> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }
}
