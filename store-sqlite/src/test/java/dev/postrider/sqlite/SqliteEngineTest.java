package dev.postrider.sqlite;

import dev.postrider.store.Store;
import dev.postrider.testkit.engine.Accounts;
import dev.postrider.testkit.engine.Aliases;
import dev.postrider.testkit.engine.ClockSteps;
import dev.postrider.testkit.engine.Deliveries;
import dev.postrider.testkit.engine.EveryEvent;
import dev.postrider.testkit.engine.FaultyStores;
import dev.postrider.testkit.engine.Files;
import dev.postrider.testkit.engine.InboundHandling;
import dev.postrider.testkit.engine.KeepingFiles;
import dev.postrider.testkit.engine.Lanes;
import dev.postrider.testkit.engine.LateFailures;
import dev.postrider.testkit.engine.Limits;
import dev.postrider.testkit.engine.Liveness;
import dev.postrider.testkit.engine.LostAnswers;
import dev.postrider.testkit.engine.Moves;
import dev.postrider.testkit.engine.OldMessages;
import dev.postrider.testkit.engine.Operations;
import dev.postrider.testkit.engine.OrderByReceipt;
import dev.postrider.testkit.engine.Outages;
import dev.postrider.testkit.engine.PaceProperty;
import dev.postrider.testkit.engine.Parts;
import dev.postrider.testkit.engine.Receiving;
import dev.postrider.testkit.engine.Recoveries;
import dev.postrider.testkit.engine.Remembering;
import dev.postrider.testkit.engine.Resends;
import dev.postrider.testkit.engine.Retries;
import dev.postrider.testkit.engine.Spellings;
import dev.postrider.testkit.engine.StoreUnderTest;
import dev.postrider.testkit.engine.TakingTurns;
import dev.postrider.testkit.engine.Throttling;
import dev.postrider.testkit.engine.Tracing;
import dev.postrider.testkit.engine.UnknownOutcomes;
import dev.postrider.testkit.engine.Waiting;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** How the engine behaves on SQLite. */
class SqliteEngineTest {
  interface OnSqlite extends StoreUnderTest {
    @Override
    default Store openStore(Path folder, VirtualTime time) {
      return VirtualStores.open(EmptyDatabase.at(folder.resolve("test.db")), time);
    }
  }

  @Nested
  class DeliveriesTest extends Deliveries implements OnSqlite {}

  @Nested
  class LateFailuresTest extends LateFailures implements OnSqlite {}

  @Nested
  class ReceivingTest extends Receiving implements OnSqlite {}

  @Nested
  class KeepingFilesTest extends KeepingFiles implements OnSqlite {}

  @Nested
  class RememberingTest extends Remembering implements OnSqlite {}

  @Nested
  class SpellingsTest extends Spellings implements OnSqlite {}

  @Nested
  class AliasesTest extends Aliases implements OnSqlite {}

  @Nested
  class HandingOutTest extends InboundHandling implements OnSqlite {}

  @Nested
  class TracingTest extends Tracing implements OnSqlite {}

  @Nested
  class TakingTurnsTest extends TakingTurns implements OnSqlite {}

  @Nested
  class TroublesTest extends FaultyStores implements OnSqlite {}

  @Nested
  class LostAnswersTest extends LostAnswers implements OnSqlite {}

  @Nested
  class RetriesTest extends Retries implements OnSqlite {}

  @Nested
  class DoubtsTest extends UnknownOutcomes implements OnSqlite {}

  @Nested
  class ResendsTest extends Resends implements OnSqlite {}

  @Nested
  class MovesTest extends Moves implements OnSqlite {}

  @Nested
  class FilesTest extends Files implements OnSqlite {}

  @Nested
  class PartsTest extends Parts implements OnSqlite {}

  @Nested
  class OrderByReceiptTest extends OrderByReceipt implements OnSqlite {}

  @Nested
  class ThrottlingTest extends Throttling implements OnSqlite {}

  @Nested
  class OutagesTest extends Outages implements OnSqlite {}

  @Nested
  class PacePropertyTest extends PaceProperty implements OnSqlite {}

  @Nested
  class LanesTest extends Lanes implements OnSqlite {}

  @Nested
  class LivenessTest extends Liveness implements OnSqlite {}

  @Nested
  class ClockStepsTest extends ClockSteps implements OnSqlite {}

  @Nested
  class OperationsTest extends Operations implements OnSqlite {}

  @Nested
  class AgeTest extends OldMessages implements OnSqlite {}

  @Nested
  class AccountsTest extends Accounts implements OnSqlite {}

  @Nested
  class WaitingTest extends Waiting implements OnSqlite {}

  @Nested
  class RecoveriesTest extends Recoveries implements OnSqlite {}

  @Nested
  class LimitsTest extends Limits implements OnSqlite {}

  @Nested
  class EveryEventTest extends EveryEvent implements OnSqlite {}
}
