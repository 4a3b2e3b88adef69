package dev.postrider.reminder.time;

import dev.postrider.config.StorableTime;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.time.Every.Unit;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is written, field by field as in JSON: {@code at} alone, {@code cron} alone, or
 * {@code every} with the rest.
 *
 * @param at a date and time such as {@code 2026-11-20T09:00}; with {@code every}, a time such as
 *     {@code 09:00}
 * @param cron such as {@code 0 9 * * FRI}
 * @param every such as {@code 2 weeks}
 * @param on such as {@code FRI}
 * @param from such as {@code 2026-11-20}
 */
public record ScheduleDraft(
    @Nullable String at,
    @Nullable String cron,
    @Nullable String every,
    @Nullable List<String> on,
    @Nullable Integer dayOfMonth,
    @Nullable String from,
    @Nullable String until,
    @Nullable Integer times) {
  private static final Pattern COUNTED =
      Pattern.compile("(?:(\\d{1,9})\\s*)?(day|week|month)s?", Pattern.CASE_INSENSITIVE);

  public static ScheduleDraft at(String dateTime) {
    return new ScheduleDraft(dateTime, null, null, null, null, null, null, null);
  }

  public static ScheduleDraft cron(String expression) {
    return new ScheduleDraft(null, expression, null, null, null, null, null, null);
  }

  /** How a schedule is written. */
  public static ScheduleDraft of(Schedule schedule) {
    return switch (schedule) {
      case Once(LocalDateTime moment) -> at(moment.toString());
      case Cron(String expression) -> cron(expression);
      case Every it ->
          new ScheduleDraft(
              it.at().toString(),
              null,
              it.unit().count(it.n()),
              it.on().isEmpty() ? null : Weekdays.write(it.on()),
              it.dayOfMonth(),
              it.from().toString(),
              it.until() == null ? null : it.until().toString(),
              it.times());
    };
  }

  /**
   * Reads the schedule; null if there is none in it, and the reasons are among the problems.
   *
   * @param today where a repetition starts that does not say so
   */
  public @Nullable Schedule read(LocalDate today, Problems problems) {
    try {
      if (every != null && cron == null) {
        return every(every, today);
      }
      alone();
      return cron != null ? new Cron(cron) : once();
    } catch (InvalidInput e) {
      problems.add(e);
      return null;
    }
  }

  /** Nothing may stand beside {@code cron} or a single {@code at}. */
  private void alone() {
    Problems problems = new Problems();
    if (at == null && cron == null) {
      problems.add(
          "schedule",
          "says no time; write one of at, cron and every, or leave it out to fire by hand");
    }
    if (cron != null) {
      refuse("at", at, "is of no use beside cron; keep one of them", problems);
      refuse("every", every, "is of no use beside cron; keep one of them", problems);
    }
    String lost = "belongs to \"every\"; write \"every\": \"1 week\", or leave it out";
    refuse("on", on, lost, problems);
    refuse("dayOfMonth", dayOfMonth, lost, problems);
    refuse("from", from, lost, problems);
    refuse("until", until, lost, problems);
    refuse("times", times, lost, problems);
    problems.refuse();
  }

  private static void refuse(
      String name, @Nullable Object value, String problem, Problems problems) {
    if (value != null) {
      problems.add("schedule." + name, problem);
    }
  }

  private Once once() {
    Problems problems = new Problems();
    LocalDateTime moment =
        read(
            "at",
            at,
            ScheduleDraft::moment,
            LocalDateTime.MIN,
            "a local date and time without a zone, such as 2026-11-20T09:00, before the year 10000",
            problems);
    problems.refuse();
    return new Once(moment);
  }

  private Every every(String counted, LocalDate today) {
    Problems problems = new Problems();
    Matcher matcher = COUNTED.matcher(counted.strip());
    if (!matcher.matches()) {
      problems.add(
          "schedule.every", "'" + counted + "' cannot be read; write one like \"2 weeks\"");
    }
    LocalTime time =
        read("at", at, LocalTime::parse, LocalTime.MIN, "a time of day such as 09:00", problems);
    LocalDate first = from == null ? today : date("from", from, today, problems);
    LocalDate last = until == null ? null : date("until", until, today, problems);
    Set<DayOfWeek> days = on == null ? Set.of() : Weekdays.read("schedule.on", on, problems);
    problems.refuse();
    int n = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
    Unit unit = Unit.valueOf(matcher.group(2).toUpperCase(Locale.ROOT) + "S");
    return new Every(n, unit, time, days, dayOfMonth, first, last, times);
  }

  private static LocalDate date(
      String name, @Nullable String written, LocalDate otherwise, Problems problems) {
    return read(
        name,
        written,
        text -> StorableTime.checked(LocalDate.parse(text)),
        otherwise,
        "a date such as 2026-11-20, before the year 10000",
        problems);
  }

  private static LocalDateTime moment(String written) {
    LocalDateTime moment = LocalDateTime.parse(written);
    StorableTime.checked(moment.toLocalDate());
    return moment;
  }

  private static <T> T read(
      String name,
      @Nullable String written,
      Function<String, T> parser,
      T otherwise,
      String example,
      Problems problems) {
    if (written == null) {
      problems.add("schedule." + name, "is missing; write " + example);
      return otherwise;
    }
    try {
      return parser.apply(written.strip());
    } catch (DateTimeException | IllegalArgumentException e) {
      problems.add("schedule." + name, "'" + written + "' is not " + example);
      return otherwise;
    }
  }
}
