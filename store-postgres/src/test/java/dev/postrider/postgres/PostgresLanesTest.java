package dev.postrider.postgres;

import dev.postrider.testkit.engine.Aliases;
import dev.postrider.testkit.engine.ClockSteps;
import dev.postrider.testkit.engine.Lanes;
import dev.postrider.testkit.engine.Liveness;
import dev.postrider.testkit.engine.Moves;
import dev.postrider.testkit.engine.OrderByReceipt;
import dev.postrider.testkit.engine.Outages;
import dev.postrider.testkit.engine.PaceProperty;
import dev.postrider.testkit.engine.Spellings;
import dev.postrider.testkit.engine.Throttling;
import org.junit.jupiter.api.Nested;

/** How lanes and paces behave on PostgreSQL; apart from the rest, for two to run at once. */
class PostgresLanesTest {
  @Nested
  class LanesTest extends Lanes implements PostgresEngineTest.OnPostgres {}

  @Nested
  class PacePropertyTest extends PaceProperty implements PostgresEngineTest.OnPostgres {}

  @Nested
  class LivenessTest extends Liveness implements PostgresEngineTest.OnPostgres {}

  @Nested
  class ClockStepsTest extends ClockSteps implements PostgresEngineTest.OnPostgres {}

  @Nested
  class MovesTest extends Moves implements PostgresEngineTest.OnPostgres {}

  @Nested
  class ThrottlingTest extends Throttling implements PostgresEngineTest.OnPostgres {}

  @Nested
  class OutagesTest extends Outages implements PostgresEngineTest.OnPostgres {}

  @Nested
  class OrderByReceiptTest extends OrderByReceipt implements PostgresEngineTest.OnPostgres {}

  @Nested
  class SpellingsTest extends Spellings implements PostgresEngineTest.OnPostgres {}

  @Nested
  class AliasesTest extends Aliases implements PostgresEngineTest.OnPostgres {}
}
