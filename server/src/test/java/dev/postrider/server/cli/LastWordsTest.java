package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a server says when it has stopped. */
class LastWordsTest {
  @Test
  void a_server_whose_store_took_writes_says_that_everything_is_stored() {
    assertThat(Serve.stored(null)).isEqualTo("everything is stored");
  }

  @Test
  void a_server_whose_store_took_no_writes_does_not_and_says_why() {
    assertThat(Serve.stored("the disk is full"))
        .contains("may not be stored", "the disk is full", "next start")
        .doesNotContain("everything is stored");
  }
}
