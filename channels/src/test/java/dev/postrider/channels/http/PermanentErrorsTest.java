package dev.postrider.channels.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome.Blame;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermanentErrorsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Chat not found",
        "USER NOT FOUND",
        "the bot was blocked by someone",
        "Forbidden: bot was kicked from the group",
        "chat_id is empty",
        "No conversation reference found for 12",
        "Ambiguous Discord recipient",
        "AmbiguousRecipient",
        "ambiguous recipient",
        "bot was kicked from the supergroup chat",
        "User blocked the bot",
        "recipient is not a valid number",
        "bot is not a member of the channel",
        "user @ann:example.org not in room"
      })
  void the_texts_known_from_the_field_put_the_blame_on_the_target(String text) {
    assertThat(new PermanentErrors(List.of()).blame(text)).isEqualTo(Blame.TARGET);
  }

  @Test
  void other_texts_are_not_permanent_until_the_account_says_so() {
    assertThat(new PermanentErrors(List.of()).blame("quota used up")).isNull();
    assertThat(new PermanentErrors(List.of(Pattern.compile("quota"))).blame("quota used up"))
        .isEqualTo(Blame.MESSAGE);
  }
}
