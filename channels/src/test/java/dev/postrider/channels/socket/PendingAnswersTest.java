package dev.postrider.channels.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.StillTime;
import dev.postrider.channels.socket.PendingAnswers.End;
import dev.postrider.channels.socket.PendingAnswers.Question;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PendingAnswersTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final StillTime time = new StillTime();
  private final PendingAnswers<String> pending = new PendingAnswers<>(time);

  @Test
  void each_answer_finds_its_question_in_any_order() {
    Question<String> first = pending.ask(MINUTE);
    Question<String> second = pending.ask(MINUTE);

    assertThat(pending.answered(second.id(), "two")).isTrue();
    assertThat(pending.answered(first.id(), "one")).isTrue();

    assertThat(first.end()).isCompletedWithValue(new End.Answered<>("one"));
    assertThat(second.end()).isCompletedWithValue(new End.Answered<>("two"));
    assertThat(pending.size()).isZero();
  }

  @Test
  void nobody_waits_for_ever_and_a_late_answer_is_nobodys() {
    Question<String> question = pending.ask(MINUTE);

    assertThat(time.await(question.end())).isEqualTo(new End.TimedOut<>(MINUTE));

    assertThat(pending.answered(question.id(), "late")).isFalse();
    assertThat(pending.size()).isZero();
  }

  @Test
  void a_lost_connection_ends_every_question_and_those_to_come() {
    Question<String> before = pending.ask(MINUTE);
    pending.lost("the socket is gone");
    Question<String> after = pending.ask(MINUTE);

    assertThat(before.end()).isCompletedWithValue(new End.Lost<>("the socket is gone"));
    assertThat(after.end()).isCompletedWithValue(new End.Lost<>("the socket is gone"));
    assertThat(pending.size()).isZero();
  }

  @Test
  void what_nobody_asked_is_no_answer() {
    assertThat(pending.answered("7", "x")).isFalse();
  }
}
