package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.Delivery;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.Fix;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.message.Traceparent;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.trace.Span;
import dev.postrider.trace.Spans;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What happens to messages is told as spans, and all of it is in the trace that it belongs to. */
public abstract class Tracing extends InboundBehaviour {
  private static final Traceparent CALLER =
      Traceparent.parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01").orElseThrow();

  private final List<Span> spans = new ArrayList<>();

  private Spans tracing(double sampleRatio) {
    return new Spans(sampleRatio, Map.of("bot", "fake"), world.time::instant, spans::add);
  }

  private Spans start() {
    return start(1);
  }

  private Spans start(double sampleRatio) {
    world.start();
    Spans listening = tracing(sampleRatio);
    world.postrider().events().subscribe(listening);
    return listening;
  }

  private static Message.Builder called(String chat) {
    return to(chat, "hello").traceparent(CALLER.toString());
  }

  private List<Span> told(String name) {
    return spans.stream().filter(span -> span.name().equals("postrider." + name)).toList();
  }

  private Span one(String name) {
    assertThat(told(name)).as(name).hasSize(1);
    return told(name).getFirst();
  }

  // ---- messages

  @Test
  void a_retry_next_day_is_in_the_trace_of_the_caller() {
    delivery(
        settings -> {
          settings.backoff = List.of(Duration.ofHours(20));
          settings.expireAfter = Duration.ofDays(3);
        });
    start();
    world.platform.then(REFUSED);
    world.send(called("ann"));
    world.crash();
    start();

    world.pass(Duration.ofHours(25));

    Span message = one("message");
    assertThat(message.parent()).isEqualTo(CALLER.spanId());
    assertThat(Duration.between(message.start(), message.end())).isEqualTo(Duration.ofHours(20));
    assertThat(message.attributes())
        .containsEntry("postrider.status", "delivered")
        .containsEntry("postrider.attempts", 2L)
        .containsEntry("postrider.channel", "fake");
    assertThat(told("attempt"))
        .extracting(
            span -> span.attributes().get("postrider.outcome"),
            span -> span.attributes().get("postrider.attempt"),
            Span::error,
            Span::parent)
        .containsExactly(
            tuple("not-sent", 1L, "not-sent", own(message)),
            tuple("delivered", 2L, null, own(message)));
    assertThat(one("accept").parent()).isEqualTo(own(message));
    assertThat(spans).extracting(span -> span.self().traceId()).containsOnly(CALLER.traceId());
    assertThat(spans).extracting(span -> span.self().spanId()).doesNotHaveDuplicates();
  }

  private static String own(Span span) {
    return span.self().spanId();
  }

  @Test
  void a_message_that_nobody_traces_begins_a_trace_of_its_own_which_outlives_a_crash() {
    start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "hello");
    world.send("bob", "hello");
    world.crash();
    start();

    world.pass(minutes(1));

    List<Span> anns =
        spans.stream()
            .filter(span -> span.attributes().containsValue(delivery.id().toString()))
            .toList();
    assertThat(anns).extracting(Span::name).contains("postrider.accept").hasSize(4);
    assertThat(anns).extracting(span -> span.self().traceId()).containsOnly(traceOf(anns));
    assertThat(anns.getLast().name()).isEqualTo("postrider.message");
    assertThat(anns.getLast().parent()).isNull();
    assertThat(traceOf(told("message"))).isNotEqualTo(traceOf(anns));
  }

  private static String traceOf(List<Span> spans) {
    return spans.getFirst().self().traceId();
  }

  @Test
  void the_parts_of_a_message_and_the_repair_of_one_are_attempts_under_it() {
    world.platform.textLimit(5);
    start();
    world.platform.then(new Outcome.Repairable(new Fix.PlainText(), "cannot parse"));

    Delivery delivery = world.send(to("ann", "hello world").traceparent(CALLER.toString()));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(told("attempt"))
        .extracting(
            span -> span.attributes().get("postrider.part"),
            span -> span.attributes().get("postrider.outcome"))
        .startsWith(tuple(0L, "repairable"), tuple(0L, "delivered"), tuple(1L, "delivered"));
    assertThat(told("attempt")).extracting(Span::parent).containsOnly(own(one("message")));
  }

  @Test
  void a_dead_letter_says_why_and_its_replay_points_to_it() {
    start();
    world.platform.then(rejected());
    Delivery dead = world.send("ann", "hello");
    Span failed = one("message");
    assertThat(failed.error()).isEqualTo(world.message(dead.id()).reason());
    assertThat(one("attempt").error()).isEqualTo(failed.error());
    spans.clear();

    world.postrider().replay(dead.id());
    world.time.settle();

    assertThat(one("accept").link()).isEqualTo(failed.self());
    assertThat(one("message").error()).isNull();
    assertThat(one("message").self().traceId()).isNotEqualTo(failed.self().traceId());
  }

  @Test
  void a_replay_is_in_the_trace_of_the_first_caller() {
    start();
    world.platform.then(rejected());
    Delivery dead = world.send(called("ann"));
    Traceparent first = one("message").self();
    spans.clear();

    world.postrider().replay(dead.id());
    world.time.settle();

    assertThat(one("message").self().traceId()).isEqualTo(CALLER.traceId());
    assertThat(one("message").self()).isNotEqualTo(first);
    assertThat(one("accept").link()).isEqualTo(first);
  }

  @Test
  void a_failure_that_a_platform_tells_later_is_under_the_message_it_had_taken() {
    world.platform.hook(
        request ->
            new Hook.Answer.Genuine(
                List.of(),
                List.of(
                    new DeliveryReport(
                        request.text(),
                        DeliveryReport.State.FAILED,
                        world.time.instant(),
                        "undeliverable",
                        true)),
                Hook.Reply.OK));
    start();
    world.platform.then(Outcome.accepted("r1"));
    world.send(called("ann"));
    world.pass(minutes(1));

    world
        .postrider()
        .receive(
            "bot",
            new Hook.Request(
                "POST", Map.of(), Map.of(), "r1".getBytes(StandardCharsets.UTF_8), Instant.EPOCH));

    Span report = one("report");
    assertThat(report.error()).isEqualTo("receipt-failed");
    assertThat(report.parent()).isEqualTo(own(one("message")));
    assertThat(report.self().traceId()).isEqualTo(CALLER.traceId());
  }

  // ---- inbound messages

  @Test
  void an_answer_is_in_the_trace_of_what_it_answers() {
    Spans tracing = start();
    world.postrider().onInbound((_, turn) -> turn.answer("Good day!"));

    StoredInbound heard = write("ann", "hello");

    Span inbound = one("inbound");
    assertThat(inbound.parent()).isNull();
    assertThat(inbound.self()).isEqualTo(tracing.traceparent(heard.id()));
    assertThat(one("handle").parent()).isEqualTo(own(inbound));
    assertThat(one("message").parent()).isEqualTo(own(inbound));
    assertThat(spans)
        .extracting(span -> span.self().traceId())
        .containsOnly(inbound.self().traceId());
  }

  @Test
  void a_handler_can_put_a_span_of_its_own_between() {
    Spans tracing = start();
    world
        .postrider()
        .onInbound(
            (message, turn) -> {
              Traceparent given = tracing.traceparent(message.id());
              String own = new Traceparent(given.traceId(), "00000000000000aa", 1).toString();
              turn.answer(turn.message().text("Good day!").traceparent(own).build());
            });

    write("ann", "hello");

    assertThat(one("message").parent()).isEqualTo("00000000000000aa");
    assertThat(one("message").self().traceId()).isEqualTo(one("inbound").self().traceId());
  }

  @Test
  void each_time_that_an_inbound_message_is_handed_out_is_told_also_across_a_crash() {
    start();
    StoredInbound heard = write("ann", "hello");
    StoredInbound first = lease(minutes(5));
    world
        .postrider()
        .inbox()
        .nack(Objects.requireNonNull(first.handling().lease()), "busy", seconds(1));
    world.crash();
    start();
    world.pass(minutes(1));
    StoredInbound second =
        world.postrider().inbox().lease(Set.of(), 1, minutes(5), Duration.ZERO).getFirst();
    world.pass(seconds(3));

    world
        .postrider()
        .inbox()
        .ack(Objects.requireNonNull(second.handling().lease()), List.<Message>of());

    assertThat(told("handle")).extracting(Span::error).containsExactly("failed", null);
    assertThat(told("handle")).extracting(Span::parent).containsOnly(own(one("inbound")));
    assertThat(one("inbound").attributes())
        .containsEntry("postrider.inbound.id", heard.id().toString());
    assertThat(Duration.between(one("inbound").start(), one("inbound").end()))
        .isEqualTo(seconds(63));
  }

  // ---- which are told

  @Test
  void nothing_is_told_of_a_trace_that_its_caller_does_not_record() {
    start();

    world.send(called("ann").traceparent(CALLER.toString().replaceAll("01$", "00")));

    assertThat(spans).isEmpty();
    world.send(called("ann"));
    assertThat(spans).isNotEmpty();
  }

  @Test
  void of_traces_that_begin_here_as_many_are_told_as_wanted() {
    Spans half = tracing(0.5);
    Ids ids = new Ids(world.time::instant, new SplittableRandom(1));

    long sampled =
        Stream.generate(() -> new InboundId(ids.next()))
            .limit(1_000)
            .filter(id -> half.traceparent(id).sampled())
            .count();

    assertThat(sampled).isBetween(450L, 550L);
    start(0);
    world.send("ann", "hello");
    assertThat(spans).isEmpty();
    world.send(called("bob")); // whose caller has decided
    assertThat(spans).isNotEmpty();
  }

  @Test
  void spans_hold_neither_content_nor_chats() {
    delivery(settings -> settings.maxAttempts = 2);
    start();
    world.platform.then(new Outcome.NotSent("no chat ann-1234"), rejected());
    world.postrider().onInbound((_, turn) -> turn.answer("private answer"));
    world.send("ann-1234", "private words");
    write("ann-1234", "private question");
    world.pass(minutes(5));

    assertThat(spans).isNotEmpty();
    assertThat(spans.toString()).doesNotContain("private", "ann-1234");
  }
}
