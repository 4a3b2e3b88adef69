package dev.postrider.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several alerts in one message, and what could not be sent is sent later; in virtual time. */
class DigestTest {
  private final VirtualTime time = VirtualTime.inOrder();
  private final Post post = new Post();
  private int made;
  private final Digest digest =
      new Digest(post, Duration.ofMinutes(1), () -> String.valueOf(++made));

  /** Brings alerts to a list, unless it is out of order. */
  private static final class Post implements AlertSender {
    final List<String> brought = new ArrayList<>();
    final List<String> tried = new ArrayList<>();
    boolean broken;

    @Override
    public String name() {
      return "a list";
    }

    @Override
    public boolean takes(Alert alert) {
      return !alert.account().equals("its own");
    }

    @Override
    public void carry(String id, Instant at, List<Alert> alerts) throws CannotCarry {
      String text = id + ": " + String.join(", ", alerts.stream().map(Alert::text).toList());
      tried.add(text);
      if (broken) {
        throw new CannotCarry("out of order");
      }
      brought.add(text);
    }
  }

  private void add(String... texts) {
    digest.add(
        List.of(texts).stream()
            .map(text -> new Alert(Alert.Kind.RUN_ENDED, "tg", false, text))
            .toList());
  }

  private void send() {
    digest.send(time.instant(), time.elapsed());
  }

  private void pass(Duration length) {
    for (Duration gone = Duration.ZERO; gone.compareTo(length) < 0; gone = gone.plusSeconds(1)) {
      time.advance(Duration.ofSeconds(1));
      send();
    }
  }

  @Test
  void the_first_goes_out_at_once_and_those_soon_after_it_together() {
    add("a");
    send();
    add("b");
    send();
    add("c");
    pass(Duration.ofSeconds(59));
    assertThat(post.brought).containsExactly("1: a");
    pass(Duration.ofSeconds(1));
    assertThat(post.brought).containsExactly("1: a", "2: b, c");
  }

  @Test
  void what_could_not_be_sent_is_sent_again_under_the_same_id_with_growing_pauses() {
    post.broken = true;
    add("a");
    send();
    add("b");
    pass(Duration.ofMinutes(2));
    assertThat(post.tried).hasSize(5).containsOnly("1: a"); // after 5, 10, 20, 40 s more each

    post.broken = false;
    pass(Duration.ofMinutes(3));
    assertThat(post.brought).containsExactly("1: a", "2: b");
  }

  @Test
  void an_alert_about_what_carries_it_is_left_to_others() {
    digest.add(List.of(new Alert(Alert.Kind.ACCOUNT_DOWN, "its own", false, "down")));
    send();

    assertThat(post.tried).isEmpty();
  }

  @Test
  void what_gathers_is_bounded_and_says_what_is_missing() {
    add(IntStream.range(0, 60).mapToObj(String::valueOf).toArray(String[]::new));
    send();

    assertThat(post.brought.getFirst())
        .startsWith("1: 10, 11")
        .endsWith("59, 10 older alerts are left out here");
  }
}
