package dev.postrider.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What W3C Trace Context says of {@code traceparent}. */
class TraceparentTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @ParameterizedTest
  @CsvSource({"00,false", "01,true", "02,false", "03,true"})
  void one_is_read_and_written_as_it_was(String flags, boolean sampled) {
    String text = "00-" + TRACE + "-" + SPAN + "-" + flags;

    Traceparent read = Traceparent.parse(text).orElseThrow();

    assertThat(read.traceId()).isEqualTo(TRACE);
    assertThat(read.spanId()).isEqualTo(SPAN);
    assertThat(read.sampled()).isEqualTo(sampled);
    assertThat(read).hasToString(text);
  }

  @Test
  void a_later_version_is_read_as_far_as_it_is_known() {
    assertThat(Traceparent.parse("cc-" + TRACE + "-" + SPAN + "-fd-what-comes-then"))
        .hasValueSatisfying(
            read -> assertThat(read).hasToString("00-" + TRACE + "-" + SPAN + "-01"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473x-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
      })
  void what_is_none_is_as_good_as_none(String text) {
    assertThat(Traceparent.parse(text)).isEmpty();
    assertThat(Message.to("bot", "ann").text("hello").traceparent(text).build().traceparent())
        .isNull();
  }
}
