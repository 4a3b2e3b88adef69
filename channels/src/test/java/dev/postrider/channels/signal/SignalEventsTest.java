package dev.postrider.channels.signal;

import static dev.postrider.channels.signal.FakeSignalCli.ANN;
import static dev.postrider.channels.signal.FakeSignalCli.GROUP;
import static dev.postrider.channels.signal.FakeSignalCli.NUMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignalEventsTest {
  private static final long AT = 1700000000000L;

  private final SignalEvents events = new SignalEvents(NUMBER);

  /** What signal-cli says when Ann does something. */
  static String received(String what) {
    return """
        {"account":"%s","envelope":{"source":"+491701234567","sourceNumber":"+491701234567",
         "sourceUuid":"%s","sourceName":"Ann","sourceDevice":1,"timestamp":%d,%s}}"""
        .formatted(NUMBER, ANN, AT, what);
  }

  private SignalEvents.Told told(String received) {
    return events.read(Json.readObject(received));
  }

  private InboundMessage message(String what) {
    return told(received(what)).messages().getFirst();
  }

  private static String data(String more) {
    return "\"dataMessage\":{\"timestamp\":" + AT + "," + more + "}";
  }

  @Test
  void a_message_is_known_by_its_time_and_author() {
    InboundMessage message = message(data("\"message\":\"héllo\""));

    assertThat(message.platformId()).isEqualTo(AT + ":" + ANN);
    assertThat(message.messageId()).isEqualTo(AT + ":" + ANN);
    assertThat(message.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(message.chat()).isEqualTo(ANN);
    assertThat(message.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(message.sender()).isEqualTo(new InboundMessage.Sender(ANN, "Ann"));
    assertThat(message.text()).isEqualTo("héllo");
    assertThat(message.sentAt()).isEqualTo(Instant.ofEpochMilli(AT));
  }

  @Test
  void a_number_and_a_uuid_that_are_told_together_are_one_chat() {
    assertThat(told(received(data("\"message\":\"x\""))).aliases())
        .containsExactly(new Alias("+491701234567", ANN));
  }

  @Test
  void somebody_without_a_uuid_is_called_by_the_number() {
    String received = received(data("\"message\":\"x\"")).replace('"' + ANN + '"', "null");
    assertThat(told(received).messages().getFirst().chat()).isEqualTo("+491701234567");
    assertThat(told(received).aliases()).isEmpty();
  }

  @Test
  void a_message_in_a_group_is_of_the_group() {
    InboundMessage message =
        message(
            data(
                "\"message\":\"x\",\"groupInfo\":{\"groupId\":\"%s\",\"type\":\"DELIVER\"}"
                    .formatted(GROUP)));
    assertThat(message.chat()).isEqualTo("group." + GROUP);
    assertThat(message.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(message.sender().id()).isEqualTo(ANN);
  }

  @Test
  void mentions_are_names_in_the_text() {
    InboundMessage message =
        message(
            data(
                """
                "message":"\ufffc and \ufffc!","mentions":[
                 {"name":"Bob","number":"+491700000001","uuid":null,"start":0,"length":1},
                 {"number":"+491700000002","uuid":null,"start":6,"length":1},
                 {"name":"Nobody","start":99,"length":1}]"""));
    assertThat(message.text()).isEqualTo("@Bob and @+491700000002!");
  }

  @Test
  void files_are_named_for_download() {
    InboundMessage message =
        message(
            data(
                """
                "message":null,"attachments":[{"contentType":"image/png","filename":"a.png",
                 "id":"k3Jx.png","size":17}]"""));
    assertThat(message.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(message.media())
        .containsExactly(
            new InboundMessage.File("image", "k3Jx.png", null, "a.png", "image/png", 17L));
  }

  @Test
  void a_quote_names_what_is_answered_and_our_own_as_in_its_receipt() {
    String quote =
        "\"message\":\"yes\",\"quote\":{\"id\":16,\"author\":\"%s\",\"authorNumber\":\"%s\","
            + "\"authorUuid\":\"%s\",\"text\":\"ok?\"}";
    assertThat(message(data(quote.formatted("+49170", "+49170", ANN))).replyToId())
        .isEqualTo("16:" + ANN);
    assertThat(message(data(quote.formatted(NUMBER, NUMBER, ANN))).replyToId()).isEqualTo("16");
  }

  @Test
  void an_edit_names_what_it_changes() {
    InboundMessage edit =
        message(
            "\"editMessage\":{\"targetSentTimestamp\":16,\"dataMessage\":{\"timestamp\":17,"
                + "\"message\":\"better\"}}");
    assertThat(edit.kind()).isEqualTo(Kind.EDIT);
    assertThat(edit.platformId()).isEqualTo("17:" + ANN);
    assertThat(edit.messageId()).isEqualTo("16:" + ANN);
    assertThat(edit.text()).isEqualTo("better");
  }

  @Test
  void a_reaction_names_its_message_and_one_taken_back_is_something_else() {
    String reaction =
        data(
            """
            "message":null,"reaction":{"emoji":"👍","targetAuthor":"%s","targetAuthorNumber":"%s",
             "targetSentTimestamp":16,"isRemove":false}"""
                .formatted(NUMBER, NUMBER));
    assertThat(message(reaction))
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(Kind.REACTION);
              assertThat(it.text()).isEqualTo("👍");
              assertThat(it.messageId()).as("our own").isEqualTo("16");
            });
    assertThat(message(reaction.replace("false", "true")).kind()).isEqualTo(Kind.OTHER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"remoteDelete\":{\"timestamp\":16}",
        "\"message\":null,\"groupInfo\":{\"groupId\":\"AAECAwQFBgcICQoLDA0ODw==\"}",
        "\"message\":null,\"isExpirationUpdate\":true,\"expiresInSeconds\":60"
      })
  void what_says_nothing_is_of_another_kind(String what) {
    assertThat(message(data(what)).kind()).isEqualTo(Kind.OTHER);
  }

  @Test
  void receipts_tell_of_messages_by_their_timestamps() {
    String receipt =
        received(
            "\"receiptMessage\":{\"when\":18,\"isDelivery\":%s,\"isRead\":%s,\"isViewed\":%s,"
                + "\"timestamps\":[16,17]}");
    Instant when = Instant.ofEpochMilli(18);
    assertThat(told(receipt.formatted(true, false, false)).reports())
        .containsExactly(
            new DeliveryReport("16", State.DELIVERED, when, null),
            new DeliveryReport("17", State.DELIVERED, when, null));
    assertThat(told(receipt.formatted(false, true, false)).reports().getFirst().state())
        .isEqualTo(State.READ);
    assertThat(told(receipt.formatted(false, false, true)).reports().getFirst().state())
        .isEqualTo(State.READ);
  }

  @Test
  void what_we_did_elsewhere_and_what_is_not_for_us_is_left_out() {
    assertThat(told(received("\"syncMessage\":{\"sentMessage\":{\"timestamp\":16}}"))).isNull();
    assertThat(told(received("\"typingMessage\":{\"action\":\"STARTED\"}"))).isNull();
    assertThat(told(received(data("\"message\":\"x\"")).replace("+491701234567", NUMBER))).isNull();
    assertThat(
            told(
                received(data("\"message\":\"x\""))
                    .replace("\"account\":\"" + NUMBER, "\"account\":\"+15550001")))
        .isNull();
    assertThat(told("{\"account\":\"+1\",\"exception\":{\"message\":\"untrusted\"}}")).isNull();
    assertThat(told("{}")).isNull();
  }

  @Test
  void the_stream_of_a_daemon_on_http_is_read() throws Exception {
    try (FakeSignalCli signal = new FakeSignalCli();
        Link link = new SignalChannel().open(TestAccount.of(signal.account()))) {
      signal.tells(
          received(data("\"message\":\"one\"")),
          "no JSON",
          received("\"receiptMessage\":{\"when\":18,\"isRead\":true,\"timestamps\":[16]}"));
      Inbox inbox = new Inbox();

      assertThatThrownBy(() -> link.listen(inbox))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ended the stream");

      assertThat(inbox.connections.availablePermits()).isEqualTo(1);
      assertThat(inbox.arrivals).extracting(InboundMessage::text).containsExactly("one");
      assertThat(inbox.reports).extracting(DeliveryReport::receipt).containsExactly("16");
      assertThat(inbox.aliases).containsOnly(new Alias("+491701234567", ANN));
      assertThat(signal.platform.requests().getLast().path())
          .isEqualTo("/api/v1/events?account=%2B4915112345678");
    }
  }

  @Test
  void a_daemon_that_does_not_have_the_number_refuses_to_be_listened_to() throws Exception {
    try (FakeSignalCli signal = new FakeSignalCli();
        Link link = new SignalChannel().open(TestAccount.of(signal.account()))) {
      signal.platform.answer(Reply.text(400, "text/plain", ""));
      assertThatThrownBy(() -> link.listen(new Inbox()))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining(NUMBER);
    }
  }

  @Test
  void a_stream_that_breaks_in_the_middle_keeps_what_was_whole() throws Exception {
    try (FakeSignalCli signal = new FakeSignalCli();
        Link link = new SignalChannel().open(TestAccount.of(signal.account()))) {
      String event = "event:receive\ndata:" + received(data("\"message\":\"one\"")) + "\n\n";
      String whole = event.replace(",\n ", ",");
      signal.platform.answer(
          new Reply.HalfAnswer(Reply.text(200, "text/event-stream", whole + whole)));
      Inbox inbox = new Inbox();
      assertThatThrownBy(() -> link.listen(inbox)).isInstanceOf(IOException.class);
      assertThat(inbox.arrivals).hasSize(1);
    }
  }
}
