package dev.postrider.channels.tlon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.ListeningRefused;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a ship tells, live and afterwards. */
@Timeout(240)
class TlonInboundTest {
  private static final String ANN = "~ravmel-ropdyl";
  private static final String GENERAL = "chat/~ravmel-ropdyl/general";
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final FakeUrbit ship;
  private TlonRig rig;

  TlonInboundTest() throws Exception {
    ship = new FakeUrbit();
  }

  @AfterEach
  void close() throws Exception {
    if (rig != null) {
      rig.close();
    }
    ship.close();
  }

  private CompletableFuture<Exception> connected(AccountConfig config, String cursor, int wanted)
      throws Exception {
    rig = new TlonRig(config, cursor, wanted);
    return rig.connected();
  }

  private static String time(Instant at) {
    return UrbitTime.dotted(UrbitTime.of(at));
  }

  private static Map<String, Object> memo(Object author, Object... content) {
    return Map.of(
        "author",
        author,
        "sent",
        NOON.toEpochMilli(),
        "content",
        List.of(content),
        "kind",
        "/chat");
  }

  private static Object inline(Object... pieces) {
    return Map.of("inline", List.of(pieces));
  }

  private static Map<String, Object> said(String author, String id, String text) {
    return Map.of(
        "whom",
        ANN,
        "id",
        id,
        "response",
        Map.of("add", Map.of("essay", memo(author, inline(text)), "time", time(NOON))));
  }

  @Test
  void direct_messages_answers_posts_and_reactions_come_in_and_our_own_are_left_out()
      throws Exception {
    CompletableFuture<Exception> end = connected(ship.account(), null, 5);
    ship.news("chat", said(FakeUrbit.SHIP, FakeUrbit.SHIP + "/1", "that was me"));
    ship.news("chat", said(ANN, ANN + "/1.000", "hello"));
    ship.news(
        "chat",
        Map.of(
            "whom",
            ANN,
            "id",
            ANN + "/1.000",
            "response",
            Map.of(
                "reply",
                Map.of(
                    "id",
                    ANN + "/2.000",
                    "delta",
                    Map.of("add", Map.of("memo", memo(ANN, inline("and")), "time", time(NOON)))))));
    ship.news(
        "channels",
        Map.of(
            "nest",
            GENERAL,
            "response",
            Map.of(
                "post",
                Map.of(
                    "id",
                    time(NOON),
                    "r-post",
                    Map.of(
                        "set",
                        Map.of(
                            "essay",
                            memo(
                                Map.of("ship", ANN, "nickname", "Ann"),
                                inline(
                                    Map.of("bold", List.of("see")),
                                    " ",
                                    Map.of("link", Map.of("href", "https://a.b", "content", "it"))),
                                Map.of(
                                    "block",
                                    Map.of("image", Map.of("src", "https://a.b/c.png"))))))))));
    ship.news(
        "channels",
        Map.of(
            "nest",
            GENERAL,
            "response",
            Map.of(
                "post",
                Map.of(
                    "id",
                    time(NOON),
                    "r-post",
                    Map.of(
                        "reply",
                        Map.of(
                            "id",
                            time(NOON.plusSeconds(1)),
                            "r-reply",
                            Map.of("set", Map.of("reply-essay", memo(ANN, inline("r"))))))))));
    ship.news(
        "chat",
        Map.of(
            "whom",
            ANN,
            "id",
            ANN + "/1.000",
            "response",
            Map.of("add-react", Map.of("author", ANN, "react", "👍"))));
    TlonRig.end(end);
    List<InboundMessage> all = rig.inlet.arrivals();
    assertThat(all)
        .extracting(InboundMessage::text)
        .containsExactly("hello", "and", "see it", "r", "👍");
    assertThat(all.get(0).platformId()).isEqualTo(ANN + "/1.000");
    assertThat(all.get(0).chatKind()).isEqualTo(InboundMessage.ChatKind.DM);
    assertThat(all.get(0).sentAt()).isEqualTo(NOON);
    assertThat(all.get(1).threadId()).isEqualTo(ANN + "/1.000");
    assertThat(all.get(2).chat()).isEqualTo(GENERAL);
    assertThat(all.get(2).sender()).isEqualTo(new InboundMessage.Sender(ANN, "Ann"));
    assertThat(all.get(2).messageId()).isEqualTo(UrbitTime.of(NOON).toString());
    assertThat(all.get(2).media()).extracting("url").containsExactly("https://a.b/c.png");
    assertThat(all.get(3).threadId()).isEqualTo(all.get(2).messageId());
    assertThat(all.get(4).kind()).isEqualTo(InboundMessage.Kind.REACTION);
    assertThat(ship.acks).as("each once it was stored").contains(4L, 5L, 6L, 7L);
    assertThat(rig.inlet.cursor()).isNotNull();
  }

  @Test
  void what_was_said_while_nobody_listened_is_read_from_the_ship() throws Exception {
    Instant cursor = NOON.minus(Duration.ofMinutes(30));
    String since = "~2026.3.1..11.25.00.json";
    ship.scryAnswers.put(
        "/chat/v3/changes/" + since,
        Map.of(
            ANN,
            Map.of(
                time(NOON),
                Map.of(
                    "seal",
                    Map.of(
                        "id",
                        ANN + "/1.000",
                        "time",
                        time(NOON),
                        "replies",
                        Map.of(
                            "x",
                            Map.of(
                                "seal",
                                Map.of("id", ANN + "/2.000", "time", time(NOON.plusSeconds(5))),
                                "memo",
                                memo(ANN, inline("an answer"))))),
                    "essay",
                    memo(ANN, inline("missed"))))));
    ship.scryAnswers.put(
        "/channels/v5/changes/" + since,
        Map.of(
            GENERAL,
            Map.of(
                "1",
                Map.of(
                    "seal", Map.of("id", time(NOON)), "essay", memo(ANN, inline("a missed post"))),
                "2",
                Map.of(
                    "seal",
                    Map.of("id", time(NOON.minus(Duration.ofDays(40)))),
                    "essay",
                    memo(ANN, inline("old, but somebody reacted")))),
            "chat/~zod/gone",
            Map.of()));
    connected(ship.account(), cursor.toString(), Integer.MAX_VALUE);
    assertThat(rig.inlet.arrivals())
        .extracting(InboundMessage::text)
        .containsExactly("missed", "an answer", "a missed post");
    assertThat(Instant.parse(rig.inlet.cursor())).isAfter(cursor);
  }

  @Test
  void the_first_time_nothing_is_read_and_a_ship_that_cannot_tell_is_listened_to_all_the_same()
      throws Exception {
    connected(ship.account(), null, Integer.MAX_VALUE);
    assertThat(ship.scries).isEmpty();
    rig.close();
    connected(ship.account(), NOON.toString(), Integer.MAX_VALUE);
    assertThat(ship.scries).hasSize(2);
  }

  @Test
  void an_app_that_ends_its_news_is_asked_again_and_what_is_missing_is_read() throws Exception {
    CompletableFuture<Exception> end = connected(ship.account(), null, 1);
    ship.quit("chat");
    assertThat(ship.scries.poll(2, TimeUnit.MINUTES)).startsWith("/chat/v3/changes/");
    assertThat(ship.scries.poll(2, TimeUnit.MINUTES)).startsWith("/channels/v5/changes/");
    ship.news("chat", said(ANN, ANN + "/1.000", "hello again"));
    TlonRig.end(end);
    assertThat(rig.inlet.arrivals()).hasSize(1);
    assertThat(ship.streams).as("over the same connection").hasValue(1);
  }

  @Test
  void an_app_that_does_not_tell_its_news_is_named() throws Exception {
    ship.refusingNews = true;
    rig = new TlonRig(ship.account());
    assertThat(TlonRig.end(rig.listen()))
        .isInstanceOf(ListeningRefused.class)
        .hasMessageContaining("is Tlon installed there");
  }

  @Test
  void a_ship_that_says_nothing_of_its_news_is_left() throws Exception {
    ship.silent = true;
    rig = new TlonRig(ship.account().set("timeout", "3s"));
    assertThat(TlonRig.end(rig.listen())).hasMessage("the ship does not tell us its news");
  }

  @Test
  void a_connection_that_has_fallen_silent_is_left() throws Exception {
    CompletableFuture<Exception> end =
        connected(ship.account().set("idle", "1s"), null, Integer.MAX_VALUE);
    assertThat(TlonRig.end(end)).hasMessage("it has fallen silent");
    assertThat(rig.notReady()).isEqualTo("not connected to 127.0.0.1: it has fallen silent");
  }

  @Test
  void an_event_that_is_cut_or_has_no_end_or_is_no_json_ends_the_connection() throws Exception {
    CompletableFuture<Exception> cut = connected(ship.account(), null, Integer.MAX_VALUE);
    ship.write("id: 9\ndata: {\"respon");
    ship.cut();
    assertThat(TlonRig.end(cut)).hasMessage("the ship has ended the connection");
    rig.notReady();
    CompletableFuture<Exception> endless = rig.connected();
    for (int i = 0; i < 70; i++) {
      ship.write("x".repeat(65_536));
    }
    assertThat(TlonRig.end(endless)).hasMessageContaining("without an end");
    rig.notReady();
    CompletableFuture<Exception> gibberish = rig.connected();
    ship.write("data: no json\n\n");
    assertThat(TlonRig.end(gibberish)).hasMessage("the ship speaks no JSON");
  }

  @Test
  void a_login_that_is_forgotten_while_listening_ends_the_connection() throws Exception {
    CompletableFuture<Exception> end = connected(ship.account(), null, Integer.MAX_VALUE);
    ship.forget();
    ship.news("chat", said(ANN, ANN + "/1.000", "hello"));
    assertThat(TlonRig.end(end)).hasMessage("the ship has forgotten the login");
    assertThat(rig.inlet.arrivals()).as("and what was heard is stored").hasSize(1);
  }
}
