package dev.postrider.channels.imessage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc.Answer;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every code and sentence of the program's source, and what it is not asked at all. */
class IMessageErrorTableTest {
  private static final Channel CHANNEL = new IMessageChannel();

  private static Outcome refused(int code, String sentence) {
    return IMessageVerdict.of(
        new Answer.Refused(code, "Internal error", Json.tree(sentence == null ? "" : sentence)));
  }

  private static String told(Outcome outcome) {
    String name = outcome.getClass().getSimpleName();
    return outcome instanceof Outcome.Rejected rejected ? name + " " + rejected.blame() : name;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -32700 | unexpected end                                          | NotSent
          -32600 | jsonrpc must be 2.0                                     | NotSent
          -32601 | message.edit                                            | Rejected MESSAGE
          -32602 | invalid service                                         | Rejected MESSAGE
          -32602 | text or file is required                                | Rejected MESSAGE
          -32602 | unknown chat_id 42                                      | Rejected TARGET
          -32602 | missing chat identifier or guid                         | Rejected TARGET
          -32602 | Invalid chat target: x                                  | Rejected TARGET
          -32602 | bridge transport requires an existing chat target       | Rejected MESSAGE
          -32602 | unsupported tapback reaction x                          | Rejected MESSAGE
          -32603 | Permission Error: Cannot access Messages database       | AccountBroken
          -32603 | unable to open database file                            | AccountBroken
          -32603 | AppleScript failed: Not authorized to send Apple events | AccountBroken
          -32603 | execution error: Messages got an error (-1743)          | AccountBroken
          -32603 | Sending is only supported on macOS.                     | AccountBroken
          -32603 | Messages got an error: Application isn’t running.       | Unreachable
          -32603 | AppleScript failed: Can’t get chat id "x".              | Rejected TARGET
          -32603 | AppleScript failed: Can’t get buddy id "x".             | Rejected TARGET
          -32603 | AppleScript failed: AppleEvent timed out.               | Unknown
          -32603 | Timed out waiting for response to 'send-message'        | Unknown
          -32603 | imsg bridge not ready: no dylib                         | Rejected MESSAGE
          -32603 | Dylib error: Chat not found                             | Rejected TARGET
          -32603 | Dylib error: something new                              | Unknown
          -32603 | wrote an unjoined empty outgoing row (7)                | NotSent
          -32603 | Attachment not found at /tmp/x                          | NotSent
          -32603 | AppleScript failed: something new                       | Unknown
          -32000 |                                                         | Unknown
          """)
  void a_code_and_a_sentence(int code, String sentence, String outcome) {
    assertThat(told(refused(code, sentence))).isEqualTo(outcome);
  }

  @Test
  void a_missing_permission_is_said_in_one_sentence_with_the_remedy() {
    assertThat(((Outcome.AccountBroken) refused(-32603, "Full Disk Access\n\n1. Open…")).cause())
        .startsWith("imsg may not read Messages' database: give Full Disk Access")
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"effectId":"x"}                       | channelData.effectId
          {"subject":7}                          | channelData.subject
          {"partIndex":-1}                       | channelData.partIndex
          {"reaction":{"reaction":"love"}}       | channelData.reaction.messageGuid
          {"unsend":{"messageGuid":"G"}}         | channelData.unsend
          {"edit":{"messageGuid":""}}            | channelData.edit.messageGuid
          """)
  void channel_data_that_imsg_does_not_know_is_refused_when_it_is_handed_in(
      String data, String field) {
    Message message =
        Message.to("mac", "+491701234567")
            .text("x")
            .channelData(Json.map(Json.readObject(data)))
            .build();
    Dispatch part = TestAccount.of(AccountConfig.of("mac", "imessage")).part("+491701234567", "x");
    assertThatThrownBy(() -> CHANNEL.check(message, part.plan()))
        .isInstanceOfSatisfying(
            InvalidInput.class, it -> assertThat(it.toString()).contains(field));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          service   | fax        | service must be one of [auto, imessage, sms]
          transport | pigeon     | transport must be one of [applescript, auto, bridge]
          timeout   | 0s         | timeout must be longer than zero
          idle      | often      | idle is not a duration
          command   | ' '        | command has an empty word
          """)
  void an_account_that_cannot_work_is_refused(String key, String value, String problem) {
    assertThatThrownBy(
            () -> CHANNEL.checkAccount(AccountConfig.of("mac", "imessage").set(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void the_service_and_the_transport_of_the_account_are_asked_for() {
    TestAccount account =
        TestAccount.of(
            AccountConfig.of("mac", "imessage").set("service", "sms").set("transport", "bridge"));
    assertThat(
            IMessageRequest.of(
                    account.part("+491701234567", "x"),
                    IMessageSettings.of(account.config()),
                    null,
                    null)
                .params())
        .containsEntry("service", "sms")
        .containsEntry("transport", "bridge");
  }

  @Test
  void an_attempt_may_take_as_long_as_the_program_is_waited_for() {
    assertThat(CHANNEL.delivery(DeliverySettings.DEFAULTS).attemptTimeout())
        .isEqualTo(Duration.ofMinutes(9));
  }
}
