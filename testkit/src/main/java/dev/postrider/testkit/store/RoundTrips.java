package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Attachment;
import dev.postrider.message.DispatchKind;
import dev.postrider.message.Fix;
import dev.postrider.message.Format;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into the store comes out of it: every field, every odd string, nested data. */
abstract class RoundTrips extends StoreBehaviour {
  RoundTrips(StoreContract contract) {
    super(contract);
  }

  private static Map<String, @Nullable Object> nested() {
    Map<String, @Nullable Object> inner = new LinkedHashMap<>();
    inner.put("nothing", null);
    inner.put("", "empty name");
    inner.put("yes", true);
    inner.put("int", -7);
    inner.put("long", 9_007_199_254_740_993L);
    inner.put("huge", new BigInteger("123456789012345678901234567890"));
    inner.put("double", 0.1);
    inner.put("tiny", 5e-324);
    Map<String, @Nullable Object> outer = new LinkedHashMap<>();
    outer.put("list", Arrays.asList(1, "two", null, List.of(), inner, Map.of()));
    outer.put("😀", "emoji as a name");
    outer.put("inner", inner);
    return outer;
  }

  private static Message full() {
    return Message.to("bot", "-100 änn 😀")
        .text("*hello* 😀 \u0001\t\r\n\u2028 \"quoted\" \\ \u200d👩‍👩‍👧")
        .format(Format.NATIVE)
        .media(
            List.of(
                new Media("https://example.org/a?b=c&d=ä", MediaKind.IMAGE, "a b.png", true, false),
                new Media("data:x", null, null, false, true)))
        .threadId("thread")
        .replyToId("42")
        .silent(true)
        .channelData(nested())
        .idempotencyKey("key/1 ✓")
        .ordering(Ordering.NONE)
        .priority(Priority.BULK)
        .sendAt(Instant.parse("2026-03-01T13:00:00.123456789Z"))
        .expiresIn(Duration.ofMillis(123_456))
        .maxAttempts(9)
        .bestEffort(true)
        .onUnknown(OnUnknown.HOLD)
        .sessionId("session")
        .turnId("turn")
        .dispatchKind(DispatchKind.BLOCK)
        .metadata(nested())
        .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        .build();
  }

  @Test
  void every_field_of_a_message_comes_back() {
    Message message = full();

    StoredMessage stored = stored(MessageDraft.of(message).at(at(0)));

    assertThat(find(stored.id()).message()).isEqualTo(message);
    assertThat(find(stored.id()).message().channelData().keySet())
        .containsExactlyElementsOf(message.channelData().keySet());
    reopen();
    assertThat(find(stored.id())).isEqualTo(stored);
  }

  @Test
  void instants_come_back_to_the_microsecond() {
    Instant created = Instant.parse("2026-03-01T12:00:00.123456Z");
    Instant due = Instant.parse("2026-03-01T12:00:01.000001Z");
    Instant expires = Instant.parse("2026-03-01T12:00:02.999999Z");

    StoredMessage stored = stored(to("ann").at(created).due(due).expires(expires));

    assertThat(find(stored.id()).createdAt()).isEqualTo(created);
    assertThat(find(stored.id()).dueAt()).isEqualTo(due);
    assertThat(find(stored.id()).expiresAt()).isEqualTo(expires);
  }

  @Test
  void a_plan_comes_back_with_its_markup_media_and_origin() {
    MessageDraft draft = to("ann").text("source");
    Plan plan =
        new Plan(
            MessageDraft.nextId(),
            List.of(
                Part.markup("<b>one</b>", "one"),
                Part.plain("two"),
                new Part("three", null, List.of("0:5:BOLD"), List.of()),
                Part.markup("caption", "caption")
                    .with(
                        List.of(
                            new Attachment(
                                "https://example.org/x",
                                MediaKind.IMAGE,
                                "x",
                                null,
                                -1,
                                false,
                                true),
                            new Attachment(
                                "https://example.org/z",
                                MediaKind.VIDEO,
                                null,
                                "video/mp4",
                                5_000_000_000L,
                                true,
                                false))),
                Part.bare()));

    StoredMessage stored = stored(draft.plan(plan));

    assertThat(find(stored.id()).plan()).isEqualTo(plan);
  }

  @Test
  void plans_that_nearly_are_the_message_itself_come_back_as_they_are() {
    MessageDraft marked = to("ann").text("hi");
    marked.plan(Part.markup("hi", "hi"));
    MessageDraft other = to("ann").text("hi");
    other.plan(Part.plain("hi!"));
    MessageDraft replay =
        to("ann").text("hi").plan(new Plan(MessageDraft.nextId(), List.of(Part.plain("hi"))));
    MessageDraft dataOnly =
        MessageDraft.of(Message.to("bot", "ann").channelData(Map.of("a", 1)).build());

    for (MessageDraft draft : List.of(marked, other, replay, dataOnly)) {
      assertThat(stored(draft).plan()).isEqualTo(draft.build().plan());
      assertThat(find(draft.id()).plan()).isEqualTo(draft.build().plan());
    }
  }

  @Test
  void progress_comes_back_with_receipts_and_fixes() {
    Progress progress =
        new Progress(
            List.of(
                PartState.PENDING.delivered(new Receipt("id 😀", false)),
                PartState.PENDING
                    .with(new Fix.PlainText())
                    .with(new Fix.DropReply())
                    .with(new Fix.NewChat("-100 neu"))
                    .with(new Fix.UploadInstead())
                    .with(new Fix.AsDocument())
                    .with(new Fix.Alone())
                    .with(new Fix.LinkInstead())
                    .delivered(new Receipt("", true)),
                PartState.PENDING.with(new Fix.DropReply()).failed(),
                PartState.PENDING.with(new Fix.PlainText()),
                PartState.PENDING));
    Part part = Part.plain("x");

    StoredMessage stored = stored(to("ann").plan(part, part, part, part, part).progress(progress));
    assertThat(find(stored.id()).progress()).isEqualTo(progress);

    StoredMessage sending = reserve(stored, at(1));
    assertThat(sending.progress()).isEqualTo(progress);
    settle(SettlementDraft.of(sending, lease).at(at(2)).again(at(2)).progress(Progress.none(5)));
    assertThat(find(stored.id()).progress()).isEqualTo(Progress.none(5));
  }

  @Test
  void history_comes_back_in_full() {
    HistoryEntry entry =
        new HistoryEntry(
            Instant.parse("2026-03-01T12:00:00.000001Z"), 3, 2, "unknown", "😀 \"x\"", at(9));
    HistoryEntry bare = new HistoryEntry(at(1), 0, 0, "", null, null);
    StoredMessage sending = sending(to("ann"));
    done(store.progress(sending, lease, sending.progress(), entry));
    done(store.progress(sending, lease, sending.progress(), bare));

    assertThat(history(sending)).containsExactly(entry, bare);
  }

  @Test
  void long_texts_names_and_numbers_come_back() {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("n".repeat(60_000), 1);
    data.put("number", new BigInteger("7".repeat(2_000)));
    Message message =
        Message.to("b".repeat(512), "c".repeat(512))
            .text("ä😀".repeat(100_000))
            .channelData(data)
            .build();

    StoredMessage stored = stored(MessageDraft.of(message));

    assertThat(find(stored.id()).message()).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void any_message_comes_back(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < 40; i++) {
      Message message = RandomValues.message(random);
      MessageDraft draft =
          MessageDraft.of(message).with(each -> each.idempotencyKey(null)).at(at(0));
      List<Part> parts = RandomValues.listOf(random, 1, 4, RandomValues::part);
      List<PartState> states = new ArrayList<>();
      parts.forEach(_ -> states.add(RandomValues.partState(random)));
      draft.plan(new Plan(draft.id(), parts)).progress(new Progress(states));

      StoredMessage stored = stored(draft);

      assertThat(find(stored.id())).as("seed %d, message %d", seed, i).isEqualTo(stored);
      assertThat(stored.message()).isEqualTo(draft.build().message());
      assertThat(stored.plan().parts()).isEqualTo(parts);
      assertThat(stored.progress().parts()).isEqualTo(states);
      done(store.cancel(stored.id(), at(1)));
      assertThat(status(stored)).isEqualTo(Status.CANCELLED);
    }
  }
}
