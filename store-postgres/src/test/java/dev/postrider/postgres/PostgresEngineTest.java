package dev.postrider.postgres;

import dev.postrider.store.Store;
import dev.postrider.testkit.engine.Accounts;
import dev.postrider.testkit.engine.Deliveries;
import dev.postrider.testkit.engine.EveryEvent;
import dev.postrider.testkit.engine.FaultyStores;
import dev.postrider.testkit.engine.Files;
import dev.postrider.testkit.engine.InboundHandling;
import dev.postrider.testkit.engine.KeepingFiles;
import dev.postrider.testkit.engine.LateFailures;
import dev.postrider.testkit.engine.Limits;
import dev.postrider.testkit.engine.LostAnswers;
import dev.postrider.testkit.engine.OldMessages;
import dev.postrider.testkit.engine.Operations;
import dev.postrider.testkit.engine.Parts;
import dev.postrider.testkit.engine.Receiving;
import dev.postrider.testkit.engine.Recoveries;
import dev.postrider.testkit.engine.Remembering;
import dev.postrider.testkit.engine.Resends;
import dev.postrider.testkit.engine.Retries;
import dev.postrider.testkit.engine.StoreUnderTest;
import dev.postrider.testkit.engine.TakingTurns;
import dev.postrider.testkit.engine.Tracing;
import dev.postrider.testkit.engine.UnknownOutcomes;
import dev.postrider.testkit.engine.Waiting;
import dev.postrider.testkit.engine.World;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** How the engine behaves on PostgreSQL. */
class PostgresEngineTest {
  interface OnPostgres extends StoreUnderTest {
    @Override
    default Store openStore(Path folder, VirtualTime time) {
      return VirtualStores.open(Schemas.of(folder), World.ALONE, time);
    }
  }

  @Nested
  class DeliveriesTest extends Deliveries implements OnPostgres {}

  @Nested
  class LateFailuresTest extends LateFailures implements OnPostgres {}

  @Nested
  class ReceivingTest extends Receiving implements OnPostgres {}

  @Nested
  class KeepingFilesTest extends KeepingFiles implements OnPostgres {}

  @Nested
  class RememberingTest extends Remembering implements OnPostgres {}

  @Nested
  class HandingOutTest extends InboundHandling implements OnPostgres {}

  @Nested
  class TracingTest extends Tracing implements OnPostgres {}

  @Nested
  class TakingTurnsTest extends TakingTurns implements OnPostgres {}

  @Nested
  class TroublesTest extends FaultyStores implements OnPostgres {}

  @Nested
  class LostAnswersTest extends LostAnswers implements OnPostgres {}

  @Nested
  class RetriesTest extends Retries implements OnPostgres {}

  @Nested
  class DoubtsTest extends UnknownOutcomes implements OnPostgres {}

  @Nested
  class ResendsTest extends Resends implements OnPostgres {}

  @Nested
  class FilesTest extends Files implements OnPostgres {}

  @Nested
  class PartsTest extends Parts implements OnPostgres {}

  @Nested
  class OperationsTest extends Operations implements OnPostgres {}

  @Nested
  class AgeTest extends OldMessages implements OnPostgres {}

  @Nested
  class AccountsTest extends Accounts implements OnPostgres {}

  @Nested
  class WaitingTest extends Waiting implements OnPostgres {}

  @Nested
  class RecoveriesTest extends Recoveries implements OnPostgres {}

  @Nested
  class LimitsTest extends Limits implements OnPostgres {}

  @Nested
  class EveryEventTest extends EveryEvent implements OnPostgres {}
}
