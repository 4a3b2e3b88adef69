package dev.postrider.reminder.time;

import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A window as it is written, field by field as in JSON. What is left out takes its default.
 *
 * @param start such as {@code 06:00}
 * @param end such as {@code 18:00}, or {@code 24:00}
 * @param days such as {@code MON}
 * @param onClose {@code stop} or {@code resume}
 */
public record WindowDraft(
    @Nullable String start,
    @Nullable String end,
    @Nullable List<String> days,
    @Nullable String onClose) {

  /** How a window is written. */
  public static WindowDraft of(Window window) {
    return new WindowDraft(
        window.start().toString(),
        window.end().toString(),
        Weekdays.write(window.days()),
        window.onClose().name().toLowerCase(Locale.ROOT));
  }

  /**
   * Reads one that is written in a cell: {@code 09:00-17:00}, and if wanted weekdays and {@code
   * stop} or {@code resume} after it.
   *
   * @throws IllegalArgumentException with a sentence about what is wrong
   */
  public static WindowDraft parse(String cell) {
    List<String> words = List.of(cell.strip().split("[\\s,]+"));
    String[] hours = words.getFirst().split("-", -1);
    if (hours.length != 2) {
      throw new IllegalArgumentException(
          "'" + cell + "' is no window; write one such as 09:00-17:00, or none");
    }
    List<String> days = new ArrayList<>(words.subList(1, words.size()));
    String last = days.isEmpty() ? "" : days.getLast().toLowerCase(Locale.ROOT);
    String onClose = last.equals("stop") || last.equals("resume") ? last : null;
    if (onClose != null) {
      days.removeLast();
    }
    return new WindowDraft(hours[0], hours[1], days.isEmpty() ? null : days, onClose);
  }

  /** The window as {@link #parse} reads it. */
  public String inCell() {
    StringBuilder cell = new StringBuilder();
    cell.append(start == null ? Window.DEFAULT_START : start).append('-');
    cell.append(end == null ? Window.DEFAULT_END : end);
    if (days != null) {
      days.forEach(day -> cell.append(' ').append(day));
    }
    return cell.append(onClose == null ? "" : " " + onClose).toString();
  }

  /** Reads the window; null if there is none in it, and the reasons are among the problems. */
  public @Nullable Window read(ZoneId zone, Problems problems) {
    Problems own = new Problems();
    TimeOfDay opens = time("window.start", start, Window.DEFAULT_START, own);
    TimeOfDay closes = time("window.end", end, Window.DEFAULT_END, own);
    Set<DayOfWeek> weekdays =
        days == null ? EnumSet.allOf(DayOfWeek.class) : Weekdays.read("window.days", days, own);
    OnClose closing = closing(own);
    try {
      own.refuse();
      return new Window(opens, closes, weekdays, zone, closing);
    } catch (InvalidInput e) {
      problems.add(e);
      return null;
    }
  }

  private static TimeOfDay time(
      String field, @Nullable String written, TimeOfDay otherwise, Problems problems) {
    try {
      return written == null ? otherwise : TimeOfDay.parse(written);
    } catch (IllegalArgumentException e) {
      problems.add(field, String.valueOf(e.getMessage()));
      return otherwise;
    }
  }

  private OnClose closing(Problems problems) {
    if (onClose == null) {
      return OnClose.STOP;
    }
    return switch (onClose.strip().toLowerCase(Locale.ROOT)) {
      case "stop" -> OnClose.STOP;
      case "resume" -> OnClose.RESUME;
      default -> {
        problems.add("window.onClose", "'" + onClose + "' is not known; write stop or resume");
        yield OnClose.STOP;
      }
    };
  }
}
