package dev.postrider.channels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What a channel over HTTP makes of a platform that misbehaves; the same matrix for each. After
 * every fault the link must still work.
 */
public abstract class FaultMatrix {
  protected final FakePlatform platform = FakePlatform.start();

  @AfterEach
  void end() {
    platform.close();
  }

  protected abstract Channel channel();

  /** An account whose requests go to this address. */
  protected abstract AccountConfig account(String baseUrl);

  /** A part that makes one request. */
  protected abstract Dispatch part(TestAccount account);

  /** How the platform says that it took the part. */
  protected abstract Reply.Answer success();

  /** A link that can send. */
  protected Link open(TestAccount account) throws Exception {
    return channel().open(account);
  }

  /** Answers with status 2xx that are failures all the same, or say nothing that can be trusted. */
  protected List<Reply> hollowSuccesses() {
    return List.of(
        Reply.html(200, "<h1>Welcome to our hotel</h1>"),
        Reply.json(200, "{\"ok\":tr"),
        new Reply.HalfAnswer(success()));
  }

  /** What a 5xx without a word of the platform's own means. */
  protected Class<? extends Outcome> onServerError(int status) {
    return Outcome.Unknown.class;
  }

  /** Has the platform answer the part so; what is asked before it is answered well. */
  protected void answer(Reply reply) {
    platform.answer(reply);
  }

  /** The next part is taken. */
  protected void succeed() {
    answer(success());
  }

  private Outcome send(String timeout, Reply reply) throws Exception {
    TestAccount account = TestAccount.of(account(platform.baseUrl()).set("timeout", timeout));
    try (Link link = open(account)) {
      answer(reply);
      Outcome outcome = link.send(part(account));
      succeed();
      assertThat(link.send(part(account)))
          .as("the next part after %s", outcome)
          .isInstanceOf(Outcome.Delivered.class);
      return outcome;
    }
  }

  @Test
  void a_refused_connection_is_an_outage() throws Exception {
    TestAccount account = TestAccount.of(account("http://127.0.0.1:1"));
    try (Link link = channel().open(account)) {
      Outcome first = link.send(part(account));
      assertThat(first).isInstanceOf(Outcome.Unreachable.class);
      assertThat(link.send(part(account))).as("in the same words").isEqualTo(first);
    }
  }

  @TestFactory
  Stream<DynamicTest> no_answer_leaves_the_outcome_unknown() {
    return Stream.of(new Reply.HangUp(), new Reply.Reset(), new Reply.Silence())
        .map(
            reply ->
                DynamicTest.dynamicTest(
                    reply.toString(),
                    () ->
                        assertThat(send(reply instanceof Reply.Silence ? "1s" : "10s", reply))
                            .isInstanceOf(Outcome.Unknown.class)));
  }

  @TestFactory
  Stream<DynamicTest> a_success_that_is_none_is_not_taken_for_one() {
    return hollowSuccesses().stream()
        .map(
            reply ->
                DynamicTest.dynamicTest(
                    reply.toString(),
                    () -> assertThat(send("10s", reply)).isNotInstanceOf(Outcome.Delivered.class)));
  }

  @TestFactory
  Stream<DynamicTest> a_server_error_is_never_a_rejection() {
    return Stream.of(500, 502, 504)
        .map(
            status ->
                DynamicTest.dynamicTest(
                    "" + status,
                    () ->
                        assertThat(send("10s", Reply.html(status, "<h1>Oops</h1>")))
                            .isInstanceOf(onServerError(status))));
  }

  @Test
  void a_429_with_seconds_is_honoured_in_full() throws Exception {
    assertThat(send("10s", Reply.html(429, "slow down").header("Retry-After", "6775")))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(6775)));
  }

  @Test
  void a_429_without_a_delay_waits_nevertheless() throws Exception {
    assertThat(send("10s", Reply.html(429, "slow down")))
        .isInstanceOfSatisfying(Outcome.Throttled.class, it -> assertThat(it.delay()).isPositive());
  }

  @Test
  void a_503_of_somebody_in_between_with_seconds_is_waited_for_in_full() throws Exception {
    Outcome outcome =
        send("10s", Reply.html(503, "<h1>Back soon</h1>").header("Retry-After", "6775"));

    assertThat(
            outcome instanceof Outcome.Unreachable(_, Duration notBefore)
                ? notBefore
                : outcome instanceof Outcome.Throttled throttled ? throttled.delay() : null)
        .as("%s", outcome)
        .isEqualTo(Duration.ofSeconds(6775));
  }

  @Test
  void a_redirect_is_not_followed() throws Exception {
    Outcome outcome =
        send(
            "10s", Reply.text(302, "text/plain", "").header("Location", platform.baseUrl() + "/x"));
    assertThat(outcome).isNotInstanceOf(Outcome.Delivered.class);
    assertThat(platform.requests()).noneMatch(request -> request.path().equals("/x"));
  }
}
