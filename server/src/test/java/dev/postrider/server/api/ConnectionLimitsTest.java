package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionLimitsTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "300, 150", "1024, 512", "8192, 4096", "20000, 15904", "1048576, 1044480"})
  void others_keep_half_of_the_files_or_as_many_as_they_can_need(long files, int connections) {
    assertThat(ConnectionLimits.spare(files)).isEqualTo(connections);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "67108864, 682", "1073741824, 10922"})
  void connections_that_rest_fill_a_quarter_of_the_heap(long heap, int connections) {
    assertThat(ConnectionLimits.room(heap)).isEqualTo(connections);
  }
}
