package dev.postrider.channels.tlon;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.channels.http.Sha256;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Urbit's time ({@code @da}): seconds since long ago in the upper bits, and 64 bits for the parts
 * of one. Messages are called by it, as a number with dots ({@code @ud}).
 */
final class UrbitTime {
  private static final BigInteger SECOND = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger EPOCH = new BigInteger("170141184475152167957503069145530368000");
  private static final BigInteger THOUSAND = BigInteger.valueOf(1000);

  private UrbitTime() {}

  static BigInteger of(Instant at) {
    return EPOCH.add(BigInteger.valueOf(at.toEpochMilli()).multiply(SECOND).divide(THOUSAND));
  }

  /** Null if it cannot be meant. */
  static @Nullable Instant instant(@Nullable BigInteger time) {
    if (time == null) {
      return null;
    }
    BigInteger millis =
        time.subtract(EPOCH).multiply(THOUSAND).add(SECOND.shiftRight(1)).divide(SECOND);
    try {
      return PlatformTime.storable(Instant.ofEpochMilli(millis.longValueExact()));
    } catch (ArithmeticException | DateTimeException e) {
      return null;
    }
  }

  /** When a part was sent, as people see it: the same on every try. */
  static Instant sent(Dispatch part) {
    Instant given = part.plan().origin().givenAt();
    Instant planned = part.message().sendAt();
    Instant at = planned != null && planned.isAfter(given) ? planned : given;
    return Instant.ofEpochMilli(at.toEpochMilli() + part.index());
  }

  /** The time by which a part is called: no other part has it, and it is the same on every try. */
  static BigInteger of(Dispatch part) {
    byte[] hash = Sha256.of(part.key().getBytes(StandardCharsets.UTF_8));
    return of(sent(part)).add(new BigInteger(1, Arrays.copyOf(hash, 5)));
  }

  /** With a dot before every three digits. */
  static String dotted(BigInteger number) {
    return number.toString().replaceAll("(\\d)(?=(\\d{3})+$)", "$1.");
  }

  /** A number with dots or without; null if it is none. */
  static @Nullable BigInteger parse(@Nullable String text) {
    String digits = text == null ? "" : text.replace(".", "");
    return digits.matches("\\d{1,60}") ? new BigInteger(digits) : null;
  }

  /** As it stands in paths, to the second. */
  static String date(Instant at) {
    ZonedDateTime utc = at.atZone(ZoneOffset.UTC);
    return "~%d.%d.%d..%02d.%02d.%02d"
        .formatted(
            utc.getYear(),
            utc.getMonthValue(),
            utc.getDayOfMonth(),
            utc.getHour(),
            utc.getMinute(),
            utc.getSecond());
  }
}
