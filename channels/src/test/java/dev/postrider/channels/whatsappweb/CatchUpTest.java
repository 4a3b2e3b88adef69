package dev.postrider.channels.whatsappweb;

import static dev.postrider.channels.whatsappweb.FakeBridge.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is read from a bridge's history: everything, however much it is, and refusals. */
class CatchUpTest {
  private final FakeBridge bridge = new FakeBridge();
  private final TestAccount waha = TestAccount.of(bridge.waha().set("webhookSecret", "s3cret"));
  private final TestAccount gowa = TestAccount.of(bridge.gowa().set("webhookSecret", "s3cret"));
  private final TestAccount untold = TestAccount.of(bridge.waha());
  private final Instant start = waha.scheduler().instant();

  @AfterEach
  void close() {
    bridge.close();
  }

  private Inlet listen(TestAccount account, Runnable... between) throws Exception {
    Inlet inlet = new Inlet(account, between);
    try (Link link = new WhatsAppWebChannel().open(account)) {
      link.listen(inlet);
    }
    return inlet;
  }

  private static void later(TestAccount account) {
    account.scheduler().pass(Duration.ofMinutes(6));
  }

  private Map<String, Object> wahaMessage(String chat, boolean own, int number) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", own + "_" + chat + "_" + number);
    message.put("from", chat);
    message.put("fromMe", own);
    message.put("body", "text " + number);
    message.put("timestamp", start.plusSeconds(20).getEpochSecond() + number);
    return message;
  }

  private Map<String, Object> gowaMessage(String jid, int number) {
    return Map.of(
        "id",
        "3EB0" + number,
        "sender_jid",
        jid,
        "content",
        "text " + number,
        "is_from_me",
        false,
        "timestamp",
        start.plusSeconds(20 + number).toString());
  }

  private static String number(int i) {
    return "49170000" + (1000 + i);
  }

  /** The newest message first, as bridges have it. */
  private static <T> List<T> newestFirst(List<T> all) {
    return all.reversed();
  }

  private Map<String, Object> wahaChat(String chat) {
    return Map.of(
        "id", chat, "lastMessage", Map.of("timestamp", start.plusSeconds(30).getEpochSecond()));
  }

  private void wahaHistory(String chat, List<Map<String, Object>> messages) {
    bridge.history.put(chat, messages);
    List<Map<String, Object>> chats = new ArrayList<>(bridge.overview);
    chats.add(wahaChat(chat));
    bridge.overview = chats;
  }

  private List<Map<String, Object>> wahaMessages(int count) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(wahaMessage(ANN, false, i));
    }
    return newestFirst(all);
  }

  private static List<String> texts(Inlet inlet) {
    return inlet.arrivals.stream().map(InboundMessage::text).distinct().toList();
  }

  private static String[] inOrder(int count) {
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(i -> "text " + i)
        .toArray(String[]::new);
  }

  @Test
  void more_messages_than_a_page_of_wahas_has_are_read_in_the_order_they_were_written()
      throws Exception {
    Inlet inlet =
        listen(
            waha,
            () -> {
              wahaHistory(ANN, wahaMessages(230));
              later(waha);
            });
    assertThat(texts(inlet)).containsExactly(inOrder(230));
  }

  @Test
  void more_chats_than_a_page_of_wahas_has_are_read() throws Exception {
    Inlet inlet =
        listen(
            waha,
            () -> {
              for (int i = 0; i < 130; i++) {
                String chat = number(i) + "@c.us";
                wahaHistory(chat, List.of(wahaMessage(chat, false, i)));
              }
              later(waha);
            });
    assertThat(texts(inlet)).containsExactlyInAnyOrder(inOrder(130));
  }

  @Test
  void more_chats_and_messages_than_a_page_of_gowas_has_are_read() throws Exception {
    Inlet inlet =
        listen(
            gowa,
            () -> {
              List<Map<String, Object>> chats = new ArrayList<>();
              for (int i = 0; i < 130; i++) {
                String jid = number(i) + "@s.whatsapp.net";
                chats.add(
                    Map.of("jid", jid, "last_message_time", start.plusSeconds(30).toString()));
                bridge.history.put(jid, List.of(gowaMessage(jid, i)));
              }
              List<Map<String, Object>> many = new ArrayList<>();
              for (int i = 130; i < 360; i++) {
                many.add(gowaMessage(number(129) + "@s.whatsapp.net", i));
              }
              bridge.history.put(number(129) + "@s.whatsapp.net", newestFirst(many));
              bridge.overview = chats;
              later(gowa);
            });
    assertThat(texts(inlet)).hasSize(359).endsWith("text 358", "text 359");
  }

  @Test
  void a_chat_without_news_ends_the_list_of_chats() throws Exception {
    listen(
        waha,
        () -> {
          wahaHistory(ANN, wahaMessages(1));
          for (int i = 0; i < 200; i++) {
            bridge.overview.add(
                Map.of("id", number(i) + "@c.us", "lastMessage", Map.of("timestamp", 1_000_000)));
          }
          later(waha);
        });
    assertThat(bridge.requests("/api/default/chats/overview")).hasSize(1);
  }

  @Test
  void a_history_that_does_not_go_on_keeps_its_place_and_says_so() throws Exception {
    bridge.pages = false;
    Inlet inlet =
        listen(
            waha,
            () -> {
              wahaHistory(ANN, wahaMessages(230));
              later(waha);
            },
            () -> {},
            () -> {
              bridge.pages = true;
              later(waha);
            });
    assertThat(inlet.heard)
        .satisfiesExactly(
            it -> assertThat(it).isEqualTo("connected"),
            it -> assertThat(it).isEqualTo("connected"), // once may be chance
            it -> assertThat(it).contains("history", ANN, "does not go on"),
            it -> assertThat(it).contains("does not tell by webhook"));
    assertThat(texts(inlet)).containsExactlyInAnyOrder(inOrder(230));
  }

  @Test
  void of_a_history_that_does_not_go_on_what_can_be_read_is_handed_in() throws Exception {
    bridge.pages = false;
    Inlet inlet =
        listen(
            waha,
            () -> {
              wahaHistory(ANN, wahaMessages(230));
              later(waha);
            });
    assertThat(texts(inlet)).hasSize(100);
  }

  @Test
  void a_chat_that_cannot_be_read_does_not_keep_from_the_others_and_many_end_the_look()
      throws Exception {
    Inlet inlet =
        listen(
            waha,
            () -> {
              bridge.broken.add(ANN);
              wahaHistory(ANN, wahaMessages(1));
              wahaHistory(number(1) + "@c.us", List.of(wahaMessage(number(1), false, 1)));
              later(waha);
            });
    assertThat(texts(inlet)).containsExactly("text 1");

    bridge.overview = List.of();
    for (int i = 0; i < 30; i++) {
      bridge.broken.add(number(i) + "@c.us");
      wahaHistory(number(i) + "@c.us", List.of());
    }
    int before = bridge.platform.requests().size();
    listen(untold, () -> later(untold));
    assertThat(bridge.platform.requests().size() - before).isLessThan(12);
  }

  @Test
  void a_history_that_cannot_be_read_keeps_its_place_and_says_so() throws Exception {
    Inlet inlet =
        listen(
            waha,
            () -> {
              wahaHistory(ANN, wahaMessages(1));
              later(waha);
              bridge.unreadable = true;
            },
            () -> {},
            () -> {
              later(waha);
              bridge.unreadable = false;
            });
    assertThat(inlet.heard.get(2)).contains("history", "Enable the store");
    assertThat(texts(inlet)).containsExactly("text 0");
  }

  // ---- refusals

  private void refused(String chat) {
    Map<String, Object> message = wahaMessage(chat, true, 7);
    message.put("ack", -1);
    wahaHistory(chat, List.of(message));
  }

  private static Outcome sendTo(TestAccount account, String chat) throws Exception {
    try (Link link = new WhatsAppWebChannel().open(account)) {
      return link.send(account.part(chat, "hello"));
    }
  }

  @Test
  void a_refusal_that_no_webhook_told_closes_the_account_to_strangers() throws Exception {
    for (TestAccount account : List.of(waha, untold)) {
      bridge.overview = List.of();
      Inlet inlet =
          listen(
              account,
              () -> {
                refused(ANN);
                later(account);
              });
      assertThat(inlet.reports)
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.receipt()).isEqualTo("7");
                assertThat(it.state()).isEqualTo(DeliveryReport.State.FAILED);
                assertThat(it.permanent()).isFalse();
              });
      assertThat(inlet.arrivals).isEmpty();
      assertThat(sendTo(account, number(1) + "@c.us"))
          .isInstanceOfSatisfying(
              Outcome.Throttled.class,
              it -> assertThat(it.cause()).contains("closed the account to people"));
    }
  }

  @Test
  void a_refusal_by_somebody_known_closes_nothing() throws Exception {
    Inlet inlet =
        listen(
            waha,
            () -> {
              refused(ANN);
              bridge.history.put(
                  ANN, List.of(bridge.history.get(ANN).getFirst(), wahaMessage(ANN, false, 1)));
              later(waha);
            });
    assertThat(inlet.reports).singleElement().matches(DeliveryReport::permanent);
    assertThat(sendTo(waha, number(1) + "@c.us")).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_longer_time_that_the_bridge_told_is_not_shortened() throws Exception {
    Instant told = start.plus(Duration.ofDays(3));
    waha.memory().write(Strangers.closedUntil(told));
    listen(
        waha,
        () -> {
          refused(ANN);
          later(waha);
        });
    assertThat(waha.memory().read(null, Strangers.CLOSED)).contains(told.toString());
  }

  @Test
  void without_a_webhook_nothing_is_taken_in_and_the_check_says_so() throws Exception {
    Inlet inlet =
        listen(
            untold,
            () -> {
              wahaHistory(ANN, wahaMessages(3));
              later(untold);
            });
    assertThat(inlet.arrivals).isEmpty();
    assertThat(inlet.heard).containsOnly("connected");
    try (Link link = new WhatsAppWebChannel().open(untold)) {
      assertThat(link.probe())
          .isInstanceOfSatisfying(
              Probe.Healthy.class,
              it -> assertThat(it.identity()).startsWith("Shop").contains("no webhookSecret"));
    }
    try (Link link = new WhatsAppWebChannel().open(waha)) {
      assertThat(link.probe()).isEqualTo(new Probe.Healthy("Shop 4930123456@c.us"));
    }
  }
}
