package dev.postrider.reminder.time;

import static java.time.ZoneOffset.UTC;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A year in a zone, read off a wall clock minute by minute: for each minute the latest local time
 * that the clock has shown so far. Knows nothing of gaps and overlaps; that is the point.
 */
final class Tide {
  private static final int BEFORE = 3 * 24 * 60;
  private static final int AFTER = 10 * 24 * 60;

  /** Ordinary zones, odd offsets, half hours, jumps at midnight, a day left out, two hours. */
  static final List<Tide> OF_THE_WORLD =
      Stream.of(
              "Asia/Kuala_Lumpur 2026",
              "America/New_York 2026",
              "Europe/London 2026",
              "Australia/Lord_Howe 2026",
              "Asia/Kathmandu 2026",
              "Africa/Casablanca 2026",
              "Antarctica/Troll 2026",
              "Pacific/Apia 2011",
              "America/Sao_Paulo 2017",
              "America/St_Johns 2010",
              "Asia/Pyongyang 2018",
              "Pacific/Kwajalein 1993")
          .map(Tide::of)
          .toList();

  final ZoneId zone;

  /** The first minute of the year. */
  final Instant start;

  /** The first minute after it, by and large. */
  final Instant end;

  private final long firstMinute;
  private final long[] highest; // local minutes since 1970, by minute

  private Tide(ZoneId zone, int year) {
    this.zone = zone;
    this.start = LocalDate.of(year, 1, 1).atStartOfDay(UTC).toInstant();
    int minutes = Year.of(year).length() * 24 * 60;
    this.end = start.plusSeconds(minutes * 60L);
    this.firstMinute = start.getEpochSecond() / 60 - BEFORE;
    this.highest = new long[BEFORE + minutes + AFTER];
    long high = Long.MIN_VALUE;
    for (int i = 0; i < highest.length; i++) {
      LocalDateTime shown = LocalDateTime.ofInstant(instant(i), zone);
      high = Math.max(high, Math.floorDiv(shown.toEpochSecond(UTC), 60));
      highest[i] = high;
    }
  }

  private static Tide of(String zoneAndYear) {
    String[] words = zoneAndYear.split(" ");
    return new Tide(ZoneId.of(words[0]), Integer.parseInt(words[1]));
  }

  int minutes() {
    return highest.length;
  }

  Instant instant(int index) {
    return Instant.ofEpochSecond((firstMinute + index) * 60);
  }

  /** The latest local time that was shown until a minute. */
  LocalDateTime highest(int index) {
    return local(highest[index]);
  }

  /** The local times that a minute is the first to reach. */
  Stream<LocalDateTime> reachedAt(int index) {
    return java.util.stream.LongStream.rangeClosed(highest[index - 1] + 1, highest[index])
        .mapToObj(Tide::local);
  }

  /** The first minute at which the clock has come to a local time, or minus one. */
  Instant comesTo(LocalDateTime local) {
    long wanted = local.toEpochSecond(UTC) / 60;
    int index = Arrays.binarySearch(highest, wanted);
    index = index < 0 ? -index - 1 : index;
    while (index > 0 && highest[index - 1] >= wanted) {
      index--;
    }
    return instant(index);
  }

  private static LocalDateTime local(long minute) {
    return LocalDateTime.ofEpochSecond(minute * 60, 0, UTC);
  }

  @Override
  public String toString() {
    return zone + " " + start;
  }
}
