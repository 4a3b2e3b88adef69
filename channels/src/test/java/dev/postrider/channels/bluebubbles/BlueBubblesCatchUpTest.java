package dev.postrider.channels.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Webhooks are posted once; what was missed is read from the Mac. */
class BlueBubblesCatchUpTest {
  private static final String ANN = "iMessage;-;+491701234567";

  private final FakeBlueBubbles mac = new FakeBlueBubbles();
  private final AccountConfig config =
      AccountConfig.of("mac", "bluebubbles")
          .set("baseUrl", mac.platform.baseUrl())
          .set("password", FakeBlueBubbles.PASSWORD)
          .set("timeout", "5m");
  private final TestAccount account = TestAccount.of(config);
  private final Link link = new BlueBubblesChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    mac.close();
  }

  private TestInlet listened(String cursor, int arrivals) throws Exception {
    TestInlet inlet = new TestInlet(cursor, arrivals);
    try {
      link.listen(inlet);
    } finally {
      Thread.interrupted();
    }
    return inlet;
  }

  @Test
  void what_was_there_before_the_first_start_is_not_told() throws Exception {
    mac.row(ANN, "old", false);
    mac.row(ANN, "older", false);
    TestInlet inlet = listened(null, 0);
    assertThat(inlet.arrivals()).isEmpty();
    assertThat(inlet.cursor()).isEqualTo("102");
  }

  @Test
  void what_came_while_nobody_listened_is_told_once_and_our_own_is_not() throws Exception {
    mac.row(ANN, "old", false);
    mac.row(ANN, "missed", false);
    mac.row(ANN, "our own", true);
    TestInlet inlet = listened("101", 1);
    assertThat(inlet.arrivals()).extracting(InboundMessage::text).containsExactly("missed");
    assertThat(inlet.cursor()).isEqualTo("103");
    assertThat(inlet.connections).hasPositiveValue();
  }

  @Test
  void more_than_one_answer_holds_is_read_to_the_end() throws Exception {
    for (int i = 0; i < 2300; i++) {
      mac.row(ANN, "m" + i, false);
    }
    TestInlet inlet = listened("100", 2300);
    assertThat(inlet.arrivals()).hasSize(2300);
    assertThat(inlet.cursor()).isEqualTo("2400");
  }

  @Test
  void an_edit_is_found_though_its_number_is_old() throws Exception {
    mac.row(ANN, "changed", false).put("dateEdited", mac.now + 1000);
    TestInlet inlet = listened("101", 1);
    assertThat(inlet.arrivals())
        .extracting(InboundMessage::platformId)
        .containsExactly("GUID-1", "GUID-1:" + (mac.now + 1000));
  }

  @Test
  void what_became_of_our_own_is_told_without_a_webhook() throws Exception {
    mac.row(ANN, "ours", true).put("dateRead", mac.now + 1000);
    mac.row(ANN, "theirs", false);
    assertThat(listened("101", 1).reports())
        .extracting(DeliveryReport::receipt, DeliveryReport::state)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("GUID-1", DeliveryReport.State.READ));
  }

  @Test
  void a_mac_that_cannot_be_asked_is_told_and_a_wrong_password_waits_for_a_person() {
    mac.platform.answer(FakeBlueBubbles.error(500, "Server Error", "database is locked", null));
    assertThatThrownBy(() -> link.listen(new TestInlet("1", 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("database is locked");
    try (Link wrong =
        new BlueBubblesChannel().open(TestAccount.of(config.set("password", "not this one")))) {
      assertThatThrownBy(() -> wrong.listen(new TestInlet("1", 1)))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("password");
    }
  }

  @Test
  void asking_can_be_switched_off() {
    assertThat(link.listens()).isTrue();
    try (Link off = new BlueBubblesChannel().open(TestAccount.of(config.set("poll", "0s")))) {
      assertThat(off.listens()).isFalse();
    }
  }
}
