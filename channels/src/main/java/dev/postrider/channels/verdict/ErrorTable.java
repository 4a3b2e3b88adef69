package dev.postrider.channels.verdict;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A platform's error codes and what each means, as its documentation lists them. Where a platform
 * has texts instead of codes, the first row with one that occurs in the text decides. Immutable.
 */
public final class ErrorTable {

  /** One outcome and the codes, or lower-case texts, that mean it. */
  public record Row(List<String> codes, Function<String, Outcome> outcome) {}

  private final List<Row> rows;
  private final Map<String, Function<String, Outcome>> byCode = new HashMap<>();

  private ErrorTable(List<Row> rows) {
    this.rows = rows;
    for (Row row : rows) {
      for (String code : row.codes()) {
        if (byCode.put(code, row.outcome()) != null) {
          throw new IllegalArgumentException(code + " stands in two rows");
        }
      }
    }
  }

  public static ErrorTable of(Row... rows) {
    return new ErrorTable(List.of(rows));
  }

  /** Any outcome, made from the cause. */
  public static Row row(Function<String, Outcome> outcome, Object... codes) {
    return new Row(Arrays.stream(codes).map(String::valueOf).toList(), outcome);
  }

  /** The chat cannot be reached, or the message not be sent anywhere. */
  public static Row rejected(Blame blame, Object... codes) {
    return row(cause -> new Outcome.Rejected(blame, cause), codes);
  }

  public static Row broken(Object... codes) {
    return row(Outcome.AccountBroken::new, codes);
  }

  public static Row throttled(ThrottleScope scope, Duration delay, Object... codes) {
    return row(cause -> new Outcome.Throttled(scope, delay, cause), codes);
  }

  public static Row notSent(Object... codes) {
    return row(Outcome.NotSent::new, codes);
  }

  public static Row unknown(Object... codes) {
    return row(Outcome.Unknown::new, codes);
  }

  public static Row repairable(Fix fix, Object... codes) {
    return row(cause -> new Outcome.Repairable(fix, cause), codes);
  }

  /** What a code means; null if the table does not have it. */
  public @Nullable Outcome byCode(Object code, String cause) {
    Function<String, Outcome> outcome = byCode.get(String.valueOf(code));
    return outcome == null ? null : outcome.apply(cause);
  }

  /** What a text means; null if nothing in the table occurs in it. */
  public @Nullable Outcome byText(String text, String cause) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (Row row : rows) {
      if (row.codes().stream().anyMatch(lower::contains)) {
        return row.outcome().apply(cause);
      }
    }
    return null;
  }
}
