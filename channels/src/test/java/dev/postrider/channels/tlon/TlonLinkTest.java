package dev.postrider.channels.tlon;

import static dev.postrider.channels.tlon.FakeUrbit.SHIP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.tlon.FakeUrbit.Fault;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is sent to a ship, and what becomes of it when the ship or the line misbehaves. */
@Timeout(240)
class TlonLinkTest {
  private static final String ANN = "~ravmel-ropdyl";
  private static final String GENERAL = "chat/~ravmel-ropdyl/general";
  private static final String POST = "170141184506535164684262900635183087616";
  private static final TlonChannel CHANNEL = new TlonChannel();

  private final FakeUrbit ship;
  private TlonRig rig;

  TlonLinkTest() throws Exception {
    ship = new FakeUrbit();
    rig = new TlonRig(ship.account());
  }

  @AfterEach
  void close() throws Exception {
    rig.close();
    ship.close();
  }

  private void with(String key, Object value) throws Exception {
    rig.close();
    rig = new TlonRig(ship.account().set(key, value));
  }

  private static String id(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    return ((Outcome.Delivered) outcome).receipt().id();
  }

  private JsonNode poke() {
    return ship.pokes.getLast();
  }

  // ---- what is asked

  @Test
  void a_direct_message_is_called_by_a_time_of_ours() throws Exception {
    rig.connected();
    Dispatch part = rig.part(ANN, "hello");
    String id = id(rig.link.send(part));
    assertThat(id).isEqualTo(SHIP + "/" + UrbitTime.dotted(UrbitTime.of(part)));
    assertThat(poke().path("ship").asString()).isEqualTo("sampel-palnet");
    assertThat(poke().path("app").asString()).isEqualTo("chat");
    assertThat(poke().path("mark").asString()).isEqualTo("chat-dm-action");
    JsonNode json = poke().path("json");
    assertThat(json.path("ship").asString()).isEqualTo(ANN);
    assertThat(json.path("diff").path("id").asString()).isEqualTo(id);
    JsonNode add = json.path("diff").path("delta").path("add");
    assertThat(add.path("kind").isNull() && add.path("time").isNull()).isTrue();
    assertThat(add.path("memo").path("author").asString()).isEqualTo(SHIP);
    assertThat(add.path("memo").path("sent").asLong())
        .isEqualTo(part.id().givenAt().toEpochMilli());
    assertThat(add.path("memo").path("content").toString()).isEqualTo("[{\"inline\":[\"hello\"]}]");
  }

  @Test
  void a_post_in_a_groups_channel_and_a_reply_to_one() throws Exception {
    rig.connected();
    Dispatch part = rig.part(GENERAL, "hello");
    assertThat(id(rig.link.send(part))).isEqualTo(SHIP + "/" + part.id().givenAt().toEpochMilli());
    assertThat(poke().path("mark").asString()).isEqualTo("channel-action-1");
    JsonNode channel = poke().path("json").path("channel");
    assertThat(channel.path("nest").asString()).isEqualTo(GENERAL);
    JsonNode essay = channel.path("action").path("post").path("add");
    assertThat(essay.path("kind").asString()).isEqualTo("/chat");
    assertThat(essay.path("blob").isNull() && essay.path("meta").isNull()).isTrue();

    rig.link.send(rig.part(Message.to("ship", GENERAL).text("yes").threadId(POST)));
    JsonNode reply = poke().path("json").path("channel").path("action").path("post").path("reply");
    assertThat(reply.path("id").asString())
        .isEqualTo("170.141.184.506.535.164.684.262.900.635.183.087.616");
    assertThat(reply.path("action").path("add").path("content").toString()).contains("yes");
  }

  @Test
  void an_answer_to_a_direct_message_and_a_message_to_several_ships() throws Exception {
    rig.connected();
    String first = ANN + "/170.141.184.506.535";
    rig.link.send(rig.part(Message.to("ship", ANN).text("yes").replyToId(first)));
    JsonNode diff = poke().path("json").path("diff");
    assertThat(diff.path("id").asString()).isEqualTo(first);
    assertThat(diff.path("delta").path("reply").path("id").asString()).startsWith(SHIP + "/");

    rig.send("0v4.00000.abcde", "hello, all");
    assertThat(poke().path("mark").asString()).isEqualTo("chat-club-action");
    assertThat(poke().path("json").path("id").asString()).isEqualTo("0v4.00000.abcde");
    assertThat(poke().path("json").path("diff").path("uid").asString()).startsWith("0v");
  }

  // ---- what becomes of it

  @Test
  void a_repeat_is_the_same_message() throws Exception {
    with("timeout", "3s");
    rig.connected();
    Dispatch part = rig.part(ANN, "hello");
    ship.faults.add(Fault.NO_WORD);
    assertThat(rig.link.send(part)).isInstanceOf(Outcome.Unknown.class);
    assertThat(id(rig.link.send(part.inDoubt(Instant.now())))).isNotEmpty();
    assertThat(ship.pokes).hasSize(2);
    assertThat(ship.messageCount()).as("the ship knows it again").isEqualTo(1);
    assertThat(rig.link.remembers(part, Duration.ofDays(1))).hasDays(1);
    assertThat(rig.link.remembers(rig.part(GENERAL, "x"), Duration.ofDays(1))).isZero();
  }

  @Test
  void an_answer_that_is_lost_on_the_way_comes_on_the_stream() throws Exception {
    rig.connected();
    ship.faults.add(Fault.HANG_UP);
    assertThat(id(rig.send(ANN, "hello"))).isNotEmpty();
    assertThat(ship.pokes).hasSize(1);
  }

  @Test
  void a_request_that_nobody_took_or_nobody_tells_of_is_unknown() throws Exception {
    with("timeout", "3s");
    rig.connected();
    ship.faults.add(Fault.DROP);
    assertThat(rig.send(ANN, "x")).isInstanceOf(Outcome.Unknown.class);
    assertThat(id(rig.send(ANN, "y"))).as("the next one").isNotEmpty();
  }

  @Test
  void a_connection_that_ends_leaves_what_was_asked_unknown_and_the_account_waits()
      throws Exception {
    CompletableFuture<Exception> end = rig.connected();
    ship.faults.add(Fault.CUT);
    assertThat(rig.send(ANN, "x")).isInstanceOf(Outcome.Unknown.class);
    assertThat(TlonRig.end(end)).hasMessage("the ship has ended the connection");
    assertThat(rig.notReady())
        .isEqualTo("not connected to 127.0.0.1: the ship has ended the connection");
    assertThat(rig.send(ANN, "y")).isEqualTo(new Outcome.Unreachable("not connected to 127.0.0.1"));
    rig.connected();
    assertThat(id(rig.send(ANN, "y"))).isNotEmpty();
    assertThat(ship.deleted).as("the channel before").hasSize(1);
  }

  @Test
  void what_the_ship_refuses_is_rejected_and_an_answer_goes_without_what_it_answers()
      throws Exception {
    rig.connected();
    ship.faults.add(Fault.NACK);
    assertThat(rig.send(GENERAL, "x"))
        .isEqualTo(
            new Outcome.Rejected(
                Outcome.Blame.MESSAGE,
                "the ship refuses it: /app/channels/hoon:<[1 2].[3 4]> can't write there"));
    ship.faults.add(Fault.NACK);
    assertThat(rig.link.send(rig.part(Message.to("ship", GENERAL).text("x").replyToId(POST))))
        .isInstanceOf(Outcome.Repairable.class);
  }

  @ParameterizedTest
  @CsvSource({
    "500, unknown",
    "502, unknown",
    "503, unknown",
    "504, unknown",
    "429, throttled",
    "400, rejected",
    "413, rejected",
    "302, account-broken"
  })
  void statuses(int status, String label) throws Exception {
    rig.connected();
    ship.faults.add(status);
    assertThat(rig.send(ANN, "x").label()).isEqualTo(label);
    assertThat(id(rig.send(ANN, "y"))).as("the next one").isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"401", "403", "404"})
  void a_login_that_is_forgotten_is_renewed_and_nothing_is_charged(int status) throws Exception {
    CompletableFuture<Exception> end = rig.connected();
    ship.faults.add(status);
    assertThat(rig.send(ANN, "x")).isInstanceOf(Outcome.Throttled.class);
    assertThat(TlonRig.end(end)).hasMessage("the ship has forgotten the login");
    rig.notReady();
    rig.connected();
    assertThat(id(rig.send(ANN, "x"))).isNotEmpty();
    assertThat(ship.logins).hasValue(2);
  }

  @Test
  void a_ship_that_lets_us_in_and_takes_nothing_breaks_the_account_after_a_few_logins()
      throws Exception {
    for (int logins = 1; logins <= 2; logins++) {
      rig.connected();
      ship.faults.add(403);
      assertThat(rig.send(ANN, "x")).isInstanceOf(Outcome.Throttled.class);
      rig.notReady();
    }
    rig.connected();
    ship.faults.add(403);
    assertThat(rig.send(ANN, "x"))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).contains("403", "takes the login", "baseUrl"));
    rig.notReady();

    rig.connected();
    assertThat(id(rig.send(ANN, "x"))).isNotEmpty();
    ship.faults.add(403);
    assertThat(rig.send(ANN, "y")).as("that was over").isInstanceOf(Outcome.Throttled.class);
  }

  @Test
  void a_login_that_many_find_forgotten_is_forgotten_once() throws Exception {
    rig.connected();
    ship.faults.addAll(List.of(403, 403, 403, 403, 403, 403));
    List<CompletableFuture<Outcome>> all =
        IntStream.range(0, 6).mapToObj(i -> CompletableFuture.supplyAsync(this::sent)).toList();
    for (CompletableFuture<Outcome> each : all) {
      assertThat(each.get(2, TimeUnit.MINUTES)).isNotInstanceOf(Outcome.AccountBroken.class);
    }
  }

  private Outcome sent() {
    try {
      return rig.send(ANN, "x");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_post_whose_fate_is_unknown_is_looked_up_by_when_it_was_said() throws Exception {
    rig.connected();
    Dispatch part = rig.part(GENERAL, "hello");
    assertThat(rig.link.reconcile(part))
        .as("it may still be under way")
        .isInstanceOf(Reconciliation.Inconclusive.class);
    ship.scryAnswers.put(
        "/channels/v4/" + GENERAL + "/posts/newest/100/outline.json",
        Map.of(
            "posts",
            Map.of(
                POST,
                Map.of(
                    "seal",
                    Map.of("id", POST),
                    "essay",
                    Map.of(
                        "author",
                        SHIP,
                        "sent",
                        part.id().givenAt().toEpochMilli(),
                        "content",
                        List.of(Map.of("inline", List.of("hello"))))))));
    assertThat(rig.link.reconcile(part)).isInstanceOf(Reconciliation.Found.class);
    assertThat(id(rig.link.send(part.inDoubt(Instant.now())))).startsWith(SHIP);
    assertThat(ship.posts).as("and not sent again").isEmpty();
    assertThat(rig.link.reconcile(rig.part(GENERAL, "other")))
        .isInstanceOf(Reconciliation.Inconclusive.class);
  }

  // ---- logging in

  @Test
  void a_wrong_code_is_named() throws Exception {
    with("code", "lidlut-tabwed-pillex-ridrus");
    assertThat(TlonRig.end(rig.listen()))
        .isInstanceOf(ListeningRefused.class)
        .hasMessageContaining("+code");
    assertThat(rig.notReady()).contains("does not take the code");
    assertThat(rig.link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class,
            it -> assertThat(it.cause()).contains("+code").doesNotContain("lidlut"));
  }

  @Test
  void a_probe_without_a_connection_logs_in_and_out_again() throws Exception {
    assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy(SHIP));
    assertThat(ship.logouts).hasValue(1);
    assertThat(ship.streams).hasValue(0);
    rig.connected();
    assertThat(rig.link.probe()).isEqualTo(new Probe.Healthy(SHIP));
    assertThat(ship.logins).as("with one, it tells of that").hasValue(2);
  }

  @Test
  void before_the_first_connection_the_account_waits() throws Exception {
    assertThat(rig.readiness).containsExactly("connecting to 127.0.0.1");
    assertThat(rig.send(ANN, "x")).isInstanceOf(Outcome.Unreachable.class);
    ship.close();
    assertThat(TlonRig.end(rig.listen())).hasMessage("127.0.0.1: connection refused");
    assertThat(rig.link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  @Test
  void closing_ends_the_connection_at_once_and_no_other_begins() throws Exception {
    CompletableFuture<Exception> end = rig.connected();
    rig.link.close();
    assertThat(TlonRig.end(end)).hasMessage("the account is closed");
    assertThat(TlonRig.end(rig.listen())).isNotNull();
    assertThat(ship.streams).hasValue(1);
  }

  // ---- what the channel says of itself

  @Test
  void a_code_that_is_none_is_refused_without_being_repeated() {
    AccountConfig wrong = ship.account().set("code", "hunter2");
    assertThatThrownBy(() -> new TlonRig(wrong))
        .hasMessageContaining("code is not four words")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void what_no_ship_could_take_is_refused_when_it_is_handed_in() {
    for (Message.Builder wrong :
        List.of(
            Message.to("ship", ANN).text("x").replyToId("7"),
            Message.to("ship", GENERAL).text("x").threadId("~zod/7"),
            Message.to("ship", ANN).text("x").channelData(Map.of("a", 1)))) {
      Message message = wrong.build();
      assertThatThrownBy(() -> CHANNEL.check(message, rig.part(wrong).plan()))
          .isInstanceOf(InvalidInput.class);
    }
  }
}
