package dev.postrider.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channels.whatsappweb.WhatsAppWebChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
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
import dev.postrider.view.AccountView;
import dev.postrider.view.WaitingFor;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs to groups through the real channel of WhatsApp: reminder, engine, store, link and wire. */
class WhatsAppRunTest {
  private static final int GROUPS = 1_000;
  private static final String SECRET = "hook-secret";
  private static final String STRANGER = "491701234567@c.us";
  private static final String OTHER = "491701234568@c.us";

  @TempDir Path folder;

  private final VirtualTime time = VirtualTime.inOrder();
  private final Waha waha = new Waha(time);
  private final FlakyStore disk = new FlakyStore(time);
  private World world;
  private Reminders reminders;

  /** One request to send, when it came and what it was. */
  private record Sent(Instant at, String chat, String id) {}

  /** What WAHA does with texts, and WhatsApp's apps with their ids. */
  private static final class Waha implements AutoCloseable {
    final FakePlatform platform = FakePlatform.start();
    final List<Sent> requests = new ArrayList<>();
    final Map<String, List<String>> shown = new HashMap<>();
    private final VirtualTime time;
    String status = "WORKING";
    Runnable onSend = () -> {};

    Waha(VirtualTime time) {
      this.time = time;
      platform.recording(false).otherwise(this::answer);
    }

    private synchronized Reply answer(Request request) {
      String path = request.path();
      if (path.startsWith("/api/sessions/")) {
        return Reply.json(200, "{\"name\":\"default\",\"status\":\"" + status + "\"}");
      }
      if (path.startsWith("/api/contacts/check-exists")) {
        return Reply.json(200, "{\"numberExists\":true}");
      }
      if (path.contains("/messages/")) {
        return Reply.json(404, "{\"message\":\"not found\",\"statusCode\":404}");
      }
      return path.startsWith("/api/sendText") ? send(request) : Reply.json(200, "[]");
    }

    private Reply send(Request request) {
      if (!status.equals("WORKING")) {
        return Reply.json(
            422, "{\"error\":\"Session status is not as expected\",\"status\":\"" + status + "\"}");
      }
      JsonNode body = new JsonMapper().readTree(request.text());
      Sent sent =
          new Sent(time.instant(), body.path("chatId").asString(), body.path("id").asString());
      requests.add(sent);
      List<String> chat = shown.computeIfAbsent(sent.chat, _ -> new ArrayList<>());
      if (!chat.contains(sent.id)) { // an id that is there is the same message
        chat.add(sent.id);
      }
      onSend.run();
      return Reply.json(201, "{\"id\":\"true_%s_%s\"}".formatted(sent.chat, sent.id));
    }

    synchronized int sends() {
      return requests.size();
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
            .with(new WhatsAppWebChannel())
            .configure(
                config ->
                    config
                        .account(account("wa").set("warmup", "0s"))
                        .account(account("young").set("warmup", "10d").set("jitter", 0)));
    start();
  }

  private AccountConfig account(String id) {
    return AccountConfig.of(id, "whatsapp-web")
        .set("apiKey", "waha-key")
        .set("webhookSecret", SECRET)
        .set("settle", "0s")
        .set("baseUrl", waha.platform.baseUrl());
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
    waha.close();
  }

  private static String group(int n) {
    return "120363%012d@g.us".formatted(n);
  }

  private UUID fire(String account, int groups) {
    Reminder.Builder notice =
        Reminder.named("notice")
            .account(account)
            .zone(ZoneId.of("UTC"))
            .window(null)
            .targets(IntStream.range(0, groups).mapToObj(n -> Target.to(group(n))).toList())
            .messages(List.of(Content.text("Hello all")));
    return reminders.fire(reminders.create(notice).id()).run().id();
  }

  private RunStatus status(UUID run) {
    return reminders.runs().find(run).orElseThrow().run().status();
  }

  private List<RunTarget> targets(UUID run) {
    return reminders.runs().targets(run, RunTargetFilter.ALL, null, 100_000).items();
  }

  private StoredMessage message(MessageId id) {
    return world.postrider().find(id).orElseThrow();
  }

  private AccountView view(String id) {
    return world.postrider().accounts().stream()
        .filter(it -> it.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private void hook(String body) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA512");
    mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA512"));
    String signature = HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8)));
    Hook.Request request =
        new Hook.Request(
            "POST",
            Map.of("x-webhook-hmac", signature),
            Map.of(),
            body.getBytes(UTF_8),
            time.instant());
    assertThat(world.postrider().receive("wa", request)).isInstanceOf(Hook.Answer.Genuine.class);
  }

  /** That no minute, wherever it begins, has more than forty. */
  private void assertPace(int perMinute) {
    for (int first = 0; first < waha.requests.size(); first++) {
      Instant end = waha.requests.get(first).at.plus(Duration.ofMinutes(1));
      int last = first;
      while (last < waha.requests.size() && waha.requests.get(last).at.isBefore(end)) {
        last++;
      }
      assertThat(last - first).as("in the minute from %s", end).isLessThanOrEqualTo(perMinute);
    }
  }

  @Test
  void a_thousand_groups_get_it_once_through_a_disconnect_a_restriction_and_a_kill()
      throws Exception {
    UUID run = fire("wa", GROUPS);

    // The phone loses its connection for some minutes: nothing is charged, nothing fails.
    world.pass(Duration.ofMinutes(5));
    int before = waha.sends();
    assertThat(before).isBetween(100, 200);
    waha.status = "STARTING";
    world.pass(Duration.ofMinutes(4));
    assertThat(waha.sends()).as("while it is away").isEqualTo(before);
    assertThat(view("wa").reason()).contains("the session is starting");
    waha.status = "WORKING";
    world.pass(Duration.ofMinutes(5));
    assertThat(waha.sends()).isGreaterThan(before + 50);

    // WhatsApp closes the account to strangers: they wait, and the groups go on.
    MessageId refused = world.postrider().send(Message.to("wa", STRANGER).text("Hi").build()).id();
    world.pass(Duration.ofSeconds(30));
    assertThat(message(refused).status()).isEqualTo(Status.DELIVERED);
    String receipt = waha.shown.get(STRANGER).getFirst();
    Instant until = time.instant().plus(Duration.ofHours(2));
    hook(
        """
        {"id":"evt_1","event":"message.ack","session":"default","payload":{"id":"true_%s_%s",
         "fromMe":true,"ack":-1,"error":{"code":463,"until":"%s"}}}"""
            .formatted(STRANGER, receipt, until));
    MessageId waiting = world.postrider().send(Message.to("wa", OTHER).text("Hi").build()).id();
    int closed = waha.sends();
    world.pass(Duration.ofMinutes(4));
    assertThat(waha.sends()).as("the groups go on").isGreaterThan(closed + 50);
    assertThat(waha.shown).doesNotContainKey(OTHER);
    assertThat(message(waiting).attempts()).as("nothing is charged").isZero();
    assertThat(world.postrider().waitingFor(message(waiting)))
        .isInstanceOfSatisfying(
            WaitingFor.Pace.class,
            it -> {
              assertThat(it.until()).isEqualTo(until);
              assertThat(it.cause()).contains("463");
            });

    // The process is killed between a request and its outcome.
    waha.onSend = () -> disk.failWrites(true);
    world.pass(Duration.ofSeconds(5));
    waha.onSend = () -> {};
    world.crash();
    disk.failWrites(false);
    start();
    world.pass(Duration.ofMinutes(30));

    assertThat(status(run)).isEqualTo(RunStatus.SUCCESS);
    assertThat(targets(run))
        .hasSize(GROUPS)
        .allSatisfy(target -> assertThat(target.status()).isEqualTo(TargetStatus.SENT));
    assertThat(IntStream.range(0, GROUPS).mapToObj(n -> waha.shown.get(group(n))))
        .as("each group shows it once")
        .allSatisfy(ids -> assertThat(ids).hasSize(1));
    assertThat(targets(run))
        .as("a repeat has its id, so none is announced")
        .noneMatch(target -> message(target.messages().getFirst()).possibleDuplicate());
    assertThat(waha.sends()).as("one request was repeated at most").isLessThan(GROUPS + 5);
    assertPace(40);
    assertThat(IntStream.range(1, 50).mapToObj(this::interval).distinct())
        .as("not like clockwork")
        .hasSizeGreaterThan(10);

    // When it is over, who waited is written to; what was refused goes out as a new message.
    world.pass(Duration.ofHours(2));
    assertThat(message(waiting).status()).isEqualTo(Status.DELIVERED);
    assertThat(message(refused).status()).isEqualTo(Status.FAILED);
    assertThat(waha.shown.get(STRANGER)).hasSize(2);
  }

  private Duration interval(int n) {
    return Duration.between(waha.requests.get(n - 1).at, waha.requests.get(n).at);
  }

  @Test
  void a_new_account_begins_slowly_also_after_a_restart_and_says_so() {
    fire("young", 100);
    world.pass(Duration.ofMinutes(5));
    assertThat(waha.sends()).as("4 a minute").isBetween(18, 22);
    assertThat(view("young").waitingFor())
        .isInstanceOfSatisfying(
            WaitingFor.Pace.class, it -> assertThat(it.cause()).contains("10 %", "new here"));

    world.crash();
    start();
    int before = waha.sends();
    world.pass(Duration.ofMinutes(5));
    assertThat(waha.sends() - before).as("after the restart").isBetween(18, 22);
  }
}
