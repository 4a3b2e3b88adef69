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

  private static @Nullable String moved(String template, String name, @Nullable String thread) {
    return new SessionKey(template).moved(name, "bot", "old", "new$1", thread);
  }

  @Test
  void a_chat_that_moves_takes_its_sessions_along() {
    String usual = SessionKey.DEFAULT.template();
    assertThat(moved(usual, "bot/old", null)).isEqualTo("bot/new$1");
    assertThat(moved(usual, "bot/old", "")).isEqualTo("bot/new$1");
    assertThat(moved(usual, "bot/old/7", "7")).isEqualTo("bot/new$1/7");
    assertThat(moved("{account}/{chat}/by-{sender}", "bot/old/by-a/b$1", "7"))
        .isEqualTo("bot/new$1/by-a/b$1");
    assertThat(moved("{sender}:{account}:{chat}/{sender}", "ann:bot:old/ann", null))
        .isEqualTo("ann:bot:new$1/ann");
  }

  @Test
  void a_session_keeps_its_name_if_that_does_not_come_from_the_chat_and_the_account() {
    String usual = SessionKey.DEFAULT.template();
    assertThat(moved(usual, "bot/old/7", null)).as("another thread's").isNull();
    assertThat(moved(usual, "mine", null)).as("a program's own").isNull();
    assertThat(moved(usual, "bot/older", null)).as("another chat's").isNull();
    assertThat(moved("{chat}", "old", null)).as("of several accounts").isNull();
    assertThat(moved("{account}/{sender}", "bot/old", null)).as("of a person").isNull();
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
