package dev.postrider.channels.signal;

import static dev.postrider.channels.signal.FakeSignalCli.ANN;
import static dev.postrider.channels.signal.FakeSignalCli.GROUP;
import static dev.postrider.channels.signal.FakeSignalCli.NUMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.Dispatch;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalRequestTest {
  private final TestAccount account = TestAccount.of(AccountConfig.of("sig", "signal"));

  private static Message.Builder to(String chat) {
    return Message.to("sig", chat);
  }

  private SignalRequest request(Message.Builder message) {
    return SignalRequest.of(account.part(message), NUMBER, List.of());
  }

  @Test
  void a_person_is_a_recipient_and_a_group_is_a_group() {
    assertThat(request(to(ANN).text("hello")))
        .isEqualTo(
            new SignalRequest(
                "send", Map.of("account", NUMBER, "recipient", ANN, "message", "hello")));
    assertThat(request(to("group." + GROUP).text("hello")).params())
        .containsEntry("groupId", GROUP)
        .doesNotContainKey("recipient");
  }

  @Test
  void styles_are_ranges_in_utf16_units() {
    TextOfOnePart one = written("🌍 **bold** and `code`");
    assertThat(one.request().params())
        .containsEntry("message", "🌍 bold and code")
        .containsEntry("textStyle", List.of("3:4:BOLD", "12:4:MONOSPACE"));
  }

  private record TextOfOnePart(SignalRequest request) {}

  private TextOfOnePart written(String markdown) {
    Written written =
        Dialects.SIGNAL
            .write(
                markdown,
                Format.MARKDOWN,
                new SignalChannel().capabilities(account.config()).text())
            .getFirst();
    Message message = to(ANN).text(markdown).build();
    Dispatch any = account.part(to(ANN).text(markdown));
    Plan plan =
        new Plan(
            any.id(),
            List.of(new Part(written.text(), written.plain(), written.styles(), List.of())));
    return new TextOfOnePart(
        SignalRequest.of(Dispatch.of(message, plan, 0, Set.of()), NUMBER, List.of()));
  }

  @Test
  void a_reply_quotes_by_time_and_author_and_our_own_by_time() {
    assertThat(request(to(ANN).text("yes").replyToId("1700000000000:" + ANN)).params())
        .containsEntry("quoteTimestamp", 1700000000000L)
        .containsEntry("quoteAuthor", ANN);
    assertThat(request(to(ANN).text("yes").replyToId("1700000000000")).params())
        .containsEntry("quoteAuthor", NUMBER);
  }

  @Test
  void silent_is_not_urgent() {
    assertThat(request(to(ANN).text("psst").silent(true)).params()).containsEntry("noUrgent", true);
  }

  @Test
  void channel_data_goes_along() {
    Map<String, Object> data =
        Map.of(
            "editTimestamp",
            1700000000000L,
            "mention",
            List.of("0:1:" + ANN),
            "textStyle",
            List.of("0:2:SPOILER"));
    assertThat(request(to(ANN).text("@ hi").channelData(data)).params()).containsAllEntriesOf(data);
  }

  @Test
  void a_reaction_and_a_deletion_are_requests_of_their_own() {
    Map<String, Object> reaction =
        Map.of("reaction", Map.of("emoji", "👍", "target", "1700000000000:" + ANN));
    assertThat(request(to(ANN).channelData(reaction)))
        .isEqualTo(
            new SignalRequest(
                "sendReaction",
                Map.of(
                    "account",
                    NUMBER,
                    "recipient",
                    ANN,
                    "emoji",
                    "👍",
                    "targetTimestamp",
                    1700000000000L,
                    "targetAuthor",
                    ANN,
                    "remove",
                    false)));
    assertThat(request(to(ANN).channelData(Map.of("remoteDelete", "1700000000000"))))
        .isEqualTo(
            new SignalRequest(
                "remoteDelete",
                Map.of("account", NUMBER, "recipient", ANN, "targetTimestamp", 1700000000000L)));
  }

  private static void check(Message.Builder message, String... texts) {
    Message built = message.build();
    List<Part> parts =
        List.of(texts).stream().map(text -> new Part(text, null, List.of(), List.of())).toList();
    new SignalChannel()
        .check(built, new Plan(MessageId.parse("0199f0a0-0000-7000-8000-000000000001"), parts));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          colour | red | is not passed on
          viewOnce | yes | true or false
          sticker | smile | 32 hex digits
          editTimestamp | yesterday | timestamp
          mention | 0:1:x | list of texts
          textStyle | bold | list of texts
          reaction | 👍 | an emoji and a target
          remoteDelete | that | receipt of a message
          """)
  void what_signal_does_not_know_is_refused_when_it_is_handed_in(
      String name, String value, String why) {
    assertThatThrownBy(() -> check(to(ANN).text("hi").channelData(Map.of(name, value)), "hi"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("channelData." + name)
        .hasMessageContaining(why);
  }

  @Test
  void ranges_need_a_text_of_one_part() {
    Map<String, Object> data = Map.of("mention", List.of("0:1:" + ANN));
    assertThatCode(() -> check(to(ANN).text("@ hi").channelData(data), "@ hi"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check(to(ANN).text("@ hi").channelData(data), "@", "hi"))
        .hasMessageContaining("one part");
  }

  @Test
  void what_cannot_go_together_is_refused() {
    assertThatThrownBy(() -> check(to(ANN).text("x").replyToId("abc"), "x"))
        .hasMessageContaining("replyToId");
    assertThatThrownBy(() -> check(to(ANN).text("x").threadId("7"), "x"))
        .hasMessageContaining("threadId");
    assertThatThrownBy(() -> check(to(ANN).channelData(Map.of("viewOnce", true)), ""))
        .hasMessageContaining("nothing to be seen");
    assertThatThrownBy(() -> check(to(ANN).text("x").channelData(Map.of("viewOnce", true)), "x"))
        .hasMessageContaining("is for files");
    assertThatThrownBy(
            () -> check(to(ANN).text("x").channelData(Map.of("remoteDelete", "17")), "x"))
        .hasMessageContaining("goes alone");
  }
}
