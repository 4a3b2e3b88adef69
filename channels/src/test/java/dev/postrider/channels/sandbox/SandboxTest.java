package dev.postrider.channels.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.time.VirtualTime;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxTest {
  private final SandboxChannel sandbox = new SandboxChannel();
  private TestAccount account = TestAccount.of(AccountConfig.of("sandbox", "sandbox"));
  private Link link = sandbox.open(account);

  private void reopenWith(String key, Object value) {
    account =
        new TestAccount(account.config().set(key, value), account.scheduler(), account.readiness());
    link = sandbox.open(account);
  }

  private Outcome send(String chat, String text) throws Exception {
    return link.send(account.part(chat, text));
  }

  private List<SandboxDelivery> inbox() {
    return sandbox.inbox("sandbox", null, 100);
  }

  @Test
  void a_record_outlives_the_sandbox_and_what_a_kill_has_cut_off_was_not_delivered(
      @TempDir Path folder) throws Exception {
    Path record = folder.resolve("record");
    reopenWith("record", record.toString());
    Dispatch first = account.part("ann", "first");
    link.send(first);
    Files.writeString(record, "{\"key\": \"cut o", StandardOpenOption.APPEND);

    Link later = new SandboxChannel().open(account);
    assertThat(later.send(first)).isEqualTo(Outcome.delivered("sandbox-1"));
    later.send(account.part("ann", "second"));

    assertThat(Files.readAllLines(record)).hasSize(3);
    assertThat(Files.readAllLines(record).getLast())
        .contains("\"chat\":\"ann\"", "\"text\":\"second\"", "\"platformId\":\"sandbox-2\"");
  }

  @Test
  void the_inbox_shows_what_was_delivered() throws Exception {
    Dispatch part =
        account.part(
            Message.to("sandbox", "ann")
                .text("hello")
                .threadId("t")
                .replyToId("r")
                .silent(true)
                .channelData(Map.of("a", 1)));
    assertThat(link.send(part)).isEqualTo(Outcome.delivered("sandbox-1"));
    assertThat(inbox())
        .containsExactly(
            new SandboxDelivery(
                "sandbox-1",
                "sandbox",
                "ann",
                "hello",
                "t",
                "r",
                true,
                part.key(),
                account.scheduler().instant(),
                List.of(),
                Map.of("a", 1)));
  }

  @Test
  void the_inbox_lists_newest_first_by_account_and_chat() throws Exception {
    TestAccount second =
        new TestAccount(
            AccountConfig.of("second", "sandbox"), account.scheduler(), account.readiness());
    Link other = sandbox.open(second);
    send("ann", "1");
    account.scheduler().pass(Duration.ofSeconds(1));
    other.send(second.part("ann", "2"));
    account.scheduler().pass(Duration.ofSeconds(1));
    send("bob", "3");
    assertThat(sandbox.inbox(null, null, 10)).extracting("text").containsExactly("3", "2", "1");
    assertThat(sandbox.inbox(null, null, 2)).extracting("text").containsExactly("3", "2");
    assertThat(sandbox.inbox("sandbox", null, 10)).extracting("text").containsExactly("3", "1");
    assertThat(sandbox.inbox(null, "ann", 10)).extracting("text").containsExactly("2", "1");
    assertThat(sandbox.inbox("nobody", null, 10)).isEmpty();
  }

  @Test
  void the_inbox_keeps_the_last_ten_thousand() throws Exception {
    for (int i = 1; i <= 10_001; i++) {
      send("ann", "m" + i);
    }
    List<SandboxDelivery> all = sandbox.inbox("sandbox", null, Integer.MAX_VALUE);
    assertThat(all).hasSize(10_000);
    assertThat(all.getLast().text()).isEqualTo("m2");
  }

  @Test
  void a_repeated_key_gets_the_first_receipt_and_shows_once() throws Exception {
    Dispatch part = account.part("ann", "hello");
    assertThat(link.send(part)).isEqualTo(link.send(part));
    assertThat(inbox()).hasSize(1);
    assertThat(sandbox.capabilities(account.config()).deduplicates()).isTrue();
  }

  @Test
  void without_deduplication_a_repeat_shows_twice() throws Exception {
    reopenWith("deduplicates", false);
    Dispatch part = account.part("ann", "hello");
    assertThat(link.send(part)).isNotEqualTo(link.send(part));
    assertThat(inbox()).hasSize(2);
    assertThat(sandbox.capabilities(account.config()).deduplicates()).isFalse();
  }

  @Test
  void latency_takes_time() throws Exception {
    reopenWith("latency", "50ms");
    Instant start = account.scheduler().instant();
    send("ann", "hello");
    assertThat(account.scheduler().instant()).isEqualTo(start.plusMillis(50));
    send("ann", "this one is #slow");
    assertThat(account.scheduler().instant()).isEqualTo(start.plusMillis(2100));
  }

  @Test
  void a_report_that_nobody_could_take_is_told_again() throws Exception {
    VirtualTime time = VirtualTime.inOrder();
    List<State> told = new ArrayList<>();
    SandboxAccount ours = new SandboxAccount("a");
    ours.callBack(
        report -> {
          told.add(report.state());
          if (told.indexOf(report.state()) == told.size() - 1) {
            throw new IllegalStateException("the store is busy");
          }
        });

    new SandboxLink(ours, Settings.of(account.config()), time)
        .send(account.part("ann", "this one will #bounce"));
    time.advance(Duration.ofSeconds(10));

    assertThat(told).containsExactlyInAnyOrder(State.SENT, State.SENT, State.FAILED, State.FAILED);
  }

  @Test
  void a_send_interrupted_in_its_latency_was_not_sent() throws Exception {
    try (SystemScheduler realTime = new SystemScheduler()) {
      Link slow = new SandboxLink(new SandboxAccount("a"), Settings.of(account.config()), realTime);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> slow.send(account.part("ann", "#slow")))
          .isInstanceOf(NotSentException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void a_blocked_chat_is_rejected_as_target() throws Exception {
    assertThat(((Outcome.Rejected) send("blocked", "hello")).blame()).isEqualTo(Blame.TARGET);
    assertThat(inbox()).isEmpty();
  }

  @Test
  void a_moved_chat_is_reached_at_its_new_id() throws Exception {
    Outcome.Repairable moved = (Outcome.Repairable) send("moved", "hello");
    link.send(account.part(Message.to("sandbox", "moved").text("hello"), moved.fix()));
    assertThat(inbox()).extracting("chat").containsExactly("moved-here");
  }

  @Test
  void the_word_fail_rejects_the_message() throws Exception {
    assertThat(((Outcome.Rejected) send("ann", "please #fail")).blame()).isEqualTo(Blame.MESSAGE);
    assertThat(send("ann", "#failure is another word").label()).isEqualTo("delivered");
  }

  @ParameterizedTest
  @CsvSource({
    "#flaky, not-sent, 0",
    "#unknown, unknown, 1",
    "#throttle, throttled, 0",
    "#broken, account-broken, 0"
  })
  void some_words_work_once_and_then_the_part_is_delivered(
      String word, String first, int seenAfterFirst) throws Exception {
    Dispatch part = account.part("ann", "try " + word);
    assertThat(link.send(part).label()).isEqualTo(first);
    assertThat(inbox()).hasSize(seenAfterFirst);
    link.probe();
    assertThat(link.send(part).label()).isEqualTo("delivered");
    assertThat(inbox()).hasSize(1);
  }

  @Test
  void the_word_throttle_makes_the_chat_wait_three_seconds() throws Exception {
    assertThat(send("ann", "#throttle"))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            t -> {
              assertThat(t.scope()).isEqualTo(ThrottleScope.CHAT);
              assertThat(t.delay()).isEqualTo(Duration.ofSeconds(3));
            });
  }

  @Test
  void a_broken_account_refuses_everything_until_it_is_probed() throws Exception {
    send("ann", "#broken");
    assertThat(send("bob", "hello").label()).isEqualTo("account-broken");
    assertThat(link.probe()).isInstanceOf(Probe.Healthy.class);
    assertThat(send("bob", "hello").label()).isEqualTo("delivered");
  }

  @Test
  void the_word_markup_refuses_markup_and_takes_the_plain_form() throws Exception {
    Message.Builder message = Message.to("sandbox", "ann").text("plain #markup");
    Outcome.Repairable refused =
        (Outcome.Repairable) link.send(account.markup(message, "<b>rich</b> #markup"));
    assertThat(refused.fix()).isEqualTo(new Fix.PlainText());
    link.send(account.markup(message, "<b>rich</b> #markup", refused.fix()));
    assertThat(inbox()).extracting("text").containsExactly("plain #markup");
  }

  @Test
  void over_the_account_limit_the_account_waits_until_the_oldest_is_a_second_old()
      throws Exception {
    reopenWith("limits", Map.of("perSecond", 2));
    send("a", "1");
    account.scheduler().pass(Duration.ofMillis(400));
    send("b", "2");
    Outcome.Throttled third = (Outcome.Throttled) send("c", "3");
    assertThat(third.scope()).isEqualTo(ThrottleScope.ACCOUNT);
    assertThat(third.delay()).isEqualTo(Duration.ofMillis(600));
    account.scheduler().pass(third.delay());
    assertThat(send("c", "3").label()).isEqualTo("delivered");
  }

  @Test
  void over_the_chat_limit_only_that_chat_waits() throws Exception {
    reopenWith("limits", Map.of("perMinutePerChat", 1));
    send("a", "1");
    Outcome.Throttled second = (Outcome.Throttled) send("a", "2");
    assertThat(second.scope()).isEqualTo(ThrottleScope.CHAT);
    assertThat(second.delay()).isEqualTo(Duration.ofMinutes(1));
    assertThat(send("b", "3").label()).isEqualTo("delivered");
  }

  @ParameterizedTest
  @CsvSource({
    "notSent, not-sent",
    "unknown, unknown",
    "throttled, throttled",
    "rejected, rejected",
    "broken, account-broken"
  })
  void a_fault_with_share_one_always_happens(String fault, String label) throws Exception {
    reopenWith("faults", Map.of(fault, 1));
    assertThat(send("ann", "hello").label()).isEqualTo(label);
  }

  @Test
  void of_the_unknown_ones_some_arrive_and_some_do_not() throws Exception {
    reopenWith("seed", 7);
    reopenWith("faults", Map.of("unknown", 1));
    for (int i = 0; i < 50; i++) {
      send("ann", "hello");
    }
    assertThat(inbox()).hasSizeBetween(10, 40);
  }

  @Test
  void the_same_seed_gives_the_same_faults_and_roughly_the_share_asked_for() {
    reopenWith("faults", Map.of("notSent", 0.2));
    reopenWith("seed", 42);
    List<String> once = labels(200);
    reopenWith("seed", 42);
    assertThat(labels(200)).isEqualTo(once);
    assertThat(once).filteredOn("not-sent"::equals).hasSizeBetween(20, 60);
    reopenWith("seed", 43);
    assertThat(labels(200)).isNotEqualTo(once);
  }

  private List<String> labels(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              try {
                return send("ann", "m" + i).label();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            })
        .toList();
  }

  @Test
  void an_account_can_be_taken_offline_and_back() throws Exception {
    sandbox.offline("sandbox", "cable pulled");
    assertThat(account.readiness()).containsExactly("not ready: cable pulled");
    assertThat(send("ann", "hello").label()).isEqualTo("not-sent");
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    sandbox.online("sandbox");
    assertThat(account.readiness()).containsExactly("not ready: cable pulled", "ready");
    assertThat(send("ann", "hello").label()).isEqualTo("delivered");
  }

  @Test
  void an_account_that_opens_while_offline_says_so() {
    sandbox.offline("sandbox", "cable pulled");
    account.readiness().clear();
    reopenWith("latency", "0s");
    assertThat(account.readiness()).containsExactly("not ready: cable pulled");
  }

  @Test
  void a_lost_part_can_be_looked_up_if_the_account_allows_it() throws Exception {
    Dispatch part = account.part("ann", "#unknown");
    link.send(part);
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Inconclusive());
    reopenWith("reconciles", true);
    assertThat(link.reconcile(part))
        .isEqualTo(new Reconciliation.Found(new Receipt("sandbox-1", false)));
    assertThat(link.reconcile(account.part("ann", "never sent")))
        .isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void impossible_settings_are_refused_by_name() {
    assertThatThrownBy(() -> reopenWith("faults", Map.of("notSend", 0.1)))
        .hasMessageStartingWith("account sandbox: faults.notSend is not known; known are notSent");
    assertThatThrownBy(() -> reopenWith("faults", Map.of("notSent", 1.5)))
        .hasMessage("account sandbox: faults.notSent is not a share from 0 to 1");
    assertThatThrownBy(() -> reopenWith("faults", Map.of("notSent", 0.6, "unknown", 0.6)))
        .hasMessage("account sandbox: faults add up to more than 1");
    assertThatThrownBy(() -> reopenWith("limits", Map.of("perSecond", 0)))
        .hasMessage("account sandbox: limits.perSecond is not a whole number above zero");
  }
}
