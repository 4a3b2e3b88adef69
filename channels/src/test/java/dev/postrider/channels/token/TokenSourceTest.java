package dev.postrider.channels.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Store;
import dev.postrider.channels.token.TokenSource.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TokenSourceTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration AHEAD = Duration.ofMinutes(5);

  private final StillTime time = new StillTime();
  private final List<@Nullable Token> renewals = new ArrayList<>();
  private @Nullable Outcome trouble;

  private TokenSource source(Store store) {
    return new TokenSource(time, AHEAD, store, this::renew);
  }

  private synchronized Result renew(@Nullable Token last) {
    renewals.add(last);
    String number = Integer.toString(renewals.size());
    return trouble == null
        ? new Result.Good(
            new Token("access-" + number, time.instant().plus(HOUR), "refresh-" + number))
        : new Result.Failed(trouble);
  }

  private static String value(Result result) {
    return ((Result.Good) result).token().value();
  }

  @Test
  void a_token_is_used_until_shortly_before_its_end() {
    TokenSource source = source(Store.inMemory());
    assertThat(value(source.get())).isEqualTo("access-1");
    time.pass(Duration.ofMinutes(54));
    assertThat(value(source.get())).isEqualTo("access-1");
    time.pass(Duration.ofMinutes(2));
    assertThat(value(source.get())).isEqualTo("access-2");
    assertThat(renewals.getLast().refresh()).as("with the one before").isEqualTo("refresh-1");
  }

  @Test
  void while_one_renews_the_others_go_on_with_the_old_one() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    TokenSource source =
        new TokenSource(
            time,
            AHEAD,
            Store.inMemory(),
            last -> {
              if (last != null) {
                asked.countDown();
                try {
                  answer.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
              return renew(last);
            });
    source.get();
    time.pass(Duration.ofMinutes(56));
    CompletableFuture<Result> renewing = CompletableFuture.supplyAsync(source::get);
    asked.await();

    assertThat(value(source.get())).isEqualTo("access-1");

    answer.countDown();
    assertThat(value(renewing.get())).isEqualTo("access-2");
    assertThat(renewals).hasSize(2);
  }

  @Test
  void a_renewal_that_fails_is_not_repeated_at_once_and_an_old_token_serves_to_its_end() {
    TokenSource source = source(Store.inMemory());
    source.get();
    trouble = new Outcome.NotSent("away");
    time.pass(Duration.ofMinutes(56));
    assertThat(value(source.get())).isEqualTo("access-1");
    assertThat(value(source.get())).isEqualTo("access-1");
    assertThat(renewals).hasSize(2);

    time.pass(Duration.ofMinutes(4));
    assertThat(source.get()).isEqualTo(new Result.Failed(trouble));
    assertThat(source.get()).isEqualTo(new Result.Failed(trouble));
    assertThat(renewals).hasSize(3);

    trouble = null;
    time.pass(Duration.ofSeconds(5));
    assertThat(value(source.get())).isEqualTo("access-4");
  }

  @Test
  void a_token_that_the_platform_refuses_is_not_used_again() {
    TokenSource source = source(Store.inMemory());
    source.get();
    source.refused("access-1");
    source.refused("access-1");
    assertThat(value(source.get())).isEqualTo("access-2");
    assertThat(value(source.get())).isEqualTo("access-2");
    assertThat(renewals).hasSize(2);
  }

  @Test
  void while_the_old_token_is_good_a_renewal_that_fails_is_tried_again_once_a_minute() {
    TokenSource source = source(Store.inMemory());
    source.get();
    trouble = new Outcome.AccountBroken("revoked");
    time.pass(Duration.ofMinutes(56));
    source.get();
    time.pass(Duration.ofSeconds(59));
    assertThat(value(source.get())).isEqualTo("access-1");
    assertThat(renewals).hasSize(2);
    assertThat(source.trouble()).as("what people are told meanwhile").isEqualTo(trouble);

    time.pass(Duration.ofSeconds(1));
    trouble = null;
    assertThat(value(source.get())).isEqualTo("access-3");
    assertThat(source.trouble()).isNull();
  }
}
