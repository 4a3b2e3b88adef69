package dev.postrider.testkit.store;

import dev.postrider.store.Store;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/**
 * Everything a store promises. A store passes if a subclass that opens it passes:
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *   @Override
 *   protected Store open(Path folder, Scheduler time) {
 *     return new MyStoreProvider()
 *         .open("my:" + folder.resolve("test"), ClusterSettings.of("test"), time);
 *   }
 * }
 * }</pre>
 */
public abstract class StoreContract {

  /** Opens the store on the data of that folder; called again to reopen it after it was closed. */
  protected abstract Store open(Path folder, Scheduler time);

  /** Whether the store still knows after reopening what it knew; if not, nobody asks it. */
  protected boolean remembers() {
    return true;
  }

  @Nested
  class Accepting extends Acceptances {
    Accepting() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingOrder extends LaneOrder {
    KeepingOrder() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Attempting extends Attempts {
    Attempting() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Settling extends Settlements {
    Settling() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Operating extends Operations {
    Operating() {
      super(StoreContract.this);
    }
  }

  @Nested
  class EndingUnsent extends Endings {
    EndingUnsent() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Pruning extends Retentions {
    Pruning() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Leasing extends Leases {
    Leasing() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Failing extends FailedCalls {
    Failing() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Remembering extends Notes {
    Remembering() {
      super(StoreContract.this);
    }
  }

  @Nested
  class RememberingForChannels extends ChannelMemory {
    RememberingForChannels() {
      super(StoreContract.this);
    }
  }

  @Nested
  class TakingInboundIn extends Inbounds {
    TakingInboundIn() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingFilesOfEvents extends KeptInboundFiles {
    KeepingFilesOfEvents() {
      super(StoreContract.this);
    }
  }

  @Nested
  class HearingLateWord extends DeliveryReports {
    HearingLateWord() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ListingByReceiptStatus extends ReceiptStatuses {
    ListingByReceiptStatus() {
      super(StoreContract.this);
    }
  }

  @Nested
  class FailingAfterDelivery extends FailedReceipts {
    FailingAfterDelivery() {
      super(StoreContract.this);
    }
  }

  @Nested
  class HandingEventsOut extends InboundLeasing {
    HandingEventsOut() {
      super(StoreContract.this);
    }
  }

  @Nested
  class LeasingEvents extends InboundLeases {
    LeasingEvents() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Answering extends Answers {
    Answering() {
      super(StoreContract.this);
    }
  }

  @Nested
  class EndingTurns extends Turns {
    EndingTurns() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingSessions extends Sessions {
    KeepingSessions() {
      super(StoreContract.this);
    }
  }

  @Nested
  class JoiningSessions extends JoinedSessions {
    JoiningSessions() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingHistories extends Histories {
    KeepingHistories() {
      super(StoreContract.this);
    }
  }

  @Nested
  class BuryingEvents extends InboundDeadLetters {
    BuryingEvents() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ForgettingEvents extends Forgetting {
    ForgettingEvents() {
      super(StoreContract.this);
    }
  }

  @Nested
  class CountingMinutes extends Minutes {
    CountingMinutes() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingTheAuditTrail extends AuditTrail {
    KeepingTheAuditTrail() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingReminders extends ReminderRows {
    KeepingReminders() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KnowingChats extends KnownChats {
    KnowingChats() {
      super(StoreContract.this);
    }
  }

  @Nested
  class FiringReminders extends Firings {
    FiringReminders() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingRuns extends Runs {
    KeepingRuns() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ReachingTargets extends RunTargets {
    ReachingTargets() {
      super(StoreContract.this);
    }
  }

  @Nested
  class CountingTargets extends RunProgress {
    CountingTargets() {
      super(StoreContract.this);
    }
  }

  @Nested
  class FollowingWordOnRuns extends RunReports {
    FollowingWordOnRuns() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ForgettingRuns extends RunRetention {
    ForgettingRuns() {
      super(StoreContract.this);
    }
  }

  @Nested
  class RunningTogether extends RunCrowds {
    RunningTogether() {
      super(StoreContract.this);
    }
  }

  @Nested
  class RunningAnyhow extends RandomRuns {
    RunningAnyhow() {
      super(StoreContract.this);
    }
  }

  @Nested
  class GivingRemindersBack extends ReminderTrips {
    GivingRemindersBack() {
      super(StoreContract.this);
    }
  }

  @Nested
  class MovingReminders extends ReminderExports {
    MovingReminders() {
      super(StoreContract.this);
    }
  }

  @Nested
  class MovingLanes extends LaneMoves {
    MovingLanes() {
      super(StoreContract.this);
    }
  }

  @Nested
  class PausingLanes extends PausedLanes {
    PausingLanes() {
      super(StoreContract.this);
    }
  }

  @Nested
  class KeepingFiles extends Custody {
    KeepingFiles() {
      super(StoreContract.this);
    }
  }

  @Nested
  class FindingWhatIsDue extends DueReads {
    FindingWhatIsDue() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ListingMessages extends MessageLists {
    ListingMessages() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ListingLanes extends LaneLists {
    ListingLanes() {
      super(StoreContract.this);
    }
  }

  @Nested
  class GivingBack extends RoundTrips {
    GivingBack() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ListingLargeThings extends LargePages {
    ListingLargeThings() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ComingBackFromABackup extends Restorations {
    ComingBackFromABackup() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ServingMany extends Crowds {
    ServingMany() {
      super(StoreContract.this);
    }
  }

  @Nested
  class LivingAnyLife extends RandomLives {
    LivingAnyLife() {
      super(StoreContract.this);
    }
  }

  @Nested
  class HandlingInbound extends RandomInboundStore {
    HandlingInbound() {
      super(StoreContract.this);
    }
  }
}
