package dev.postrider.channels.matrix;

import static dev.postrider.channels.matrix.FakeHomeserver.error;
import static dev.postrider.channels.matrix.FakeHomeserver.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listening, against answers that the specification allows. */
class MatrixSyncTest {
  private static final String ROOM = "!r:x";
  private static final String TWO =
      "{'joined':{'@bot:x':{'display_name':'Bot'},'@ann:x':{'display_name':'Ann'}}}";
  private static final String THREE =
      "{'joined':{'@bot:x':{},'@ann:x':{'display_name':'Ann'},'@bob:x':{}}}";

  private final FakeHomeserver server = new FakeHomeserver();
  private final Ear ear = new Ear();
  private AccountConfig config =
      AccountConfig.of("mx", "matrix")
          .set("token", "syt-very-secret")
          .set("userId", "@bot:x")
          .set("baseUrl", server.platform.baseUrl())
          .set("sync", true);

  @AfterEach
  void close() {
    server.close();
  }

  /** Keeps what is handed in, and stops the listener at a given point. */
  private static final class Ear implements InboundSink {
    final AtomicInteger connections = new AtomicInteger();
    final List<String> failures = new CopyOnWriteArrayList<>();
    final List<InboundMessage> arrivals = new ArrayList<>();
    final List<Duration> pauses = new ArrayList<>();
    @Nullable String cursor = "s1";
    int stopAfter = 1;

    @Override
    public @Nullable String cursor() {
      return cursor;
    }

    @Override
    public void take(
        List<InboundMessage> heard,
        List<DeliveryReport> reports,
        @Nullable String next,
        List<Remembered> memory) {
      if (stopAfter == 0) {
        throw new Scheduler.Interrupted();
      }
      stopAfter--;
      arrivals.addAll(heard);
      cursor = next;
    }

    @Override
    public void connected() {
      connections.incrementAndGet();
    }

    @Override
    public void failing(String cause) {
      failures.add(cause);
    }

    @Override
    public boolean pause(Duration duration) {
      pauses.add(duration);
      return true;
    }
  }

  /** Listens until as many answers were taken as the ear is for, or the script is over. */
  private void listen() throws Exception {
    server.platform.otherwise(_ -> error(418, "THE_SCRIPT_IS_OVER"));
    try (Link link = new MatrixChannel().open(TestAccount.of(config))) {
      assertThatThrownBy(() -> link.listen(ear)).isInstanceOf(IOException.class);
    }
  }

  private static String event(String id, String sender, String type, String content) {
    return ("{'event_id':'$%s','sender':'%s','type':'%s','origin_server_ts':1772366400000,"
            + "'content':%s}")
        .formatted(id, sender, type, content);
  }

  private static String said(String id, String text) {
    return event(id, "@ann:x", "m.room.message", "{'msgtype':'m.text','body':'" + text + "'}");
  }

  private static String joined(String id, String who, String unsigned) {
    return event(id, who, "m.room.member", "{'membership':'join'}")
        .replaceFirst("\\{", "{'state_key':'" + who + "','unsigned':" + unsigned + ",");
  }

  private static Reply.Answer sync(String next, boolean limited, String... events) {
    return ok(
        "sync",
        ("{'next_batch':'%s','rooms':{'join':{'%s':{'timeline':{'limited':%s,"
                + "'prev_batch':'p1','events':[%s]}}}}}")
            .formatted(next, ROOM, limited, String.join(",", events)));
  }

  private static Reply.Answer page(@Nullable String end, String... newestFirst) {
    String room = "{'room_id':'" + ROOM + "',";
    String chunk =
        String.join(
            ",",
            java.util.Arrays.stream(newestFirst)
                .map(one -> one.replaceFirst("\\{", room))
                .toList());
    return ok(
        "messages",
        "{'start':'p1',%s'chunk':[%s]}"
            .formatted(end == null ? "" : "'end':'" + end + "',", chunk));
  }

  private InboundMessage heard(String event) throws Exception {
    server.platform.answer(sync("s2", false, event));
    server.answer("/joined_members", "members", TWO);
    listen();
    assertThat(ear.arrivals).hasSize(1);
    return ear.arrivals.getFirst();
  }

  private List<String> ids() {
    return ear.arrivals.stream().map(InboundMessage::platformId).toList();
  }

  private static String query(Request request, String name) {
    for (String pair : request.path().replaceFirst("^[^?]*\\?", "").split("&")) {
      if (pair.startsWith(name + "=")) {
        return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  // ---- the stream

  @Test
  void the_first_answer_only_says_where_now_is() throws Exception {
    ear.cursor = null;
    server.platform.answer(sync("s1", true, said("old", "history")));

    listen();

    assertThat(ear.cursor).isEqualTo("s1");
    assertThat(ear.arrivals).isEmpty();
    Request first = server.platform.requests().getFirst();
    assertThat(query(first, "since")).isEmpty();
    assertThat(query(first, "filter")).containsPattern("\"limit\":1\\b");
    assertThat(query(server.platform.requests().get(1), "since")).isEqualTo("s1");
  }

  @Test
  void the_filter_is_one_the_specification_knows() throws Exception {
    listen();
    String filter = query(server.platform.requests().getFirst(), "filter");
    assertThat(FakeHomeserver.API.validate("filter", Json.readObject(filter))).isEmpty();
    String wrong = filter.replace("\"limit\":100", "\"limit\":\"100\"");
    assertThat(FakeHomeserver.API.validate("filter", Json.readObject(wrong))).isNotEmpty();
  }

  @Test
  void the_next_question_starts_behind_what_was_taken_and_waits_for_news() throws Exception {
    ear.stopAfter = 2;
    server.platform.answer(
        sync("s2", false, said("1", "a")), ok("members", TWO), sync("s3", false, said("2", "b")));

    listen();

    assertThat(ids()).containsExactly("$1", "$2");
    assertThat(server.platform.requests())
        .filteredOn(request -> request.path().contains("/sync"))
        .extracting(request -> query(request, "since"))
        .containsExactly("s1", "s2", "s3");
    assertThat(query(server.platform.requests().getFirst(), "timeout")).isEqualTo("30000");
  }

  @Test
  void what_was_not_taken_is_asked_for_again() throws Exception {
    ear.stopAfter = 0;
    server.platform.answer(sync("s2", false, said("1", "a")), ok("members", TWO));
    try (Link link = new MatrixChannel().open(TestAccount.of(config))) {
      assertThatThrownBy(() -> link.listen(ear)).isInstanceOf(Scheduler.Interrupted.class);
    }
    assertThat(ear.cursor).isEqualTo("s1");
  }

  @Test
  void a_limit_is_waited_for_and_other_trouble_is_told() throws Exception {
    server.platform.answer(
        Reply.json(429, "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":1500}"),
        error(401, "M_UNKNOWN_TOKEN"));
    try (Link link = new MatrixChannel().open(TestAccount.of(config))) {
      assertThatThrownBy(() -> link.listen(ear))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("M_UNKNOWN_TOKEN");
    }
    assertThat(ear.pauses).containsExactly(Duration.ofMillis(1500));
  }

  @Test
  void who_we_are_is_asked_if_it_is_not_known() throws Exception {
    config = config.set("userId", "");
    server.platform.answer(
        ok("whoami", "{'user_id':'@ann:x'}"), sync("s2", false, said("1", "mine")));
    listen();
    assertThat(ear.arrivals).isEmpty();
  }

  // ---- gaps

  @Test
  void what_an_answer_leaves_out_is_fetched_and_keeps_its_order() throws Exception {
    server.platform.answer(
        sync("s2", true, said("5", "e")),
        page("p2", said("4", "d"), said("3", "c")),
        page("p3"),
        page(null, said("2", "b")),
        ok("members", TWO));

    listen();

    assertThat(ids()).containsExactly("$2", "$3", "$4", "$5");
    Request first = server.platform.requests().get(1);
    assertThat(first.path()).startsWith("/_matrix/client/v3/rooms/%21r%3Ax/messages?dir=b&");
    assertThat(query(first, "from")).isEqualTo("p1");
    assertThat(query(first, "to")).isEqualTo("s1");
    assertThat(query(server.platform.requests().get(2), "from")).isEqualTo("p2");
  }

  @Test
  void catching_up_ends_at_the_limit() throws Exception {
    config = config.set("gapLimit", 200);
    String[] many =
        IntStream.range(0, 100).mapToObj(i -> said("m" + i, "x")).toArray(String[]::new);
    server.platform.answer(
        sync("s2", true, said("5", "e")), page("p2", many), page("p3"), ok("members", TWO));

    listen();

    assertThat(ear.arrivals).hasSize(101);
  }

  @Test
  void what_was_said_before_we_came_is_not_for_us() throws Exception {
    server.platform.answer(
        sync("s2", true, said("1", "before"), joined("2", "@bot:x", "{}"), said("3", "after")),
        ok("members", TWO));
    listen();
    assertThat(ids()).containsExactly("$3");
  }

  @Test
  void catching_up_ends_where_we_came_in_but_not_where_we_changed_our_name() throws Exception {
    server.platform.answer(
        sync("s2", true, said("5", "e")),
        page(
            "p2",
            said("4", "d"),
            joined("n", "@bot:x", "{'prev_content':{'membership':'join'}}"),
            said("3", "c"),
            joined("j", "@bot:x", "{'prev_content':{'membership':'invite'}}"),
            said("1", "a")),
        ok("members", TWO));
    listen();
    assertThat(ids()).containsExactly("$3", "$4", "$5");
  }

  @Test
  void a_gap_that_cannot_be_read_now_is_tried_again_and_one_that_never_can_be_is_left()
      throws Exception {
    server.platform.answer(sync("s2", true, said("5", "e")), Reply.html(502, "Bad Gateway"));
    try (Link link = new MatrixChannel().open(TestAccount.of(config))) {
      assertThatThrownBy(() -> link.listen(ear)).isInstanceOf(IOException.class);
    }
    assertThat(ear.cursor).isEqualTo("s1");

    server.platform.answer(
        sync("s2", true, said("5", "e")), error(403, "M_FORBIDDEN"), ok("members", TWO));
    listen();
    assertThat(ids()).containsExactly("$5");
  }

  // ---- rooms and invitations

  @Test
  void a_room_of_two_is_a_conversation_until_somebody_joins() throws Exception {
    ear.stopAfter = 2;
    server.platform.answer(
        sync("s2", false, said("1", "a")),
        ok("members", TWO),
        sync("s3", false, joined("2", "@bob:x", "{}"), said("3", "b")),
        ok("members", THREE));

    listen();

    assertThat(ear.arrivals)
        .extracting(InboundMessage::chatKind)
        .containsExactly(
            InboundMessage.ChatKind.DM,
            InboundMessage.ChatKind.GROUP,
            InboundMessage.ChatKind.GROUP);
    assertThat(ear.arrivals.getFirst().sender())
        .isEqualTo(new InboundMessage.Sender("@ann:x", "Ann"));
    assertThat(ear.arrivals.get(1).kind()).isEqualTo(InboundMessage.Kind.OTHER);
  }

  @Test
  void a_room_nobody_can_be_seen_in_is_a_group() throws Exception {
    server.platform.answer(sync("s2", false, said("1", "a")), error(403, "M_FORBIDDEN"));
    listen();
    assertThat(ear.arrivals.getFirst().chatKind()).isEqualTo(InboundMessage.ChatKind.GROUP);
    assertThat(ear.arrivals.getFirst().sender().name()).isNull();
  }

  @Test
  void an_invitation_that_meets_a_limit_or_a_fault_is_kept_and_accepted_later() throws Exception {
    ear.stopAfter = 100;
    config = config.set("autoJoin", true);
    String nothing = "{'next_batch':'s1'}";
    String invited =
        "{'next_batch':'s2','rooms':{'invite':{'!i:x':{'invite_state':{'events':[]}},"
            + "'!j:x':{'invite_state':{'events':[]}}}}}";
    server.platform.answer(
        ok("sync", nothing),
        ok("sync", invited),
        ok("joined", "{'room_id':'!i:x'}"),
        Reply.json(429, "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":100}"),
        ok("sync", "{'next_batch':'s3'}"));
    AtomicInteger joins = new AtomicInteger();
    server.platform.when(
        request -> request.path().endsWith("/join"),
        _ ->
            joins.incrementAndGet() == 1
                ? Reply.html(502, "Bad Gateway")
                : ok("joined", "{'room_id':'!j:x'}"));
    server.platform.when(
        request -> request.path().contains("/sync") && joins.get() < 2,
        _ -> ok("sync", "{'next_batch':'s4'}"));

    listen();

    assertThat(joins).as("tried again until it was accepted, and then no more").hasValue(2);
    assertThat(ear.connections.get()).isPositive();
  }

  @Test
  void an_invitation_that_was_not_accepted_before_a_restart_is_asked_for_again() throws Exception {
    config = config.set("autoJoin", true);
    server.platform.answer(
        ok("sync", "{'next_batch':'s9','rooms':{'invite':{'!i:x':{'invite_state':{}}}}}"),
        ok("joined", "{'room_id':'!i:x'}"));

    listen();

    assertThat(server.platform.requests().get(1).path()).endsWith("/rooms/%21i%3Ax/join");
    assertThat(ear.cursor).as("the stream is read on from where it was").isEqualTo("s1");
  }

  @Test
  void invitations_are_accepted_only_if_that_is_wanted() throws Exception {
    String invited =
        "{'next_batch':'s2','rooms':{'invite':{'!i:x':{'invite_state':{'events':[]}},"
            + "'!j:x':{'invite_state':{'events':[]}}}}}";
    server.platform.answer(ok("sync", invited));
    listen();
    assertThat(server.paths()).noneMatch(path -> path.endsWith("/join"));

    config = config.set("autoJoin", true);
    server.platform.answer(
        ok("sync", invited), error(403, "M_FORBIDDEN"), ok("joined", "{'room_id':'!j:x'}"));
    listen();
    assertThat(server.paths())
        .contains(
            "/_matrix/client/v3/rooms/%21i%3Ax/join", "/_matrix/client/v3/rooms/%21j%3Ax/join");
  }

  // ---- what is said

  @Test
  void a_text_is_a_message_with_everything_around_it() throws Exception {
    String event =
        event(
            "1",
            "@ann:x",
            "m.room.message",
            "{'msgtype':'m.text','body':'Grüße',"
                + "'m.relates_to':{'m.in_reply_to':{'event_id':'$0'}}}");
    assertThat(heard(event))
        .isEqualTo(
            new InboundMessage(
                "$1",
                InboundMessage.Kind.MESSAGE,
                ROOM,
                InboundMessage.ChatKind.DM,
                new InboundMessage.Sender("@ann:x", "Ann"),
                "Grüße",
                List.of(),
                "$1",
                "$0",
                null,
                java.time.Instant.parse("2026-03-01T12:00:00Z"),
                Json.map(Objects.requireNonNull(Json.readObject(event.replace('\'', '"'))))));
  }

  @Test
  void in_a_thread_a_reply_may_be_for_old_clients_only() throws Exception {
    InboundMessage arrival =
        heard(
            event(
                "1",
                "@ann:x",
                "m.room.message",
                "{'msgtype':'m.text','body':'x','m.relates_to':{'rel_type':'m.thread',"
                    + "'event_id':'$t',"
                    + "'is_falling_back':true,'m.in_reply_to':{'event_id':'$t'}}}"));
    assertThat(arrival.threadId()).isEqualTo("$t");
    assertThat(arrival.replyToId()).isNull();
  }

  @Test
  void an_edit_says_what_the_message_says_now() throws Exception {
    InboundMessage arrival =
        heard(
            event(
                "2",
                "@ann:x",
                "m.room.message",
                "{'msgtype':'m.text','body':'*"
                    + " new','m.new_content':{'msgtype':'m.text','body':'new'},"
                    + "'m.relates_to':{'rel_type':'m.replace','event_id':'$1'}}"));
    assertThat(arrival.kind()).isEqualTo(InboundMessage.Kind.EDIT);
    assertThat(arrival.text()).isEqualTo("new");
    assertThat(arrival.platformId()).isEqualTo("$2");
    assertThat(arrival.messageId()).isEqualTo("$1");
  }

  @Test
  void a_reaction_is_about_a_message() throws Exception {
    InboundMessage arrival =
        heard(
            event(
                "2",
                "@ann:x",
                "m.reaction",
                "{'m.relates_to':{'rel_type':'m.annotation','event_id':'$1','key':'👍'}}"));
    assertThat(arrival.kind()).isEqualTo(InboundMessage.Kind.REACTION);
    assertThat(arrival.text()).isEqualTo("👍");
    assertThat(arrival.messageId()).isEqualTo("$1");
  }

  @Test
  void a_file_comes_with_its_address_name_and_caption() throws Exception {
    InboundMessage arrival =
        heard(
            event(
                "1",
                "@ann:x",
                "m.room.message",
                "{'msgtype':'m.image','body':'look','filename':'bear.png','url':'mxc://x/AQ',"
                    + "'info':{'mimetype':'image/png','size':7}}"));
    assertThat(arrival.text()).isEqualTo("look");
    assertThat(arrival.media())
        .containsExactly(
            new InboundMessage.File("image", "mxc://x/AQ", null, "bear.png", "image/png", 7L));
  }

  @Test
  void a_file_without_a_caption_has_no_text() throws Exception {
    InboundMessage arrival =
        heard(
            event(
                "1",
                "@ann:x",
                "m.room.message",
                "{'msgtype':'m.audio','body':'a.ogg','url':'mxc://x/AQ',"
                    + "'org.matrix.msc3245.voice':{}}"));
    assertThat(arrival.text()).isNull();
    assertThat(arrival.media())
        .containsExactly(new InboundMessage.File("voice", "mxc://x/AQ", null, "a.ogg", null, null));
  }

  @Test
  void an_encrypted_event_is_kept_unread() throws Exception {
    InboundMessage arrival =
        heard(
            event(
                "1",
                "@ann:x",
                "m.room.encrypted",
                "{'algorithm':'m.megolm.v1.aes-sha2','ciphertext':'AwgA'}"));
    assertThat(arrival.kind()).isEqualTo(InboundMessage.Kind.OTHER);
    assertThat(arrival.text()).isNull();
    assertThat(arrival.raw()).extractingByKey("content").asString().contains("AwgA");
  }

  @Test
  void what_was_taken_back_says_nothing() throws Exception {
    InboundMessage arrival = heard(event("1", "@ann:x", "m.room.message", "{}"));
    assertThat(arrival.kind()).isEqualTo(InboundMessage.Kind.OTHER);
    assertThat(arrival.text()).isNull();
  }

  @Test
  void strange_shapes_break_nothing() {
    for (String strange :
        List.of(
            "{}",
            "{\"event_id\":1,\"sender\":2}",
            "{\"event_id\":\"$1\",\"sender\":\"@a:x\",\"type\":7,\"content\":[]}",
            "{\"event_id\":\"$1\",\"sender\":\"@a:x\",\"type\":\"m.room.message\","
                + "\"origin_server_ts\":\"x\",\"content\":{\"msgtype\":{},\"url\":{},"
                + "\"info\":3}}")) {
      assertThat(
              MatrixEvents.read(
                  ROOM, Objects.requireNonNull(Json.readObject(strange)), java.util.Map.of()))
          .allMatch(arrival -> arrival.text() == null);
    }
  }
}
