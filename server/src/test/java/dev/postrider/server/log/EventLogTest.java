package dev.postrider.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.postrider.event.Event;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EventLogTest {
  private static final Instant AT = Instant.parse("2026-11-15T09:00:00Z");
  private static final Event.Ties NONE = new Event.Ties(null, null, null);
  private static final UUID RUN = UUID.fromString("01990000-0000-7000-8000-000000000001");
  private static final MessageId ID = MessageId.parse("01990000-0000-7000-8000-000000000002");
  private static final InboundId HEARD = InboundId.parse("01990000-0000-7000-8000-000000000003");

  private Duration elapsed = Duration.ofDays(3);
  private final EventLog log = new EventLog(() -> elapsed);
  private final LogCapture written = new LogCapture();

  @AfterEach
  void stop() {
    written.close();
  }

  static Stream<Arguments> told() {
    return Stream.of(
        arguments(
            new Event.AccountBroken(AT, "tg", "the token was revoked", AT.plusSeconds(30)),
            "Account tg is broken: the token was revoked; asked again at 2026-11-15T09:00:30Z"),
        arguments(new Event.AccountRepaired(AT, "tg"), "Account tg works again"),
        arguments(
            new Event.AccountPaused(AT, "tg", "maintenance"), "Account tg is paused: maintenance"),
        arguments(new Event.AccountResumed(AT, "tg"), "Account tg is resumed"),
        arguments(
            new Event.AccountNotReady(AT, "irc", "connecting"),
            "Account irc is not ready: connecting"),
        arguments(new Event.AccountReady(AT, "irc"), "Account irc is ready"),
        arguments(new Event.AccountTaken(AT, "tg", "a", null), "Account tg is worked by a"),
        arguments(new Event.AccountTaken(AT, "tg", "a", "b"), "Account tg is worked by a, after b"),
        arguments(
            new Event.AccountLeft(AT, "tg", "a", "handed over"),
            "Account tg is no longer worked by a: handed over"),
        arguments(new Event.StoreDown(AT, "", "disk full"), "The store takes no writes: disk full"),
        arguments(new Event.StoreUp(AT, ""), "The store takes writes again"),
        arguments(
            new Event.Recovered(AT, "", 0, 0, 0, 0, 0, 0),
            "Nothing was left from before the start"),
        arguments(
            new Event.Recovered(AT, "", 9, 4, 3, 1, 1, 2),
            "Of 9 messages from before the start 4 are delivered, 3 go on, 1 expired, 1 failed;"
                + " 2 had an unknown outcome"),
        arguments(
            failed("rejected-target", "no such chat"),
            "Message " + ID + " of tg is a dead letter (rejected-target): no such chat"),
        arguments(
            new Event.InboundFailed(AT, "tg", "tg/1", HEARD, "the receiver answered 500"),
            "Inbound message " + HEARD + " of tg is a dead letter: the receiver answered 500"),
        arguments(
            new Event.InboundRefused(AT, "tg", "the signature is wrong"),
            "A request to /hooks/tg was refused: the signature is wrong"),
        arguments(
            new Event.LanePaused(AT, "tg", "12", "a message failed"),
            "Chat 12 of tg is paused: a message failed"),
        arguments(
            new Event.LaneMoved(AT, "tg", "12", "-1012", 3),
            "Account tg has a chat that moved from 12 to -1012"),
        arguments(
            new Event.ReminderFired(AT, "tg", RUN, RUN, "Friday", 1000),
            "Reminder 'Friday' fired: run " + RUN + " to 1000 chats"),
        arguments(
            progress("paused", "10 of 20 failed"),
            "Run " + RUN + " of 'Friday' is paused: 10 of 20 failed"),
        arguments(
            ended("partial", null),
            "Run " + RUN + " of 'Friday' ended: partial, 412 of 1000 delivered"),
        arguments(
            ended("partial", "success"),
            "Run "
                + RUN
                + " of 'Friday' had ended as success; the platform has said more since:"
                + " partial, 412 of 1000 delivered"));
  }

  private static Event.RunEnded ended(String status, @Nullable String before) {
    return new Event.RunEnded(
        AT, "tg", RUN, "Friday", status, before, "412 of 1000 delivered", 1000, 412, 588, 0);
  }

  @Test
  void a_run_that_had_ended_so_is_not_told_again() {
    log.on(ended("partial", "partial"));

    assertThat(written.sentences()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("told")
  void what_changes_or_ends_badly_is_one_line(Event event, String sentence) {
    log.on(event);

    assertThat(written.sentences()).containsExactly(sentence);
    JsonNode json = new JsonMapper().readTree(written.json().getFirst());
    assertThat(json.path("event").asString()).isEqualTo(event.type());
    if (!event.account().isEmpty()) {
      assertThat(json.path("account").asString()).isEqualTo(event.account());
    }
  }

  @Test
  void the_life_of_every_single_message_is_not_told() {
    log.on(new Event.Accepted(AT, "tg", "1", ID, null, NONE));
    log.on(new Event.Delivered(AT, "tg", "1", ID, 1, Duration.ZERO, false, false, NONE));
    log.on(new Event.Ended(AT, "tg", "1", ID, Status.CANCELLED, null, null, NONE));

    assertThat(written.sentences()).isEmpty();
  }

  @Test
  void of_many_dead_letters_the_first_of_a_kind_is_told_at_once_and_the_others_are_counted() {
    for (int i = 0; i < 13; i++) {
      log.on(failed("rejected-target", "no such chat"));
    }
    log.on(failed("attempts-exhausted", "refused"));
    assertThat(written.sentences()).hasSize(2);

    elapsed = elapsed.plusSeconds(59);
    log.tellCounted();
    assertThat(written.sentences()).hasSize(2);
    elapsed = elapsed.plusSeconds(1);
    log.tellCounted();
    log.tellCounted();

    assertThat(written.sentences())
        .hasSize(3)
        .last()
        .isEqualTo("12 more messages of tg are dead letters (rejected-target) in the last minute");
    assertThat(new JsonMapper().readTree(written.json().getLast()).path("more").asInt())
        .isEqualTo(12);
  }

  @Test
  void a_kind_that_stayed_away_for_a_minute_is_told_at_once_again() {
    log.on(failed("rejected-target", "no such chat"));
    elapsed = elapsed.plusSeconds(60);
    log.tellCounted();
    log.on(failed("rejected-target", "no such chat"));

    assertThat(written.sentences()).hasSize(2);
  }

  @Test
  void what_was_counted_is_told_at_the_end() {
    log.on(failed("rejected-target", "no such chat"));
    log.on(failed("rejected-target", "no such chat"));
    log.tellRest();

    assertThat(written.sentences())
        .last()
        .isEqualTo("1 more messages of tg are dead letters (rejected-target) since");
  }

  @Test
  void a_run_that_stays_paused_is_told_once() {
    log.on(progress("paused", "10 of 20 failed"));
    log.on(progress("paused", "10 of 20 failed"));
    log.on(progress("running", null));
    log.on(progress("paused", "by hand"));

    assertThat(written.sentences()).hasSize(2);
  }

  private static Event failed(String reason, String error) {
    return new Event.Ended(AT, "tg", "1", ID, Status.FAILED, reason, error, NONE);
  }

  private static Event progress(String status, String reason) {
    return new Event.RunProgress(AT, "tg", RUN, "Friday", status, reason, 1000, 10, 10, 0, 980);
  }
}
