package dev.postrider.reminder.time;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.postrider.config.NearestName;
import dev.postrider.problem.InvalidInput;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cron expression, taken apart and checked: the only class that knows the library for it. */
final class CronFields {

  /** The fields in their order, and what may stand in them. */
  enum Field {
    MINUTE(CronFieldName.MINUTE, 0, 59, "from 0 to 59"),
    HOUR(CronFieldName.HOUR, 0, 23, "from 0 to 23"),
    DAY(CronFieldName.DAY_OF_MONTH, 1, 31, "from 1 to 31"),
    MONTH(CronFieldName.MONTH, 1, 12, "from 1 to 12, or JAN to DEC"),
    WEEKDAY(CronFieldName.DAY_OF_WEEK, 0, 6, "from 0 to 7 (both are Sunday), or MON to SUN");

    private final CronFieldName name;
    private final int lowest;
    private final int highest;
    private final String range;

    Field(CronFieldName name, int lowest, int highest, String range) {
      this.name = name;
      this.lowest = lowest;
      this.highest = highest;
      this.range = range;
    }

    private List<Integer> all() {
      return rising(lowest, highest);
    }
  }

  private static final Map<String, String> MACROS =
      new TreeMap<>(
          Map.of(
              "@hourly", "0 * * * *",
              "@daily", "0 0 * * *",
              "@midnight", "0 0 * * *",
              "@weekly", "0 0 * * 0",
              "@monthly", "0 0 1 * *",
              "@yearly", "0 0 1 1 *",
              "@annually", "0 0 1 1 *"));

  private static final Pattern READABLE = Pattern.compile("[0-9A-Z*,/-]+");
  // steps that start at a value and have no end mean different things to different crons
  private static final Pattern OPEN_STEPS = Pattern.compile("(^|.*,)\\w+/.*");

  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  /** In a leap year, so that the 29th of February comes soon. */
  private static final LocalDateTime ANY_TIME = LocalDateTime.of(2024, 1, 1, 0, 0);

  private final com.cronutils.model.Cron cron;
  private final ExecutionTime times;

  private CronFields(com.cronutils.model.Cron cron) {
    this.cron = cron;
    this.times = ExecutionTime.forCron(cron);
  }

  /**
   * Reads an expression.
   *
   * @throws InvalidInput naming what cannot be read, or that it never comes round
   */
  static CronFields parse(String expression) {
    String[] written = withoutMacro(expression).split("\\s+");
    if (written.length != Field.values().length) {
      throw invalid(
          "'%s' is not five fields; write minute hour day month weekday, such as \"0 9 * * FRI\""
              .formatted(expression));
    }
    for (Field field : Field.values()) {
      written[field.ordinal()] = checked(field, written[field.ordinal()]);
    }
    CronFields fields = new CronFields(PARSER.parse(String.join(" ", written)));
    if (fields.next(ANY_TIME).isEmpty()) {
      throw invalid("'" + expression + "' never comes round: no such month has such a day");
    }
    return fields;
  }

  private static String withoutMacro(String expression) {
    if (!expression.startsWith("@")) {
      return expression;
    }
    String macro = MACROS.get(expression.toLowerCase(Locale.ROOT));
    if (macro == null) {
      throw invalid(
          "'" + expression + "' is not known" + NearestName.hint(expression, MACROS.keySet()));
    }
    return macro;
  }

  private static String checked(Field field, String written) {
    String plain = written.toUpperCase(Locale.ROOT);
    if (plain.equals("*/1")) {
      return "*";
    }
    if (field == Field.WEEKDAY) {
      plain = plain.replace("SUN-", "0-"); // the library takes Sunday for the last day only
    }
    if (!READABLE.matcher(plain).matches()
        || OPEN_STEPS.matcher(plain).matches()
        || !parses(field, plain)) {
      throw invalid(
          "'%s' is no %s; write numbers %s, lists (1,5), rising ranges (1-5) or steps (*/2, 1-5/2)"
              .formatted(written, field.name().toLowerCase(Locale.ROOT), field.range));
    }
    return plain;
  }

  private static boolean parses(Field field, String written) {
    String[] alone = {"*", "*", "*", "*", "*"};
    alone[field.ordinal()] = written;
    try {
      PARSER.parse(String.join(" ", alone)).validate();
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static InvalidInput invalid(String problem) {
    return new InvalidInput("schedule.cron", problem);
  }

  /** The next time after another one, on a clock that never jumps. */
  Optional<LocalDateTime> next(LocalDateTime after) {
    return times.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }

  /** Whether a field is more than a star; one of two such day fields is enough for a match. */
  boolean restricts(Field field) {
    return !(expression(field) instanceof Always);
  }

  /** Whether a field leaves nothing out, however it is written. */
  boolean allowsAll(Field field) {
    return values(field).equals(field.all());
  }

  /** The values that a field allows, rising; Sunday is 0. */
  List<Integer> values(Field field) {
    return values(field, expression(field))
        .map(value -> field == Field.WEEKDAY ? value % 7 : value)
        .sorted()
        .distinct()
        .toList();
  }

  private FieldExpression expression(Field field) {
    return cron.retrieve(field.name).getExpression();
  }

  private static Stream<Integer> values(Field field, FieldExpression expression) {
    return switch (expression) {
      case On on -> Stream.of(on.getTime().getValue());
      case Between between ->
          rising((Integer) between.getFrom().getValue(), (Integer) between.getTo().getValue())
              .stream();
      case Every every -> {
        List<Integer> all = values(field, every.getExpression()).toList();
        int step = every.getPeriod().getValue();
        yield all.stream().filter(value -> (value - Collections.min(all)) % step == 0);
      }
      case And and -> and.getExpressions().stream().flatMap(part -> values(field, part));
      default -> field.all().stream();
    };
  }

  private static List<Integer> rising(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }
}
