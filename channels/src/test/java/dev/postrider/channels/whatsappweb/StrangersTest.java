package dev.postrider.channels.whatsappweb;

import static dev.postrider.channels.whatsappweb.FakeBridge.ANN;
import static dev.postrider.channels.whatsappweb.FakeBridge.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Remembered;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** First messages to people: asked for, counted, and held while WhatsApp has closed the account. */
class StrangersTest {
  private final FakeBridge bridge = new FakeBridge();
  private TestAccount account = TestAccount.of(bridge.waha().set("newChatsPerDay", 2));
  private Link link = new WhatsAppWebChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    bridge.close();
  }

  private Outcome send(String chat) throws Exception {
    Outcome outcome = link.send(account.part(chat, "hello"));
    if (outcome instanceof Outcome.Delivered delivered) {
      account.memory().write(delivered.memory()); // as the engine does, with the receipt
    }
    return outcome;
  }

  private static String person(int n) {
    return "49170123456" + n + "@c.us";
  }

  @Test
  void a_stranger_is_asked_for_once_before_the_first_message() throws Exception {
    assertThat(send(ANN)).isInstanceOf(Outcome.Delivered.class);
    assertThat(send(ANN)).isInstanceOf(Outcome.Delivered.class);
    assertThat(bridge.requests("/api/contacts/check-exists"))
        .singleElement()
        .satisfies(it -> assertThat(it.path()).endsWith("?session=default&phone=491701234567"));
  }

  @Test
  void a_group_is_no_stranger() throws Exception {
    send(GROUP);
    assertThat(bridge.platform.requests()).hasSize(1);
  }

  @Test
  void a_number_that_is_not_on_whatsapp_is_refused_and_nothing_is_sent_to_it() throws Exception {
    bridge.notOnWhatsApp.add("491701234567");
    for (int i = 0; i < 2; i++) {
      assertThat(send(ANN))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.TARGET));
    }
    assertThat(bridge.requests("/api/contacts/check-exists")).as("remembered").hasSize(1);
    assertThat(bridge.requests("/api/sendText")).isEmpty();
  }

  @Test
  void a_number_that_whatsapp_writes_differently_has_moved() throws Exception {
    bridge.otherNames.put("5511987654321", "551187654321@c.us");
    assertThat(send("5511987654321@c.us"))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class,
            it -> assertThat(it.fix()).isEqualTo(new Fix.NewChat("551187654321@c.us")));
  }

  @Test
  void a_hidden_id_whose_number_is_known_has_moved_to_the_number() throws Exception {
    bridge.lids.put("251556368777322@lid", ANN);
    assertThat(send("251556368777322@lid"))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.NewChat(ANN)));
  }

  @Test
  void a_day_has_room_for_so_many_strangers_and_the_rest_waits_until_tomorrow() throws Exception {
    send(person(1));
    send(person(2));
    Outcome third = send(person(3));
    assertThat(third)
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> {
              assertThat(it.scope()).isEqualTo(ThrottleScope.CHAT);
              assertThat(it.delay()).isEqualTo(Duration.ofHours(12)); // it is noon
              assertThat(it.cause()).contains("newChatsPerDay", "2026-03-02T00:00:00Z");
            });
    assertThat(send(person(1))).as("known by now").isInstanceOf(Outcome.Delivered.class);
    assertThat(send(GROUP)).isInstanceOf(Outcome.Delivered.class);

    account.scheduler().pass(Duration.ofHours(12));
    assertThat(send(person(3))).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_restart_gives_the_day_no_new_places_and_a_try_takes_one_only() throws Exception {
    bridge.platform.when(it -> it.path().equals("/api/sendText"), FakeBridge.thrown("Timed Out"));
    for (int i = 0; i < 3; i++) {
      assertThat(send(person(1))).as("one place for all tries").isInstanceOf(Outcome.Unknown.class);
    }
    send(person(2));
    link.close();
    link = new WhatsAppWebChannel().open(account); // with what was remembered
    assertThat(send(person(3))).isInstanceOf(Outcome.Throttled.class);
  }

  @Test
  void who_wrote_with_the_phone_before_is_no_stranger() throws Exception {
    bridge.history.put(person(3), List.of(Map.of("id", "false_x_1", "fromMe", false)));
    send(person(1));
    send(person(2));
    assertThat(send(person(3))).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void while_whatsapp_has_closed_the_account_strangers_wait_and_the_others_go_on()
      throws Exception {
    account
        .memory()
        .write(Strangers.closedUntil(account.scheduler().instant().plus(Duration.ofHours(5))));
    account.memory().write(Remembered.of(person(2), Strangers.KNOWN, "in"));
    assertThat(send(person(1)))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> {
              assertThat(it.scope()).isEqualTo(ThrottleScope.CHAT);
              assertThat(it.delay()).isEqualTo(Duration.ofHours(5));
              assertThat(it.cause()).contains("463", "until 2026-03-01T17:00:00Z");
            });
    assertThat(send(person(2))).isInstanceOf(Outcome.Delivered.class);
    assertThat(send(GROUP)).isInstanceOf(Outcome.Delivered.class);
    account.scheduler().pass(Duration.ofHours(5));
    assertThat(send(person(1))).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void gowas_word_of_a_restriction_closes_the_account_to_all_strangers() throws Exception {
    account = TestAccount.of(bridge.gowa());
    link.close();
    link = new WhatsAppWebChannel().open(account);
    bridge.platform.when(
        it -> it.path().equals("/send/message"),
        FakeBridge.refused(429, "WA_REACHOUT_TIMELOCK", "error 463"));
    assertThat(send(person(1))).isInstanceOf(Outcome.Throttled.class);
    assertThat(send(person(2))).isInstanceOf(Outcome.Throttled.class);
    assertThat(bridge.requests("/send/message")).as("the second is not tried").hasSize(1);
  }
}
