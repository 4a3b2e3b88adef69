package dev.postrider.channels.nostr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NostrChannelTest {
  /** The examples of NIP-19. */
  private static final String HEX =
      "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d";

  private static final String NPUB =
      "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6";
  private static final String NPROFILE =
      "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz"
          + "4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p";

  private final NostrChannel channel = new NostrChannel();
  private final AccountConfig account = AccountConfig.of("nos", "nostr");

  @Test
  void a_person_has_one_address_however_it_is_written() {
    for (String written :
        List.of(HEX, HEX.toUpperCase(java.util.Locale.ROOT), NPUB, NPROFILE, "nostr:" + NPUB)) {
      assertThat(channel.canonical(account, written)).isEqualTo(NPUB);
    }
  }

  @Test
  void a_group_has_one_address_in_whatever_order() {
    String bob = GiftWrapsTest.key(22).publicKey();
    String one = channel.canonical(account, bob + ", " + NPUB);

    assertThat(one).contains(NPUB).contains(NostrNames.npub(bob));
    assertThat(channel.canonical(account, NPUB + "," + NostrNames.npub(bob))).isEqualTo(one);
    assertThat(channel.canonical(account, one)).isEqualTo(one);
    assertThat(NostrChannel.people(one)).containsExactlyInAnyOrder(HEX, bob);
  }

  @Test
  void a_group_is_not_too_large_for_an_address() {
    List<String> people =
        java.util.stream.IntStream.rangeClosed(1, 9)
            .mapToObj(i -> GiftWrapsTest.key(i).publicKey())
            .toList();
    assertThat(channel.canonical(account, String.join(",", people.subList(0, 8))))
        .hasSizeLessThanOrEqualTo(512);
    assertThatThrownBy(() -> channel.canonical(account, String.join(",", people)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("more than 8");
  }

  @Test
  void digits_that_are_no_point_of_the_curve_are_nobodys_key() {
    assertThatThrownBy(() -> channel.canonical(account, "f".repeat(64)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("npub1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          privateKey | npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6 | nsec1
          privateKey | hunter2hunter2 | not a secret key
          privateKey | 0000000000000000000000000000000000000000000000000000000000000000 | secp256k1
          relays | https://nos.lol | wss://nos.lol
          relays | nos.lol | wss://nos.lol
          lookupRelays | purplepag.es | lookupRelays
          quorum | 2 | only 1 in relays
          allowedNetworks | home | 10.0.0.0/8
          """)
  void a_wrong_setting_is_told_by_its_name(String key, String value, String said) {
    AccountConfig wrong =
        AccountConfig.of("nos", "nostr")
            .set("privateKey", NostrAccount.SECRET)
            .set("relays", "wss://nos.lol")
            .set(key, value);

    assertThatThrownBy(() -> channel.checkAccount(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("account nos: " + key)
        .hasMessageContaining(said)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void an_account_without_relays_is_refused() {
    assertThatThrownBy(() -> channel.checkAccount(account.set("privateKey", NostrAccount.SECRET)))
        .hasMessageContaining("relays is missing");
  }

  @Test
  void what_no_event_could_say_is_refused_when_it_is_handed_in() {
    check(Message.to("nos", NPUB).text("hi").channelData(Map.of("subject", "Lunch")));
    check(Message.to("nos", "notes").text("hi").threadId(HEX).replyToId(HEX));
    refused(Message.to("nos", NPUB).text("hi").channelData(Map.of("color", "red")), "color");
    refused(Message.to("nos", NPUB).text("hi").channelData(Map.of("subject", 1)), "subject");
    refused(
        Message.to("nos", NPUB).channelData(Collections.singletonMap("subject", "alone")), "text");
    refused(Message.to("nos", NPUB).text("hi").replyToId("12"), "replyToId");
    refused(Message.to("nos", NPUB).text("hi").threadId(HEX), "threadId");
  }

  private void check(Message.Builder message) {
    channel.check(message.build(), plan());
  }

  private void refused(Message.Builder message, String field) {
    assertThatThrownBy(() -> check(message))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(field);
  }

  private static Plan plan() {
    return new Plan(
        new MessageId(new UUID(1, 1)), List.of(new Part("hi", null, List.of(), List.of())));
  }

  @Test
  void ids_of_notes_are_read_in_every_form() {
    assertThat(NostrNames.event(Bech32.encode("note", java.util.HexFormat.of().parseHex(HEX))))
        .isEqualTo(HEX);
    assertThat(NostrNames.event(NPUB)).isNull();
    assertThat(NostrNames.publicKey(NPROFILE.replace("nprofile1qq", "nprofile1qp"))).isNull();
  }
}
