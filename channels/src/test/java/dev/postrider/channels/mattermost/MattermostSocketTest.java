package dev.postrider.channels.mattermost;

import static dev.postrider.channels.mattermost.FakeMattermost.ANN;
import static dev.postrider.channels.mattermost.FakeMattermost.BOT;
import static dev.postrider.channels.mattermost.FakeMattermost.OFF_TOPIC;
import static dev.postrider.channels.mattermost.FakeMattermost.TOKEN;
import static dev.postrider.channels.mattermost.FakeMattermost.TOWN;
import static dev.postrider.channels.mattermost.FakeMattermost.error;
import static dev.postrider.channels.mattermost.FakeMattermost.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Alias;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.WebSocketPeer;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listening, and what becomes of what was said while nobody listened. */
@Timeout(300)
class MattermostSocketTest {
  private final StillTime time = new StillTime();
  private final FakeMattermost mattermost = new FakeMattermost(time);
  private final WebSocketPeer peer;
  private final FrontDoor door;
  private final Stored stored = new Stored();
  private final BlockingQueue<Exception> ended = new LinkedBlockingQueue<>();
  private AccountConfig config;
  private Link link;
  private @Nullable Thread listening;

  MattermostSocketTest() throws Exception {
    peer = new WebSocketPeer();
    door = new FrontDoor(mattermost.platform.baseUrl(), peer.url());
  }

  @BeforeEach
  void open() {
    config =
        AccountConfig.of("mm", "mattermost")
            .set("token", TOKEN)
            .set("baseUrl", door.url())
            .set("websocket", "true");
    link = new MattermostChannel().open(new TestAccount(config, time, new ArrayList<>()));
  }

  @AfterEach
  void close() throws Exception {
    stop();
    link.close();
    door.close();
    peer.close();
    mattermost.close();
  }

  /** Listens over one connection, as the engine has it do again and again. */
  private void listen() {
    listening =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    link.listen(stored);
                    ended.add(new IllegalStateException("another connection, please"));
                  } catch (Exception e) {
                    ended.add(e);
                  }
                });
  }

  private void stop() throws InterruptedException {
    if (listening != null) {
      listening.interrupt();
      listening.join();
    }
    ended.clear();
  }

  private Exception end() throws InterruptedException {
    Exception end = ended.poll(5, TimeUnit.MINUTES);
    assertThat(end).isNotNull();
    assertThat(String.valueOf(end)).doesNotContain(TOKEN);
    return end;
  }

  /** What the engine does with what it hears: each is stored once, with the cursor. */
  private static final class Stored implements InboundSink {
    final List<InboundMessage> messages = new CopyOnWriteArrayList<>();
    final Set<Alias> aliases = ConcurrentHashMap.newKeySet();
    final List<String> failures = new CopyOnWriteArrayList<>();
    final List<Duration> pauses = new CopyOnWriteArrayList<>();
    final BlockingQueue<String> signals = new LinkedBlockingQueue<>();
    volatile @Nullable String cursor;

    @Override
    public @Nullable String cursor() {
      return cursor;
    }

    @Override
    public void take(
        List<InboundMessage> arrivals,
        List<DeliveryReport> reports,
        @Nullable String readUpTo,
        List<Remembered> memory) {
      take(arrivals, reports, readUpTo, memory, List.of());
    }

    @Override
    public synchronized void take(
        List<InboundMessage> arrivals,
        List<DeliveryReport> reports,
        @Nullable String readUpTo,
        List<Remembered> memory,
        List<Alias> names) {
      for (InboundMessage arrival : arrivals) {
        if (messages.stream().noneMatch(it -> it.platformId().equals(arrival.platformId()))) {
          messages.add(arrival);
        }
        signals.add(String.valueOf(arrival.text()));
      }
      aliases.addAll(names);
      cursor = readUpTo == null ? cursor : readUpTo;
    }

    @Override
    public void connected() {
      signals.add("connected");
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

    /** Waits until this was stored, or the link is connected. */
    void await(String signal) throws InterruptedException {
      String next;
      do {
        next = signals.poll(5, TimeUnit.MINUTES);
        assertThat(next).as("until %s", signal).isNotNull();
      } while (!next.equals(signal));
    }

    List<String> texts() {
      return messages.stream().map(it -> String.valueOf(it.text())).toList();
    }
  }

  private static String hello() {
    return Json.write(Map.of("event", "hello", "data", Map.of("connection_id", id("c")), "seq", 0));
  }

  private static String ok() {
    return Json.write(Map.of("status", "OK", "seq_reply", 1));
  }

  private static String posted(int seq, String kind, Map<String, ?> post) {
    return Json.write(
        Map.of(
            "event",
            "posted",
            "data",
            Map.of("channel_type", kind, "sender_name", "@ann", "post", Json.write(post)),
            "broadcast",
            Map.of("channel_id", post.get("channel_id")),
            "seq",
            seq));
  }

  /** Takes the token and says hello, as Mattermost does. */
  private WebSocketPeer.Connection accept() throws Exception {
    WebSocketPeer.Connection socket = peer.accept();
    assertThat(Json.readObject(socket.hear()))
        .isEqualTo(
            Json.tree(
                Map.of(
                    "seq",
                    1,
                    "action",
                    "authentication_challenge",
                    "data",
                    Map.of("token", TOKEN))));
    socket.say(hello());
    socket.say(ok());
    return socket;
  }

  /** Listens once, so that it is known where "now" is. */
  private void listenedBefore() throws Exception {
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      stored.await("connected");
    }
    end();
  }

  @Test
  void what_is_posted_comes_in_with_how_far_it_was_heard() throws Exception {
    listen();
    try (WebSocketPeer.Connection socket = accept()) {
      stored.await("connected");
      assertThat(socket.path()).isEqualTo("/api/v4/websocket");
      Map<String, Object> post = mattermost.add(TOWN, ANN, "héllo 🌍", Map.of());
      socket.say(posted(1, "O", post));
      stored.await("héllo 🌍");
      assertThat(stored.cursor).isEqualTo(String.valueOf(post.get("create_at")));
      InboundMessage message = stored.messages.getFirst();
      assertThat(message.sender()).isEqualTo(new InboundMessage.Sender(ANN, "ann"));
      assertThat(message.chat()).isEqualTo(TOWN);
    }
    assertThat(end()).hasMessageContaining("Mattermost's socket ended");
  }

  @Test
  void the_first_time_nothing_of_before_is_read() throws Exception {
    mattermost.add(TOWN, ANN, "long ago", Map.of());
    listenedBefore();
    assertThat(stored.messages).isEmpty();
    assertThat(stored.cursor).isEqualTo(String.valueOf(time.instant().toEpochMilli()));
  }

  @Test
  void now_is_what_mattermost_says_it_is() throws Exception {
    mattermost.date = "Tue, 3 Mar 2026 08:00:00 GMT";
    listenedBefore();
    assertThat(stored.cursor)
        .isEqualTo("" + java.time.Instant.parse("2026-03-03T08:00:00Z").toEpochMilli());
  }

  @Test
  void nothing_said_while_nobody_listened_is_lost() throws Exception {
    listenedBefore();
    String direct = id("dmann");
    mattermost.channels.put(direct, "D");
    time.pass(Duration.ofHours(3));
    mattermost.add(TOWN, ANN, "one", Map.of());
    mattermost.add(OFF_TOPIC, ANN, "elsewhere", Map.of());
    mattermost.add(TOWN, BOT, "our own", Map.of());
    mattermost.add(TOWN, ANN, "two", Map.of());
    Map<String, Object> newest = mattermost.add(direct, ANN, "between us", Map.of());
    listen();
    try (WebSocketPeer.Connection socket = accept()) {
      stored.await("connected");
      assertThat(stored.texts())
          .containsExactlyInAnyOrder("one", "two", "elsewhere", "between us")
          .containsSubsequence("one", "two");
      assertThat(stored.cursor).isEqualTo(String.valueOf(newest.get("create_at")));
      assertThat(stored.aliases).containsExactly(new Alias("user:" + ANN, direct));
      assertThat(stored.messages)
          .filteredOn(it -> it.chat().equals(direct))
          .extracting(InboundMessage::chatKind)
          .containsExactly(InboundMessage.ChatKind.DM);
      socket.say(posted(1, "D", newest));
      socket.say(posted(2, "O", mattermost.add(TOWN, ANN, "live", Map.of())));
      stored.await("live");
    }
    assertThat(stored.texts()).as("what comes twice is one").hasSize(5);
  }

  @Test
  void a_gap_of_many_pages_is_read_from_its_beginning() throws Exception {
    listenedBefore();
    mattermost.add(TOWN, ANN, "old", Map.of());
    String before = stored.cursor;
    time.pass(Duration.ofHours(1));
    List<String> said = IntStream.range(0, 450).mapToObj(i -> "n" + i).toList();
    said.forEach(text -> mattermost.add(TOWN, ANN, text, Map.of()));
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      stored.await("connected");
    }
    assertThat(before).isNotEqualTo(stored.cursor);
    assertThat(stored.texts().subList(stored.texts().indexOf("n0"), stored.texts().size()))
        .isEqualTo(said);
  }

  @Test
  void a_gap_that_was_read_in_part_is_read_again() throws Exception {
    listenedBefore();
    time.pass(Duration.ofHours(1));
    mattermost.add(TOWN, ANN, "one", Map.of());
    mattermost.add(OFF_TOPIC, ANN, "two", Map.of());
    String before = stored.cursor;
    mattermost.unreadable = OFF_TOPIC;
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      assertThat(end()).hasMessageContaining("does not show what was posted");
    }
    assertThat(stored.cursor).isEqualTo(before);
    mattermost.unreadable = null;
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      stored.await("connected");
    }
    assertThat(stored.texts()).containsExactlyInAnyOrder("one", "two");
    assertThat(stored.cursor).isNotEqualTo(before);
  }

  @Test
  void a_live_post_does_not_hide_the_gap_before_it() throws Exception {
    listenedBefore();
    String before = stored.cursor;
    time.pass(Duration.ofHours(1));
    mattermost.add(TOWN, ANN, "in the gap", Map.of());
    time.pass(Duration.ofHours(1));
    Map<String, Object> live = mattermost.add(OFF_TOPIC, ANN, "live", Map.of());
    listen();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.hear();
      socket.say(hello());
      socket.say(posted(1, "O", live)); // and the connection breaks before the token is taken
      stored.await("live");
    }
    assertThat(end()).hasMessageContaining("before it took the token");
    assertThat(stored.cursor).isEqualTo(before);
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      stored.await("connected");
    }
    assertThat(stored.texts()).containsExactlyInAnyOrder("live", "in the gap");
  }

  @Test
  void an_event_that_did_not_come_is_read_over_the_next_connection() throws Exception {
    listen();
    try (WebSocketPeer.Connection socket = accept()) {
      stored.await("connected");
      socket.say(posted(1, "O", mattermost.add(TOWN, ANN, "one", Map.of())));
      mattermost.add(TOWN, ANN, "lost", Map.of()); // as event 2, which never comes
      socket.say(posted(3, "O", mattermost.add(TOWN, ANN, "three", Map.of())));
      assertThat(end()).hasMessage("another connection, please");
    }
    assertThat(stored.texts()).containsExactly("one");
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      stored.await("connected");
    }
    assertThat(stored.texts()).containsExactly("one", "lost", "three");
  }

  @Test
  void a_limit_is_waited_for_in_the_middle_of_a_gap() throws Exception {
    listenedBefore();
    time.pass(Duration.ofHours(1));
    mattermost.add(TOWN, ANN, "one", Map.of());
    mattermost.limited.set(2);
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      stored.await("connected");
    }
    assertThat(stored.pauses).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(7));
    assertThat(stored.failures).allMatch(cause -> cause.contains("limit exceeded"));
    assertThat(stored.texts()).containsExactly("one");
  }

  @Test
  void a_channel_that_we_may_not_read_any_more_does_not_stop_the_rest() throws Exception {
    listenedBefore();
    time.pass(Duration.ofHours(1));
    mattermost.add(TOWN, ANN, "one", Map.of());
    mattermost.add(OFF_TOPIC, ANN, "two", Map.of());
    mattermost.forbidden = TOWN;
    listen();
    try (WebSocketPeer.Connection _ = accept()) {
      stored.await("connected");
    }
    assertThat(stored.texts()).containsExactly("two");
  }

  @Test
  void a_server_that_lists_no_channels_is_listened_to_nevertheless() throws Exception {
    mattermost.old = true;
    listen();
    try (WebSocketPeer.Connection socket = accept()) {
      stored.await("connected");
      socket.say(posted(1, "O", mattermost.add(TOWN, ANN, "live", Map.of())));
      stored.await("live");
    }
  }

  @Test
  void a_refused_token_is_a_refusal_and_says_why() throws Exception {
    mattermost.platform.answer(error(401, "api.context.session_expired.app_error"));
    listen();
    assertThat(end())
        .isInstanceOf(ListeningRefused.class)
        .hasMessageContaining("personal access tokens");
  }

  @Test
  void a_socket_that_does_not_take_the_token_is_a_refusal() throws Exception {
    listen();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.hear();
      socket.say(
          "{\"status\":\"FAIL\",\"error\":{\"message\":\"Not authenticated\"},\"seq_reply\":1}");
      assertThat(end())
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("Not authenticated");
    }
  }

  @Test
  void a_server_that_stumbles_is_an_error_and_no_refusal() throws Exception {
    mattermost.platform.answer(error(500, "app.user.get.app_error"));
    listen();
    assertThat(end()).isNotInstanceOf(ListeningRefused.class).hasMessageContaining("500");
  }

  @Test
  void an_answer_that_names_nobody_is_an_error() throws Exception {
    mattermost.platform.answer(FakeMattermost.json(200, Map.of()));
    listen();
    assertThat(end()).isNotInstanceOf(ListeningRefused.class).hasMessageContaining("who we are");
  }

  @Test
  void a_silent_socket_is_asked_once_and_then_given_up() throws Exception {
    link.close();
    link =
        new MattermostChannel()
            .open(new TestAccount(config.set("idle", "100ms"), time, new ArrayList<>()));
    listen();
    try (WebSocketPeer.Connection socket = peer.accept()) {
      socket.hear();
      assertThat(socket.hear()).isEqualTo("ping");
      assertThat(socket.hear()).isNull();
    }
    assertThat(end()).hasMessageContaining("fallen silent");
  }

  @Test
  void what_is_no_json_ends_the_connection() throws Exception {
    listen();
    try (WebSocketPeer.Connection socket = accept()) {
      socket.say("<html>");
      assertThat(end()).hasMessageContaining("no JSON");
    }
  }

  @Test
  void an_account_listens_only_if_it_is_told_to() {
    assertThat(link.listens()).isTrue();
    try (Link quiet =
        new MattermostChannel().open(TestAccount.of(config.set("websocket", "false")))) {
      assertThat(quiet.listens()).isFalse();
    }
    assertThatThrownBy(
            () ->
                new MattermostChannel()
                    .open(
                        TestAccount.of(
                            AccountConfig.of("mm", "mattermost")
                                .set("webhookUrl", "https://x.example/hooks/a")
                                .set("websocket", "true"))))
        .hasMessageContaining("websocket needs baseUrl and token");
  }

  @Test
  void our_own_posts_are_left_out() throws Exception {
    listen();
    try (WebSocketPeer.Connection socket = accept()) {
      stored.await("connected");
      socket.say(posted(1, "O", mattermost.add(TOWN, BOT, "said by us", Map.of())));
      socket.say(posted(2, "O", mattermost.add(TOWN, ANN, "said by Ann", Map.of())));
      stored.await("said by Ann");
    }
    assertThat(stored.texts()).containsExactly("said by Ann");
  }

  @Test
  void listening_does_not_ask_for_what_is_known() throws Exception {
    mattermost.add(TOWN, ANN, "long ago", Map.of());
    time.pass(Duration.ofHours(1));
    listenedBefore();
    listenedBefore();
    assertThat(mattermost.platform.requests())
        .noneMatch(request -> request.path().contains("/posts"));
    assertThat(stored.messages).isEmpty();
  }
}
