package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.line.LineChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.MessageId;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.sqlite.VirtualSqlite;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.FakeChannel;
import dev.postrider.testkit.engine.FlakyStore;
import dev.postrider.testkit.engine.World;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs of reminders through the real LINE channel: reminder, engine, store, link and wire. */
class LineRunTest {
  private static final String PUSH = "/v2/bot/message/push";
  private static final String MULTICAST = "/v2/bot/message/multicast";

  @TempDir Path folder;

  private final Line line = new Line();
  private final VirtualTime time = VirtualTime.inOrder();
  private final FlakyStore disk = new FlakyStore(time);
  private World world;
  private Reminders reminders;

  /** What LINE does with pushes and multicasts: all get it or none, and each key counts once. */
  private static final class Line implements AutoCloseable {
    final FakePlatform platform = FakePlatform.start();
    final List<String> received = new ArrayList<>();
    final Set<String> strangers = new HashSet<>();
    private final Set<String> keys = new HashSet<>();
    boolean losesAnswer;
    Runnable onMulticast = () -> {};

    Line() {
      platform.otherwise(this::answer);
    }

    private synchronized Reply answer(Request request) {
      JsonNode to = new JsonMapper().readTree(request.text()).path("to");
      List<String> users =
          to.isArray() ? to.valueStream().map(JsonNode::asString).toList() : List.of(to.asString());
      if (!keys.add(request.headers().get("x-line-retry-key"))) {
        return Reply.json(409, "{\"message\":\"The retry key is already accepted\"}")
            .header("x-line-accepted-request-id", "accepted");
      }
      if (users.size() > 500 || users.stream().anyMatch(strangers::contains)) {
        keys.remove(request.headers().get("x-line-retry-key"));
        return Reply.json(400, "{\"message\":\"The property, 'to', is invalid\"}");
      }
      received.addAll(users);
      if (to.isArray()) {
        onMulticast.run();
      }
      Reply taken = Reply.json(200, "{}").header("x-line-request-id", "request");
      boolean lost = losesAnswer;
      losesAnswer = false;
      return lost ? new Reply.HangUp() : taken;
    }

    List<Request> requests(String path) {
      return platform.requests().stream().filter(it -> it.path().equals(path)).toList();
    }

    @Override
    public void close() {
      platform.close();
    }
  }

  @BeforeEach
  void makeWorld() {
    world =
        new World(
                it -> disk.around(VirtualSqlite.open(folder.resolve("test.db"), it)),
                time,
                new FakeChannel(),
                1)
            .with(new LineChannel())
            .configure(
                config ->
                    config.account(
                        AccountConfig.of("shop", "line")
                            .set("token", "token")
                            .set("baseUrl", line.platform.baseUrl())));
    start();
  }

  private void start() {
    world.start();
    reminders =
        Reminders.open(world.postrider(), ReminderSettings.DEFAULTS, new SplittableRandom(1));
    world.time.settle();
  }

  @AfterEach
  void endWorld() {
    world.close();
    line.close();
  }

  private static String user(int n) {
    return "U%032x".formatted(n);
  }

  private static List<String> users(int count) {
    return IntStream.range(0, count).mapToObj(LineRunTest::user).toList();
  }

  private UUID fire(int count, String text) {
    Reminder.Builder notice =
        Reminder.named("notice")
            .account("shop")
            .zone(ZoneId.of("UTC"))
            .window(null)
            .targets(
                users(count).stream()
                    .map(it -> Target.to(it).with(Map.of("name", "user " + it)))
                    .toList())
            .messages(List.of(Content.text(text)));
    return reminders.fire(reminders.create(notice).id()).run().id();
  }

  private RunStatus status(UUID run) {
    return reminders.runs().find(run).orElseThrow().run().status();
  }

  private List<RunTarget> targets(UUID run, @Nullable TargetStatus status) {
    return reminders.runs().targets(run, RunTargetFilter.of(status), null, 100_000).items();
  }

  private StoredMessage message(RunTarget target) {
    MessageId id = target.messages().getFirst();
    return world.postrider().find(id).orElseThrow();
  }

  private void pass(Duration length) {
    world.pass(length);
  }

  @Test
  void a_run_to_1200_users_is_three_requests_and_each_target_has_its_own_status() {
    UUID run = fire(1_200, "Hello all");
    pass(Duration.ofSeconds(30));

    assertThat(line.requests(MULTICAST)).hasSize(3);
    assertThat(line.requests(PUSH)).isEmpty();
    assertThat(line.received).containsExactlyInAnyOrderElementsOf(users(1_200));
    assertThat(status(run)).isEqualTo(RunStatus.SUCCESS);
    assertThat(targets(run, TargetStatus.SENT)).hasSize(1_200);
    assertThat(targets(run, null).stream().map(it -> it.messages().getFirst()).distinct())
        .as("each has a message of its own")
        .hasSize(1_200);
    assertThat(message(targets(run, null).getLast()).attempts()).isEqualTo(1);
  }

  @Test
  void a_kill_between_the_request_and_its_outcome_repeats_that_request_and_nobody_gets_it_twice() {
    line.onMulticast = () -> disk.failWrites(true); // no outcome can be stored any more
    UUID run = fire(700, "Hello all");
    pass(Duration.ofSeconds(3));
    assertThat(line.requests(MULTICAST)).hasSize(1);
    assertThat(targets(run, TargetStatus.SENT)).isEmpty();

    line.onMulticast = () -> {};
    world.crash();
    disk.failWrites(false);
    start();
    pass(Duration.ofMinutes(1));

    assertThat(status(run)).isEqualTo(RunStatus.SUCCESS);
    assertThat(line.received).containsExactlyInAnyOrderElementsOf(users(700));
    List<Request> requests = line.requests(MULTICAST);
    assertThat(requests).as("two, and the first once more").hasSize(3);
    Request first = requests.getFirst();
    assertThat(requests)
        .filteredOn(it -> it.text().equals(first.text()))
        .hasSize(2)
        .allSatisfy(
            it ->
                assertThat(it.headers().get("x-line-retry-key"))
                    .isEqualTo(first.headers().get("x-line-retry-key")));
    assertThat(line.requests(PUSH)).isEmpty();
    assertThat(targets(run, TargetStatus.SENT))
        .hasSize(700)
        .noneMatch(target -> message(target).possibleDuplicate());
  }

  @Test
  void a_lost_answer_repeats_that_request_once_and_nobody_gets_it_twice() {
    line.losesAnswer = true;
    UUID run = fire(500, "Hello all");
    pass(Duration.ofMinutes(1));

    assertThat(status(run)).isEqualTo(RunStatus.SUCCESS);
    assertThat(line.received).containsExactlyInAnyOrderElementsOf(users(500));
    assertThat(line.requests(MULTICAST)).hasSize(2);
    assertThat(line.requests(PUSH)).isEmpty();
    assertThat(targets(run, null)).noneMatch(target -> message(target).possibleDuplicate());
  }

  @Test
  void one_that_is_cancelled_in_doubt_stays_in_the_request_that_is_repeated() {
    line.losesAnswer = true;
    UUID run = fire(20, "Hello all");
    pass(Duration.ofSeconds(3));
    StoredMessage one = world.postrider().find("shop", "run:" + run + ":7:1:0").orElseThrow();
    world.postrider().cancel(one.id());
    pass(Duration.ofMinutes(1));

    assertThat(targets(run, TargetStatus.SENT)).hasSize(19);
    assertThat(targets(run, TargetStatus.CANCELLED))
        .extracting(it -> it.target().to())
        .containsExactly(one.message().to());
    assertThat(line.requests(MULTICAST).stream().map(Request::text).distinct()).hasSize(1);
    assertThat(line.received)
        .as("it had arrived before")
        .containsExactlyInAnyOrderElementsOf(users(20));
  }

  @Test
  void a_wrong_id_among_many_fails_alone_and_nobody_is_charged_for_it() {
    line.strangers.add(user(123));
    UUID run = fire(500, "Hello all");
    pass(Duration.ofMinutes(1));

    assertThat(status(run)).isEqualTo(RunStatus.PARTIAL);
    assertThat(targets(run, TargetStatus.FAILED))
        .extracting(it -> it.target().to())
        .containsExactly(user(123));
    assertThat(targets(run, TargetStatus.SENT))
        .hasSize(499)
        .allSatisfy(target -> assertThat(message(target).attempts()).isEqualTo(1));
    assertThat(line.received).hasSize(499).doesNotHaveDuplicates();
    assertThat(line.requests(MULTICAST)).hasSize(1);
    assertThat(line.requests(PUSH)).hasSize(500);
  }

  @Test
  void a_text_with_names_in_it_goes_to_each_alone() {
    UUID run = fire(20, "Hello {{name}}");
    pass(Duration.ofMinutes(1));

    assertThat(status(run)).isEqualTo(RunStatus.SUCCESS);
    assertThat(line.requests(MULTICAST)).isEmpty();
    assertThat(line.requests(PUSH)).hasSize(20);
  }
}
