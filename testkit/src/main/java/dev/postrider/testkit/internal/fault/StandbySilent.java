package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.HEALTH;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;
import static dev.postrider.testkit.internal.fault.Sign.Place.READY;

import dev.postrider.testkit.internal.crash.Trial;
import java.time.Instant;
import java.util.List;

/** A synchronous standby stops to replay what it gets, and then gets nothing any more. */
class StandbySilent extends PostgresFault {
  private static final int MEANWHILE = 100; // messages

  private Instant began = Instant.EPOCH;

  @Override
  PostgresPair startPair() {
    return new PostgresPair().synchronous();
  }

  @Override
  public String name() {
    return "PostgreSQL's synchronous standby lags: it replays nothing, then it gets nothing";
  }

  @Override
  public String holds() {
    return "As long as it only replays nothing, nobody notices. A commit that it does not get"
        + " is not answered, and counts only once it has it: accepts wait, and then are refused"
        + " with 503, to be handed in again.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(LOG, "The database did not answer a commit; asking it whether it happened"),
        new Sign(HEALTH, "it is not known yet whether the last writes were stored"),
        new Sign(READY, "The store takes no writes."));
  }

  @Override
  public String ends() {
    return "the standby is reached again";
  }

  @Override
  public void strike(Trial trial) throws InterruptedException {
    pair().primary().execute("ALTER SYSTEM SET synchronous_commit = remote_apply");
    pair().primary().execute("SELECT pg_reload_conf()");
    pair().standby().execute("SELECT pg_wal_replay_pause()");
    trial.awaitMore(MEANWHILE);
    began = Instant.now();
    pair().replication().clog();
  }

  @Override
  public void mend(Trial trial) {
    pair().replication().heal();
    pair().standby().execute("SELECT pg_wal_replay_resume()");
    doubtful(trial);
  }

  /** Nobody heard what became of what was being sent. */
  final void doubtful(Trial trial) {
    trial.doubtful(began);
  }
}
