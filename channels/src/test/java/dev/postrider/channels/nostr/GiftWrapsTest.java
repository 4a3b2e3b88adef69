package dev.postrider.channels.nostr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.http.Json;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class GiftWrapsTest {
  private static final NostrKey ANN = key(11);
  private static final NostrKey BOB = key(22);
  private static final NostrKey EVE = key(33);
  private static final long NOW = 1_772_366_400;

  static NostrKey key(int number) {
    byte[] secret = new byte[32];
    secret[31] = (byte) number;
    return NostrKey.of(secret);
  }

  private static NostrEvent rumor(NostrKey author, String text) {
    return NostrEvent.rumor(
        author.publicKey(), NOW, NostrEvent.CHAT, List.of(List.of("p", BOB.publicKey())), text);
  }

  private static NostrEvent wrap(String text, String part) {
    return new GiftWraps(ANN).wrap(rumor(ANN, text), BOB.publicKey(), part);
  }

  @Test
  void whom_it_is_for_can_open_it_and_nobody_else() throws Exception {
    NostrEvent wrap = wrap("dinner at \"eight\"?\n\t\u0001 ☕", "part");

    assertThat(new GiftWraps(BOB).unwrap(wrap))
        .isEqualTo(rumor(ANN, "dinner at \"eight\"?\n\t\u0001 ☕"));
    assertThatThrownBy(() -> new GiftWraps(EVE).unwrap(wrap)).hasMessageContaining("MAC");
  }

  @Test
  void the_same_part_is_the_same_wrap_to_the_byte() {
    assertThat(wrap("hello", "part").json()).isEqualTo(wrap("hello", "part").json());
  }

  @Test
  void another_part_or_another_text_shares_neither_key_nor_nonce() {
    NostrEvent one = wrap("hello", "part");
    for (NostrEvent other : List.of(wrap("hello", "another"), wrap("hullo", "part"))) {
      assertThat(other.publicKey()).isNotEqualTo(one.publicKey());
      assertThat(other.content().substring(0, 40)).isNotEqualTo(one.content().substring(0, 40));
    }
  }

  @Test
  void strangers_see_neither_the_author_nor_the_time() {
    NostrEvent wrap = wrap("hello", "part");

    assertThat(wrap.isGenuine()).isTrue();
    assertThat(wrap.json()).doesNotContain(ANN.publicKey()).doesNotContain("" + NOW);
    assertThat(wrap.tags()).isEqualTo(List.of(List.of("p", BOB.publicKey())));
    assertThat(wrap.createdAt()).isBetween(NOW - GiftWraps.BACKDATED.toSeconds(), NOW);
  }

  @Test
  void a_message_that_names_another_author_than_its_seal_is_refused() {
    NostrEvent forged = new GiftWraps(EVE).wrap(rumor(ANN, "send Eve money"), BOB.publicKey(), "p");

    assertThatThrownBy(() -> new GiftWraps(BOB).unwrap(forged))
        .isInstanceOf(Nip44.Unreadable.class)
        .hasMessageContaining("another author");
  }

  @Test
  void a_seal_that_its_author_has_not_signed_is_refused() {
    NostrEvent rumor = rumor(ANN, "hello");
    byte[] shared = Nip44.conversationKey(EVE, BOB.publicKey());
    NostrEvent seal =
        NostrEvent.signed(
            EVE,
            NOW,
            NostrEvent.SEAL,
            List.of(),
            Nip44.encrypt(rumor.json(), shared, new byte[32]));
    String inAnnsName = seal.json().replace(EVE.publicKey(), ANN.publicKey());
    NostrEvent renamed =
        NostrEvent.rumor(ANN.publicKey(), NOW, NostrEvent.SEAL, List.of(), seal.content());
    String unsigned = renamed.json();
    String signedByEve = unsigned.replace("}", ",\"sig\":\"" + seal.signature() + "\"}");
    for (String forged : List.of(inAnnsName, unsigned, signedByEve)) {
      NostrEvent wrap =
          NostrEvent.signed(
              key(44),
              NOW,
              NostrEvent.GIFT_WRAP,
              List.of(List.of("p", BOB.publicKey())),
              Nip44.encrypt(forged, Nip44.conversationKey(key(44), BOB.publicKey()), new byte[32]));
      assertThatThrownBy(() -> new GiftWraps(BOB).unwrap(wrap))
          .isInstanceOf(Nip44.Unreadable.class)
          .hasMessageContaining("seal");
    }
  }

  @Test
  void a_wrap_that_was_changed_on_its_way_is_refused() {
    NostrEvent wrap = wrap("hello", "part");
    NostrEvent changed =
        new NostrEvent(
            wrap.id(),
            wrap.publicKey(),
            wrap.createdAt(),
            wrap.kind(),
            wrap.tags(),
            wrap.content(),
            wrap.signature().replaceFirst("^.", wrap.signature().startsWith("0") ? "1" : "0"));

    assertThatThrownBy(() -> new GiftWraps(BOB).unwrap(changed)).hasMessageContaining("signature");
    assertThat(NostrEvent.read(Json.readObject(wrap.json().replace("1059", "1060"))))
        .as("its id is the hash of something else")
        .isNull();
  }

  /** The example of NIP-17, made by somebody else. */
  @Test
  void the_wrap_of_the_standards_example_opens() throws Exception {
    String receiver = NostrNames.secretKey(NIP17_RECEIVER);
    NostrEvent wrap = NostrEvent.read(Json.readObject(NIP17_WRAP));

    NostrEvent rumor = new GiftWraps(NostrKey.of(HexFormat.of().parseHex(receiver))).unwrap(wrap);

    assertThat(rumor.content()).isEqualTo("Hola, que tal?");
    assertThat(rumor.kind()).isEqualTo(NostrEvent.CHAT);
  }

  private static final String NIP17_RECEIVER =
      "nsec12ywtkplvyq5t6twdqwwygavp5lm4fhuang89c943nf2z92eez43szvn4dt";

  private static final String NIP17_WRAP =
      "{\"id\":\"2886780f7349afc1344047524540ee716f7bdc1b64191699855662330bf235d8\",\"pu"
          + "bkey\":\"8f8a7ec43b77d25799281207e1a47f7a654755055788f7482653f9c9661c6d51\",\"cr"
          + "eated_at\":1703128320,\"kind\":1059,\"tags\":[[\"p\",\"918e2da906df4ccd12c8ac672d833"
          + "5add131a4cf9d27ce42b3bb3625755f0788\"]],\"content\":\"AsqzdlMsG304G8h08bE67dhAR1"
          + "gFTzTckUUyuvndZ8LrGCvwI4pgC3d6hyAK0Wo9gtkLqSr2rT2RyHlE5wRqbCOlQ8WvJEKwqwIJwT"
          + "5PO3l2RxvGCHDbd1b1o40ZgIVwwLCfOWJ86I5upXe8K5AgpxYTOM1BD+SbgI5jOMA8tgpRoitJed"
          + "VSvBZsmwAxXM7o7sbOON4MXHzOqOZpALpS2zgBDXSAaYAsTdEM4qqFeik+zTk3+L6NYuftGidqVl"
          + "uicwSGS2viYWr5OiJ1zrj1ERhYSGLpQnPKrqDaDi7R1KrHGFGyLgkJveY/45y0rv9aVIw9IWF11u"
          + "53cf2CP7akACel2WvZdl1htEwFu/v9cFXD06fNVZjfx3OssKM/uHPE9XvZttQboAvP5UoK6lv9o3"
          + "d+0GM4/3zP+yO3C0NExz1ZgFmbGFz703YJzM+zpKCOXaZyzPjADXp8qBBeVc5lmJqiCL4solZpxA"
          + "1865yPigPAZcc9acSUlg23J1dptFK4n3Tl5HfSHP+oZ/QS/SHWbVFCtq7ZMQSRxLgEitfglTNz9P"
          + "1CnpMwmW/Y4Gm5zdkv0JrdUVrn2UO9ARdHlPsW5ARgDmzaxnJypkfoHXNfxGGXWRk0sKLbz/ipna"
          + "QP/eFJv/ibNuSfqL6E4BnN/tHJSHYEaTQ/PdrA2i9laG3vJti3kAl5Ih87ct0w/tzYfp4SRPhEF1"
          + "zzue9G/16eJEMzwmhQ5Ec7jJVcVGa4RltqnuF8unUu3iSRTQ+/MNNUkK6Mk+YuaJJs6Fjw6tRHuW"
          + "i57SdKKv7GGkr0zlBUU2Dyo1MwpAqzsCcCTeQSv+8qt4wLf4uhU9Br7F/L0ZY9bFgh6iLDCdB+4i"
          + "ABXyZwT7Ufn762195hrSHcU4Okt0Zns9EeiBOFxnmpXEslYkYBpXw70GmymQfJlFOfoEp93QKCMS"
          + "2DAEVeI51dJV1e+6t3pCSsQN69Vg6jUCsm1TMxSs2VX4BRbq562+VffchvW2BB4gMjsvHVUSRl8i"
          + "5/ZSDlfzSPXcSGALLHBRzy+gn0oXXJ/447VHYZJDL3Ig8+QW5oFMgnWYhuwI5QSLEyflUrfSz+Pd"
          + "wn/5eyjybXKJftePBD9Q+8NQ8zulU5sqvsMeIx/bBUx0fmOXsS3vjqCXW5IjkmSUV7q54GewZqTQ"
          + "Blcx+90xh/LSUxXex7UwZwRnifvyCbZ+zwNTHNb12chYeNjMV7kAIr3cGQv8vlOMM8ajyaZ5KVy7"
          + "HpSXQjz4PGT2/nXbL5jKt8Lx0erGXsSsazkdoYDG3U\",\"sig\":\"a3c6ce632b145c0869423c1af"
          + "aff4a6d764a9b64dedaf15f170b944ead67227518a72e455567ca1c2a0d187832cecbde7ed47"
          + "8395ec4c95dd3e71749ed66c480\"}";
}
