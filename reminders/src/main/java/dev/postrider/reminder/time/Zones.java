package dev.postrider.reminder.time;

import dev.postrider.config.NearestName;
import dev.postrider.problem.Problems;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Time zones by their names. */
public final class Zones {
  private Zones() {}

  /** Reads a zone such as {@code Asia/Kuala_Lumpur}; null if there is none, which is reported. */
  public static @Nullable ZoneId read(String field, @Nullable String written, Problems problems) {
    if (written == null) {
      problems.add(field, "is missing; name a time zone such as Asia/Kuala_Lumpur");
      return null;
    }
    try {
      return ZoneId.of(written.strip());
    } catch (DateTimeException e) {
      String nearest =
          NearestName.to(written, ZoneId.getAvailableZoneIds())
              .map(zone -> "; did you mean '" + zone + "'?")
              .orElse("; name one such as Asia/Kuala_Lumpur");
      problems.add(field, "'" + written + "' is not a time zone" + nearest);
      return null;
    }
  }
}
