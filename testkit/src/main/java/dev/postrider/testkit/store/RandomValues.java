package dev.postrider.testkit.store;

import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Attachment;
import dev.postrider.message.DispatchKind;
import dev.postrider.message.Fix;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Priority;
import dev.postrider.message.Receipt;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Draws messages, parts and states at random, the odd ones more often than life would. */
final class RandomValues {
  private RandomValues() {}

  static Message message(RandomGenerator random) {
    return Message.to(name(random), name(random))
        .text("t" + text(random))
        .format(oneOf(random, Format.values()))
        .media(listOf(random, 0, 3, RandomValues::media))
        .threadId(maybe(random, RandomValues::text))
        .replyToId(maybe(random, RandomValues::text))
        .silent(random.nextBoolean())
        .channelData(map(random, 3))
        .idempotencyKey(maybe(random, RandomValues::name))
        .ordering(oneOf(random, Ordering.values()))
        .priority(oneOf(random, Priority.values()))
        .sendAt(maybe(random, RandomValues::instant))
        .expiresIn(maybe(random, draw -> Duration.ofNanos(1 + draw.nextLong(1L << 60))))
        .maxAttempts(maybe(random, draw -> 1 + draw.nextInt(Integer.MAX_VALUE)))
        .bestEffort(random.nextBoolean())
        .onUnknown(maybe(random, draw -> oneOf(draw, OnUnknown.values())))
        .sessionId(maybe(random, RandomValues::text))
        .turnId(maybe(random, RandomValues::text))
        .dispatchKind(maybe(random, draw -> oneOf(draw, DispatchKind.values())))
        .metadata(map(random, 3))
        .build();
  }

  static Part part(RandomGenerator random) {
    return random.nextInt(8) == 0
        ? Part.bundle(listOf(random, 2, 3, RandomValues::piece))
        : piece(random);
  }

  private static Part piece(RandomGenerator random) {
    return new Part(
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::text),
        listOf(random, 0, 2, RandomValues::text),
        listOf(random, 0, 3, RandomValues::attachment));
  }

  static PartState partState(RandomGenerator random) {
    PartState state = PartState.PENDING;
    if (random.nextBoolean()) {
      state = state.with(new Fix.PlainText());
    }
    if (random.nextBoolean()) {
      state = state.with(new Fix.NewChat(text(random)));
    }
    if (random.nextBoolean()) {
      state = state.with(new Fix.UploadInstead());
    }
    if (random.nextBoolean()) {
      state = state.with(new Fix.Alone());
    }
    if (random.nextBoolean()) {
      state = state.with(new Fix.LinkInstead());
    }
    if (random.nextBoolean()) {
      state = state.with(new Fix.DropReply());
    }
    if (random.nextBoolean()) {
      state = state.inDoubt(Instant.ofEpochSecond(random.nextInt(), random.nextInt(999_999_999)));
    }
    return switch (random.nextInt(3)) {
      case 0 -> state.delivered(new Receipt(text(random), random.nextBoolean()));
      case 1 -> state.failed();
      default -> state;
    };
  }

  static InboundMessage arrival(RandomGenerator random, String platformId) {
    return new InboundMessage(
        platformId,
        oneOf(random, InboundMessage.Kind.values()),
        text(random),
        oneOf(random, InboundMessage.ChatKind.values()),
        new InboundMessage.Sender(text(random), maybe(random, RandomValues::text)),
        maybe(random, RandomValues::text),
        listOf(random, 0, 3, RandomValues::file),
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::instant),
        map(random, 4));
  }

  private static InboundMessage.File file(RandomGenerator random) {
    return new InboundMessage.File(
        text(random),
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::text),
        maybe(random, draw -> draw.nextLong(1L << 50)));
  }

  static <T> List<T> listOf(
      RandomGenerator random, int least, int most, Function<RandomGenerator, T> item) {
    int size = random.nextInt(least, most + 1);
    List<T> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      items.add(item.apply(random));
    }
    return items;
  }

  static <T> T oneOf(RandomGenerator random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  static <T> @Nullable T maybe(RandomGenerator random, Function<RandomGenerator, T> value) {
    return random.nextBoolean() ? value.apply(random) : null;
  }

  private static Media media(RandomGenerator random) {
    return new Media(
        "m" + text(random),
        maybe(random, draw -> oneOf(draw, MediaKind.values())),
        maybe(random, RandomValues::text),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private static Attachment attachment(RandomGenerator random) {
    return new Attachment(
        "m" + text(random),
        oneOf(random, MediaKind.values()),
        maybe(random, RandomValues::text),
        maybe(random, RandomValues::text),
        random.nextBoolean() ? -1 : random.nextLong(1L << 50),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private static Instant instant(RandomGenerator random) {
    return MessageDraft.NOON.plusNanos(random.nextLong(1L << 50));
  }

  private static String name(RandomGenerator random) {
    return "n" + text(random);
  }

  /** Any characters but NUL and lone surrogates. */
  static String text(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(20);
    while (text.length() < length) {
      int character =
          switch (random.nextInt(5)) {
            case 0 -> random.nextInt(1, 0x20);
            case 1 -> random.nextInt(0x20, 0x7f);
            case 2 -> random.nextInt(0x80, 0xd800);
            case 3 -> random.nextInt(0xe000, 0x10000);
            default -> random.nextInt(0x10000, 0x110000);
          };
      text.appendCodePoint(character);
    }
    return text.toString();
  }

  private static Map<String, @Nullable Object> map(RandomGenerator random, int depth) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      map.put(text(random), json(random, depth));
    }
    return map;
  }

  private static @Nullable Object json(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 7)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt();
      case 3 -> (1L << 40) + random.nextInt();
      case 4 -> new BigInteger("9".repeat(20 + random.nextInt(20)));
      case 5 -> random.nextGaussian() * Math.pow(10, random.nextInt(-30, 30));
      case 6 -> text(random);
      case 7 -> map(random, depth - 1);
      default -> {
        List<@Nullable Object> list = new ArrayList<>();
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
          list.add(json(random, depth - 1));
        }
        yield list;
      }
    };
  }
}
