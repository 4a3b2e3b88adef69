package dev.postrider.reminder.time;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A moment for people, in the local time of a zone. */
public final class MomentWords {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE d MMM HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter YEAR =
      DateTimeFormatter.ofPattern("EEE d MMM uuuu HH:mm", Locale.ENGLISH);

  private MomentWords() {}

  /** {@code 18:00}; with its day if that is another than that of the moment beside it. */
  public static String of(Instant moment, Instant beside, ZoneId zone) {
    ZonedDateTime local = moment.atZone(zone);
    ZonedDateTime other = beside.atZone(zone);
    DateTimeFormatter form =
        local.getYear() != other.getYear()
            ? YEAR
            : local.toLocalDate().equals(other.toLocalDate()) ? TIME : DAY;
    return form.format(local);
  }
}
