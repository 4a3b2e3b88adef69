package dev.postrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.inbound.InboundMessage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SessionKeyTest {
  private static String name(String template, @Nullable String thread) {
    InboundMessage arrival =
        new InboundMessage(
            "1",
            InboundMessage.Kind.MESSAGE,
            "chat",
            InboundMessage.ChatKind.GROUP,
            new InboundMessage.Sender("ann$1", null),
            "hi",
            List.of(),
            null,
            null,
            thread,
            null,
            Map.of());
    return new SessionKey(template).of("bot", arrival);
  }

  @Test
  void a_chat_is_a_session_and_so_is_a_thread_of_it() {
    assertThat(name(SessionKey.DEFAULT.template(), null)).isEqualTo("bot/chat");
    assertThat(name(SessionKey.DEFAULT.template(), "7")).isEqualTo("bot/chat/7");
  }

  @Test
  void everybody_in_a_group_can_have_their_own() {
    assertThat(name("{account}/{chat}/by-{sender}", "7")).isEqualTo("bot/chat/by-ann$1");
    assertThat(name("all/{sender}", null)).isEqualTo("all/ann$1");
  }

  @Test
  void a_key_that_makes_no_sense_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SessionKey("{acount}/{chat}"))
        .withMessageContaining("{acount}")
        .withMessageContaining("{account}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SessionKey("{account}/{thread}"))
        .withMessageContaining("{chat}");
  }
}
