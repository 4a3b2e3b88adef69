package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.log.LogCapture;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** In time that the test moves. */
class FailedLoginsTest {
  private static final InetAddress SOMEBODY = InetAddress.ofLiteral("192.0.2.1");

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // about to wrap around
  private final FailedLogins failures = new FailedLogins(3, now::get);

  @Test
  void what_is_over_the_limit_waits_for_the_rest_of_the_minute() {
    fail(SOMEBODY, 3);
    pass(Duration.ofSeconds(20));

    assertThat(failures.count(SOMEBODY)).isEqualTo(Duration.ofSeconds(40));
    assertThat(failures.count(InetAddress.ofLiteral("192.0.2.2"))).isNull();
    pass(Duration.ofSeconds(40));
    assertThat(failures.count(SOMEBODY)).isNull();
  }

  @Test
  void all_of_a_64_of_ipv6_are_one() {
    for (int i = 0; i < 3; i++) {
      assertThat(failures.count(InetAddress.ofLiteral("2001:db8::" + i))).isNull();
    }

    assertThat(failures.count(InetAddress.ofLiteral("2001:db8::ffff:0:0:1"))).isNotNull();
    assertThat(failures.count(InetAddress.ofLiteral("2001:db8:0:1::1"))).isNull();
  }

  @Test
  void however_long_it_goes_on_the_log_has_two_lines() {
    try (LogCapture log = new LogCapture()) {
      for (int minute = 0; minute < 5; minute++) {
        for (int i = 0; i < 100; i++) {
          failures.count(SOMEBODY);
        }
        pass(Duration.ofMinutes(1));
      }
      failures.count(SOMEBODY); // not over the limit in this minute
      failures.forgetOld();
      assertThat(log.sentences()).hasSize(1);
      pass(Duration.ofMinutes(1));
      failures.forgetOld();
      failures.forgetOld();

      assertThat(log.sentences())
          .containsExactly(
              "More than 3 requests in a minute from 192.0.2.1 had a wrong token or"
                  + " signature, or none; further ones are answered with 429.",
              "485 requests from 192.0.2.1 were answered with 429; it is quiet again.");
    }
  }

  @Test
  void more_addresses_than_are_remembered_share_one_count() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(failures.count(address(i))).isNull();
    }
    for (int i = 0; i < 3; i++) {
      assertThat(failures.count(address(10_000 + i))).isNull();
    }

    assertThat(failures.count(address(20_000))).isNotNull();
    assertThat(failures.count(address(1))).isNull();
    pass(Duration.ofMinutes(1));
    failures.forgetOld();
    assertThat(failures.count(address(20_000))).isNull();
  }

  private static InetAddress address(int number) {
    return InetAddress.ofLiteral("10.1." + number / 256 + "." + number % 256);
  }

  private void fail(InetAddress address, int often) {
    for (int i = 0; i < often; i++) {
      assertThat(failures.count(address)).isNull();
    }
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
