package dev.postrider.channels.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestMemory;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Token;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A platform that takes each refresh token once, and what becomes of the chain. */
@Timeout(300)
class RememberedTokenTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration AHEAD = Duration.ofMinutes(5);

  private final StillTime time = new StillTime();
  private final TestMemory memory = new TestMemory(time);
  private final Platform platform = new Platform();

  /** Gives a token for each refresh token it has given, once. */
  private final class Platform {
    private final Set<String> good = new HashSet<>(Set.of("first", "second"));
    private int given;
    private int asked;

    synchronized Result renew(String refresh) {
      asked++;
      if (!good.remove(refresh)) {
        return new Result.Failed(new Outcome.AccountBroken("used already"));
      }
      given++;
      good.add("refresh-" + given);
      return new Result.Good(
          new Token("access-" + given, time.instant().plus(HOUR), "refresh-" + given));
    }
  }

  private RememberedToken store(String configured) {
    return new RememberedToken(memory, "token", time, configured);
  }

  private TokenSource process(String configured) {
    return process(memory, configured, () -> {});
  }

  /**
   * @param answered what happens between the platform's answer and what is done with it
   */
  private TokenSource process(Memory where, String configured, Runnable answered) {
    return new TokenSource(
        time,
        AHEAD,
        new RememberedToken(where, "token", time, configured),
        last -> {
          Result result = platform.renew(refresh(last, configured));
          answered.run();
          return result;
        });
  }

  private static String refresh(@Nullable Token last, String configured) {
    return last == null ? configured : Objects.requireNonNull(last.refresh());
  }

  private static String value(Result result) {
    return ((Result.Good) result).token().value();
  }

  private static Outcome outcome(Result result) {
    return ((Result.Failed) result).outcome();
  }

  @Test
  void it_outlives_the_process_with_what_renews_it() {
    assertThat(value(process("first").get())).isEqualTo("access-1");

    TokenSource restarted = process("first");
    assertThat(value(restarted.get())).isEqualTo("access-1");
    assertThat(platform.asked).isEqualTo(1);
    time.pass(HOUR);
    assertThat(value(restarted.get())).isEqualTo("access-2");
    Token kept = Objects.requireNonNull(store("first").load());
    assertThat(kept.refresh()).isEqualTo("refresh-2");
    assertThat(kept.toString()).doesNotContain("access-2").doesNotContain("refresh");
  }

  @Test
  void the_new_one_is_stored_before_it_is_used() {
    TokenSource first =
        process(
            memory,
            "first",
            () -> assertThat(store("first").load()).as("while it is not used").isNull());
    String used = value(first.get());
    assertThat(Objects.requireNonNull(store("first").load()).value()).isEqualTo(used);
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void killed_between_the_answer_and_the_write_it_says_so_and_waits_for_a_new_authorisation() {
    value(process("first").get());
    time.pass(HOUR.minus(AHEAD));
    TokenSource killed =
        process(
            memory,
            "first",
            () -> {
              throw new Killed();
            });
    assertThatThrownBy(killed::get).isInstanceOf(Killed.class);

    TokenSource restarted = process("first");
    assertThat(value(restarted.get())).as("the old one is still good").isEqualTo("access-1");
    assertThat(platform.asked).as("nobody uses what may be in use").isEqualTo(2);

    time.pass(AHEAD);
    RememberedToken store = store("first");
    TokenSource later =
        new TokenSource(time, AHEAD, store, last -> platform.renew(refresh(last, "first")));
    assertThat(outcome(later.get())).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(store.cutOffAt()).isEqualTo(time.instant().minus(AHEAD));

    assertThat(value(process("second").get())).as("authorised again").isEqualTo("access-3");
  }

  @Test
  void killed_before_the_platform_was_asked_it_goes_on_when_the_claim_is_over() {
    store("first").claim();
    TokenSource restarted = process("first");
    assertThat(outcome(restarted.get()))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class, it -> assertThat(it.delay()).isEqualTo(Duration.ofMinutes(2)));
    assertThat(platform.asked).isZero();

    time.pass(Duration.ofMinutes(2));
    assertThat(value(restarted.get())).isEqualTo("access-1");
  }

  @Test
  void of_several_nodes_one_renews_and_the_others_use_what_it_got() throws Exception {
    value(process("first").get());
    time.pass(HOUR);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    TokenSource one =
        process(
            memory,
            "first",
            () -> {
              asked.countDown();
              await(answer);
            });
    CompletableFuture<Result> renewing = CompletableFuture.supplyAsync(one::get);
    await(asked);

    TokenSource other = process("first");
    assertThat(outcome(other.get()))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> assertThat(it.cause()).isEqualTo("another process renews the access token"));
    answer.countDown();
    assertThat(value(renewing.get())).isEqualTo("access-2");

    assertThat(value(other.get())).isEqualTo("access-2");
    assertThat(platform.asked).isEqualTo(2);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_node_that_renewed_last_week_uses_what_another_has_got_since() {
    TokenSource one = process("first");
    value(one.get());
    time.pass(HOUR);
    assertThat(value(process("first").get())).isEqualTo("access-2");
    assertThat(value(one.get())).isEqualTo("access-2");
    time.pass(HOUR);
    assertThat(value(one.get())).isEqualTo("access-3");
  }

  @Test
  void whoever_took_too_long_still_stores_what_nobody_else_can_get_any_more() {
    value(process("first").get());
    time.pass(HOUR);
    TokenSource slow =
        process(
            memory,
            "first",
            () -> {
              time.pass(Duration.ofMinutes(3));
              assertThat(outcome(process("first").get())).isInstanceOf(Outcome.AccountBroken.class);
            });
    assertThat(value(slow.get())).isEqualTo("access-2");
    assertThat(value(process("first").get())).isEqualTo("access-2");
  }

  @Test
  void an_answer_that_was_lost_keeps_the_claim_and_an_outage_does_not() {
    Outcome[] trouble = {new Outcome.Unreachable("away")};
    RememberedToken store = store("first");
    TokenSource source = new TokenSource(time, AHEAD, store, _ -> new Result.Failed(trouble[0]));
    assertThat(outcome(source.get())).isEqualTo(new Outcome.Unreachable("away"));
    assertThat(store("first").claim()).as("another may try").isZero();

    time.pass(HOUR);
    trouble[0] = new Outcome.Unknown("no answer");
    assertThat(outcome(source.get())).isEqualTo(new Outcome.NotSent("no answer"));
    assertThat(store("first").claim()).isPositive();
  }

  @Test
  void a_newer_refresh_token_in_the_configuration_counts_and_an_older_chain_is_kept_beside() {
    value(process("first").get());
    assertThat(value(process("second").get())).isEqualTo("access-2");
    time.pass(HOUR);
    assertThat(value(process("second").get())).isEqualTo("access-3");

    assertThat(outcome(process("mistyped").get())).isInstanceOf(Outcome.AccountBroken.class);
    time.pass(HOUR);
    assertThat(value(process("second").get())).as("put back").isEqualTo("access-4");
  }

  @Test
  void what_an_earlier_release_has_stored_is_still_good() {
    memory.write(
        Remembered.of(
            null,
            "token",
            "{\"value\":\"a\",\"expiresAt\":\"%s\",\"refresh\":\"second\"}"
                .formatted(time.instant().plus(HOUR))));
    TokenSource source = process("first");
    assertThat(value(source.get())).isEqualTo("a");
    time.pass(HOUR);
    assertThat(value(source.get())).isEqualTo("access-1");
    assertThat(platform.good).contains("first");
  }

  /** A memory that can be away. */
  private final class Shaky implements Memory {
    private boolean away;

    private <T> T asked(Supplier<T> question) {
      if (away) {
        throw new NotSentException("the store is away");
      }
      return question.get();
    }

    @Override
    public Optional<String> read(@Nullable String chat, String key) {
      return asked(() -> memory.read(chat, key));
    }

    @Override
    public void write(List<Remembered> all) {
      asked(
          () -> {
            memory.write(all);
            return true;
          });
    }

    @Override
    public boolean replace(@Nullable String expected, Remembered by) {
      return asked(() -> memory.replace(expected, by));
    }
  }

  @Test
  void a_store_that_is_away_when_the_answer_comes_gets_it_later_and_until_then_it_is_not_used() {
    Shaky shaky = new Shaky();
    TokenSource source = process(shaky, "first", () -> shaky.away = true);
    assertThatThrownBy(source::get).isInstanceOf(NotSentException.class);
    assertThatThrownBy(source::get).isInstanceOf(NotSentException.class);

    shaky.away = false;
    assertThat(value(source.get())).isEqualTo("access-1");
    assertThat(platform.asked).isEqualTo(1);
    assertThat(Objects.requireNonNull(store("first").load()).refresh()).isEqualTo("refresh-1");
  }

  @Test
  void a_token_that_is_still_good_serves_while_the_store_is_away() {
    Shaky shaky = new Shaky();
    TokenSource source = process(shaky, "first", () -> {});
    source.get();
    time.pass(HOUR.minus(AHEAD));
    shaky.away = true;
    assertThat(value(source.get())).isEqualTo("access-1");
    time.pass(AHEAD);
    assertThatThrownBy(source::get).isInstanceOf(NotSentException.class);
  }
}
