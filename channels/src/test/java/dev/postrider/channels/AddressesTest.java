package dev.postrider.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.problem.InvalidInput;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How each channel spells the address of a chat: what is one lane, what is two, what is none. */
class AddressesTest {
  private static final AccountConfig ANY = AccountConfig.of("a", "any").set("allowAnyTarget", true);

  private static Channel channel(String name) {
    return ServiceLoader.load(Channel.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(channel -> channel.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          telegram | 12345 | 12345
          telegram | ' 12345 ' | 12345
          telegram | 0012345 | 12345
          telegram | -1001234567890 | -1001234567890
          telegram | @Durov | @durov
          telegram | @durov_s_channel | @durov_s_channel
          whatsapp | +49 170 1 | 491701
          whatsapp | +491701 | 491701
          whatsapp | 491701 | 491701
          whatsapp | +1 (631) 555-1234 | 16315551234
          whatsapp | +1.631.555.1234 | 16315551234
          whatsapp | Y2FwaV9ncm91cDox | Y2FwaV9ncm91cDox
          whatsapp-web | +49 170 1234567 | 491701234567@c.us
          whatsapp-web | 491701234567@s.whatsapp.net | 491701234567@c.us
          whatsapp-web | 491701234567:12@s.whatsapp.net | 491701234567@c.us
          whatsapp-web | 120363041234567890@g.us | 120363041234567890@g.us
          whatsapp-web | 491701234567-1500000000@g.us | 491701234567-1500000000@g.us
          whatsapp-web | 251556368777322@lid | 251556368777322@lid
          line | ' U4af4980629000000000000000000abcd' | U4af4980629000000000000000000abcd
          line | C4af4980629000000000000000000abcd | C4af4980629000000000000000000abcd
          slack | ' C024BE91L' | C024BE91L
          slack | c024be91l | c024be91l
          slack | '#general' | '#general'
          discord | 81384788765712384 | 81384788765712384
          discord | 'user:81384788765712384 ' | user:81384788765712384
          matrix | '!Abc:Example.org' | '!Abc:Example.org'
          matrix | '#Abc:example.org ' | '#Abc:example.org'
          email | Ann@Example.ORG | Ann@example.org
          email | Ann Lee <ann@example.org> | ann@example.org
          email | ann@bücher.example | ann@xn--bcher-kva.example
          zalo | ' 6ede9afa66b88fe6d6a9' | 6ede9afa66b88fe6d6a9
          zalo | ABC | ABC
          irc | ' #Room' | '#room'
          irc | '#Room[1]' | '#room[1]'
          irc | '@#Room' | '@#room'
          irc | '&Local' | '&local'
          irc | Ann_Lee | ann_lee
          irc | '[Ann]' | '[ann]'
          irc | Zoë | zoë
          zalo-personal | ' user:42 ' | 42
          zalo-personal | 42 | 42
          zalo-personal | 'group: 77' | group:77
          webhook | HTTPS://Example.ORG:443/Hook?A=b | https://example.org/Hook?A=b
          webhook | https://example.org | https://example.org/
          webhook | https://example.org?a=b | https://example.org/?a=b
          webhook | https://example.org:8443/x | https://example.org:8443/x
          webhook | https://example.org:/x | https://example.org/x
          webhook | https://[2001:DB8::1]:443/x | https://[2001:db8::1]/x
          webhook | https://Me:Pw@Example.org/x#A | https://Me:Pw@example.org/x#A
          webhook | Orders | Orders
          nextcloud-talk | ' n3xtc10ud ' | n3xtc10ud
          nextcloud-talk | https://cloud.example.org/call/n3xtc10ud | n3xtc10ud
          nextcloud-talk | https://example.org/nc/index.php/call/n3xtc10ud#message_7 | n3xtc10ud
          mattermost | ' 4xp9fdt5k3r9mybkdyrgi4ntnc' | 4xp9fdt5k3r9mybkdyrgi4ntnc
          mattermost | channel:4xp9fdt5k3r9mybkdyrgi4ntnc | 4xp9fdt5k3r9mybkdyrgi4ntnc
          mattermost | user:4xp9fdt5k3r9mybkdyrgi4ntnc | user:4xp9fdt5k3r9mybkdyrgi4ntnc
          mattermost | @Ann.Lee | @ann.lee
          nostr | Note | notes
          nostr | ' notes ' | notes
          msteams | ' 19:Ab_c@thread.tacv2 ' | 19:Ab_c@thread.tacv2
          msteams | https://teams.microsoft.com/l/channel/19%3Ax%40thread.v2/A?x=1 | 19:x@thread.v2
          msteams | https://teams.microsoft.com/l/chat/19:x@thread.v2/conversations | 19:x@thread.v2
          msteams | a:1xY-z_ | a:1xY-z_
          msteams | 29:1xY-z_ | 29:1xY-z_
          msteams | 1B4E28BA-2FA1-11D2-883F-0016D3CCA427 | 1b4e28ba-2fa1-11d2-883f-0016d3cca427
          googlechat | ' spaces/AAAAabc_-1' | spaces/AAAAabc_-1
          googlechat | AAAAabc_-1 | spaces/AAAAabc_-1
          googlechat | users/12345 | users/12345
          googlechat | https://chat.google.com/room/AAAAabc?cls=11 | spaces/AAAAabc
          googlechat | https://mail.google.com/chat/u/0/#chat/space/AAAAabc | spaces/AAAAabc
          googlechat | https://mail.google.com/chat/u/0/#chat/dm/AAAAabc | spaces/AAAAabc
          feishu | ' oc_5ad11d72b830411d72b836c20 ' | oc_5ad11d72b830411d72b836c20
          feishu | ou_7d8a6e6df7621556ce0d21922b676706ccs | ou_7d8a6e6df7621556ce0d21922b676706ccs
          feishu | on_94a1ee5551019f18cd73d9f111898cf2 | on_94a1ee5551019f18cd73d9f111898cf2
          feishu | Ann@Example.ORG | Ann@example.org
          feishu | g6964gd3 | g6964gd3
          synology-chat | ' ops ' | ops
          bluebubbles | +49 (170) 123-4567 | iMessage;-;+491701234567
          bluebubbles | any;-;+491701234567 | iMessage;-;+491701234567
          bluebubbles | imessage;-;Ann@Example.ORG | iMessage;-;ann@example.org
          bluebubbles | Ann@Example.ORG | iMessage;-;ann@example.org
          bluebubbles | SMS;-;+49 170 1234567 | SMS;-;+491701234567
          bluebubbles | any;+;chat123456789 | iMessage;+;chat123456789
          bluebubbles | chat123456789 | iMessage;+;chat123456789
          bluebubbles | 72345 | iMessage;-;72345
          signal | +49 (151) 1234-5678 | +4915112345678
          signal | 5A1E0F3C-0D7A-4A3B-9C1E-2F6F8F0C1B11 | 5a1e0f3c-0d7a-4a3b-9c1e-2f6f8f0c1b11
          signal | u:Ann.01 | u:ann.01
          signal | group.AAECAwQFBgcICQoLDA0ODw== | group.AAECAwQFBgcICQoLDA0ODw==
          signal | AAECAwQFBgcICQoLDA0O_w | group.AAECAwQFBgcICQoLDA0O/w==
          signal | group.QUFFQ0F3UUZCZ2NJQ1FvTERBME9Edz09 | group.AAECAwQFBgcICQoLDA0ODw==
          xmpp | ' Ann@Example.ORG ' | ann@example.org
          xmpp | xmpp:ann@example.org?message | ann@example.org
          xmpp | Team@Rooms.example.org. | team@rooms.example.org
          xmpp | team@rooms.example.org/Ann Lee | team@rooms.example.org/Ann Lee
          xmpp | ANN@Bücher.example | ann@bücher.example
          twitch | 12826 | 12826
          tlon | ' ~Sampel-Palnet ' | ~sampel-palnet
          tlon | zod | ~zod
          tlon | chat/~sampel-palnet/general-2 | chat/~sampel-palnet/general-2
          tlon | 0v4.00000.abcde | 0v4.00000.abcde
          twitch | ' TwitchDev ' | #twitchdev
          twitch | @TwitchDev | #twitchdev
          twitch | '#12826' | '#12826'
          imessage | +49 (170) 123-4567 | +491701234567
          imessage | any;-;+491701234567 | +491701234567
          imessage | iMessage;-;Ann@Example.ORG | ann@example.org
          imessage | SMS;-;+49 170 1234567 | SMS;-;+491701234567
          imessage | any;+;chat123456789 | iMessage;+;chat123456789
          imessage | 'chat_id: 042' | chat_id:42
          sandbox | ' anything Goes ' | anything Goes
          """)
  void a_chat_has_one_spelling_and_keeps_it(String name, String written, String spelled) {
    Channel channel = channel(name);

    assertThat(channel.canonical(ANY, written)).isEqualTo(spelled);
    assertThat(channel.canonical(ANY, spelled)).as("a second time").isEqualTo(spelled);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          telegram | +491701234567 | id of a chat
          telegram | durov | public name
          telegram | @ durov | public name
          telegram | 12345678901234567890 | id of a chat
          whatsapp | 0170 1234567 | country code
          whatsapp | 0049170123456 | country code
          whatsapp | + | country code
          whatsapp | +49 170 1234 5678 9012 | at most 15 digits
          line | @shop | as webhooks name
          line | U4AF4980629000000000000000000ABCD | as webhooks name
          slack | the general channel | #general
          discord | general | id of a channel
          discord | user:ann | id of a user
          matrix | @ann:example.org | must be a room
          mattermost | town-square | View Info
          nostr | ann | npub1
          nostr | npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptq | npub1
          nostr | nsec12ywtkplvyq5t6twdqwwygavp5lm4fhuang89c943nf2z92eez43szvn4dt | secret key
          signal | 0151 1234567 | country code
          signal | ann | country code
          signal | group.friends | listGroups
          signal | u:ann | u:ann.01
          mattermost | user:ann | @ and the name
          mattermost | 4XP9FDT5K3R9MYBKDYRGI4NTNC | 26 letters and digits
          msteams | General | link to the channel
          msteams | ann@example.org | object id
          msteams | https://example.org/l/channel/19%3Ax%40thread.tacv2/A | link to the channel
          msteams | 19:x@thread.tacv2;messageid=first | link to the channel
          msteams | 19:x@thread.tacv2;messageid=1612 | to 19:x@thread.tacv2 with threadId 1612
          msteams | a:1xY;messageid=1612 | to a:1xY with threadId 1612
          msteams | https://teams.microsoft.com/l/channel/19%3Ax%40thread.v2%3Bmessageid%3D7/A | 7
          msteams | 19:x@thread.tacv2/../../v3 | link to the channel
          googlechat | 12345 | users/12345
          googlechat | the team | spaces/AAAAabc123
          googlechat | spaces/AAAA/threads/B | spaces/AAAAabc123
          zalo | an nguyen | id of a chat
          irc | '#a,#b' | one nick
          irc | '#a b' | one nick
          irc | ann,bob | one nick
          irc | ':ann' | one nick
          irc | '$$*' | one nick
          irc | ann!u@h | one nick
          irc | 4ann | one nick
          whatsapp-web | 120363041234567890 | a group
          whatsapp-web | 0170 1234567 | country code
          whatsapp-web | Ann | country code
          twitch | https://twitch.tv/twitchdev | as in twitch.tv/name
          twitch | the chat | as in twitch.tv/name
          zalo-personal | an nguyen | number of a person
          zalo-personal | group:all | number of a person
          tlon | ~sampel-palnet/general | a group's channel
          tlon | general chat | a ship such as
          feishu | the big group | a chat (oc_
          feishu | om_dc13264520392913993dd051dba21dcf | replyToId
          feishu | omt_d4be107c616a | a chat (oc_
          feishu | cli_9f427eec54ae901b | a person (ou_
          bluebubbles | 0170 1234567 | country's code
          bluebubbles | ann | e-mail address
          bluebubbles | fax;-;+491701234567 | guid of a chat
          imessage | 0170 1234567 | country's code
          imessage | chat_id:0 | guid of a chat
          email | ann | one mailbox
          xmpp | ann | ann@example.org
          xmpp | example.org | ann@example.org
          xmpp | ann lee@example.org | ann@example.org
          xmpp | ann@exa mple.org | ann@example.org
          xmpp | ann@example.org/ | ann@example.org
          xmpp | a@b@example.org | ann@example.org
          nextcloud-talk | Team A | token of a conversation
          nextcloud-talk | N3XTC10UD | token of a conversation
          email | 'ann@example.org, bob@example.org' | one mailbox
          """)
  void what_cannot_be_an_address_is_refused_with_the_remedy(
      String name, String written, String remedy) {
    assertThatThrownBy(() -> channel(name).canonical(ANY, written))
        .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo("to"))
        .hasMessageContaining(remedy);
  }

  @Test
  void people_have_numbers_on_an_official_account_of_zalo() {
    AccountConfig oa = AccountConfig.of("a", "zalo").set("appId", "1");

    assertThat(channel("zalo").canonical(oa, " 2512523625412515 ")).isEqualTo("2512523625412515");
    for (String written : new String[] {"+84912345678", "6ede9afa66b88fe6d6a9"}) {
      assertThatThrownBy(() -> channel("zalo").canonical(oa, written))
          .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo("to"))
          .hasMessageContaining("no phone number");
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "' 004 ', 4", "@Ann, @ann", "'@ Ann Lee ', @ann lee"})
  void a_bot_of_synology_chat_writes_to_people_by_number_or_name(String written, String spelled) {
    AccountConfig bot = AccountConfig.of("a", "synology-chat").set("token", "t");

    assertThat(channel("synology-chat").canonical(bot, written)).isEqualTo(spelled);
    assertThat(channel("synology-chat").canonical(bot, spelled)).isEqualTo(spelled);
    assertThatThrownBy(() -> channel("synology-chat").canonical(bot, "ann"))
        .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo("to"))
        .hasMessageContaining("@name");
  }

  @ParameterizedTest
  @CsvSource({"https://Example.org, https://Example.org", "' orders', orders"})
  void a_webhook_with_one_receiver_has_names_for_chats(String written, String spelled) {
    AccountConfig own = AccountConfig.of("a", "webhook");

    assertThat(channel("webhook").canonical(own, written)).isEqualTo(spelled);
  }

  @ParameterizedTest
  @CsvSource({
    "default, default",
    "Default, default",
    "'#default', '#default'",
    "Town-Square, '#town-square'",
    "~town-square, '#town-square'",
    "'#town-square', '#town-square'",
    "@Ann, @ann"
  })
  void a_mattermost_webhook_has_names_for_channels(String written, String spelled) {
    AccountConfig hook =
        AccountConfig.of("a", "mattermost").set("webhookUrl", "https://x.example/hooks/abc");

    assertThat(channel("mattermost").canonical(hook, written)).isEqualTo(spelled);
    assertThat(channel("mattermost").canonical(hook, spelled)).isEqualTo(spelled);
    assertThatThrownBy(() -> channel("mattermost").canonical(hook, "the town square"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("default for the webhook's own channel");
  }

  @ParameterizedTest
  @CsvSource({"General, General", "' the Ops team ', the Ops team"})
  void a_workflow_of_teams_has_names_for_chats(String written, String spelled) {
    AccountConfig own =
        AccountConfig.of("a", "msteams").set("webhookUrl", "https://flows.example/x?sig=1");

    assertThat(channel("msteams").canonical(own, written)).isEqualTo(spelled);
  }
}
