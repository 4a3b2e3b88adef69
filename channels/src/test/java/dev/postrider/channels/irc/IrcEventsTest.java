package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What others say, as it comes in. */
class IrcEventsTest {

  /** What comes in when the server says this. */
  private static List<InboundMessage> heard(String... lines) throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      rig.connected();
      for (String line : lines) {
        server.say(line);
      }
      server.say("PING :done");
      server.await(line -> line.equals("PONG done"));
      return rig.inlet.arrivals();
    }
  }

  @Test
  void a_channel_message_comes_in_with_all_that_the_server_tells() throws Exception {
    assertThat(
            heard(
                "@msgid=a1;time=2026-03-01T12:00:00.123Z;account=ann;+draft/reply=a0"
                    + " :Ann!u@h PRIVMSG #room :hello \u0002you\u0002 \u000304,12red\u000f"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.platformId()).isEqualTo("a1");
              assertThat(it.kind()).isEqualTo(Kind.MESSAGE);
              assertThat(it.chat()).isEqualTo("#room");
              assertThat(it.chatKind()).isEqualTo(ChatKind.GROUP);
              assertThat(it.sender()).isEqualTo(new InboundMessage.Sender("ann", "Ann"));
              assertThat(it.text()).isEqualTo("hello you red");
              assertThat(it.messageId()).isEqualTo("a1");
              assertThat(it.replyToId()).isEqualTo("a0");
              assertThat(it.sentAt()).isEqualTo(Instant.parse("2026-03-01T12:00:00.123Z"));
              assertThat(((Map<?, ?>) it.raw().get("tags")).get("account")).isEqualTo("ann");
              assertThat(it.raw().get("text")).asString().contains("\u0002you");
            });
  }

  @Test
  void a_private_message_belongs_to_the_chat_with_its_sender() throws Exception {
    assertThat(heard("@msgid=a1 :Ann!u@h PRIVMSG rider :hi"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.chat()).isEqualTo("Ann");
              assertThat(it.chatKind()).isEqualTo(ChatKind.DM);
            });
  }

  @Test
  void a_message_to_those_with_a_rank_belongs_to_the_channel() throws Exception {
    assertThat(heard(":Ann!u@h PRIVMSG @#room :ops"))
        .singleElement()
        .satisfies(it -> assertThat(it.chat()).isEqualTo("#room"));
  }

  @Test
  void a_notice_is_nothing_to_answer_and_an_action_is_what_people_type() throws Exception {
    assertThat(
            heard(
                ":Ann!u@h NOTICE rider :read this",
                ":Ann!u@h PRIVMSG #room :\u0001ACTION waves\u0001"))
        .extracting(it -> it.kind() + " " + it.text())
        .containsExactly("OTHER read this", "MESSAGE /me waves");
  }

  @Test
  void servers_programs_and_we_ourselves_are_left_out() throws Exception {
    assertThat(
            heard(
                ":srv NOTICE rider :*** Looking up your hostname",
                ":Ann!u@h PRIVMSG rider :\u0001VERSION\u0001",
                "@msgid=m :RIDER!u@h PRIVMSG #room :my own echo",
                ":Ann!u@h JOIN #room",
                ":Ann!u@h TAGMSG #room"))
        .isEmpty();
  }

  @Test
  void a_line_told_again_has_the_same_id_and_a_line_said_again_has_not() throws Exception {
    String timed = "@time=2026-03-01T12:00:00.123Z :Ann!u@h PRIVMSG #room :again";
    List<InboundMessage> came =
        heard(timed, timed, ":Ann!u@h PRIVMSG #room :x", ":Ann!u@h PRIVMSG #room :x");
    assertThat(came).hasSize(4);
    assertThat(came.get(0).platformId()).isEqualTo(came.get(1).platformId());
    assertThat(came.get(2).platformId()).isNotEqualTo(came.get(3).platformId());
    assertThat(came.get(0).messageId()).as("nobody can reply to it").isNull();
  }

  @Test
  void a_message_of_several_lines_is_one() throws Exception {
    assertThat(
            heard(
                "@msgid=ml;time=2026-03-01T12:00:00Z :Ann!u@h BATCH +1 draft/multiline #room",
                "@batch=1 :Ann!u@h PRIVMSG #room :one ",
                "@batch=1;draft/multiline-concat :Ann!u@h PRIVMSG #room :and a half",
                "@batch=1 :Ann!u@h PRIVMSG #room :two",
                "BATCH -1"))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.text()).isEqualTo("one and a half\ntwo");
              assertThat(it.platformId()).isEqualTo("ml");
            });
  }

  @Test
  void nonsense_is_passed_by() throws Exception {
    assertThat(
            heard(
                "",
                ":",
                "@",
                "@x",
                "PRIVMSG",
                ":a!b@c PRIVMSG",
                "BATCH",
                "BATCH -none",
                "CAP",
                "@time=yesterday;msgid=1 :Ann!u@h PRIVMSG #room :ok",
                "001",
                "396",
                "KICK",
                "005"))
        .extracting(InboundMessage::text)
        .contains("ok");
  }
}
