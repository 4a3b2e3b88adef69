package dev.postrider.channels.verdict;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;
import static dev.postrider.channels.verdict.ErrorTable.throttled;
import static dev.postrider.channels.verdict.ErrorTable.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.message.Fix;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ErrorTableTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final ErrorTable table =
      ErrorTable.of(
          rejected(Blame.TARGET, 10003, "chat not found"),
          rejected(Blame.MESSAGE, "chat"),
          broken("revoked"),
          throttled(ThrottleScope.ACCOUNT, HOUR, "quota"),
          notSent("busy"),
          unknown("oops"),
          repairable(new Fix.DropReply(), "no reply"));

  @Test
  void a_code_means_what_its_row_says() {
    assertThat(table.byCode(10003, "why")).isEqualTo(new Outcome.Rejected(Blame.TARGET, "why"));
    assertThat(table.byCode("revoked", "why")).isEqualTo(new Outcome.AccountBroken("why"));
    assertThat(table.byCode("quota", "why"))
        .isEqualTo(new Outcome.Throttled(ThrottleScope.ACCOUNT, HOUR, "why"));
    assertThat(table.byCode("busy", "why")).isEqualTo(new Outcome.NotSent("why"));
    assertThat(table.byCode("oops", "why")).isEqualTo(new Outcome.Unknown("why"));
    assertThat(table.byCode("no reply", "why"))
        .isEqualTo(new Outcome.Repairable(new Fix.DropReply(), "why"));
    assertThat(table.byCode("else", "why")).isNull();
  }

  @Test
  void the_first_row_with_a_text_that_occurs_decides() {
    assertThat(table.byText("Bad Request: Chat not found", "why"))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "why"));
    assertThat(table.byText("the chat is odd", "why"))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "why"));
    assertThat(table.byText("something new", "why")).isNull();
  }

  @Test
  void a_code_in_two_rows_is_a_mistake() {
    assertThatThrownBy(() -> ErrorTable.of(notSent("a"), unknown("b", "a")))
        .hasMessage("a stands in two rows");
  }
}
