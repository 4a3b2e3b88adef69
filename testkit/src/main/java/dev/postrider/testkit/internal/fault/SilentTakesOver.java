package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;

/** The primary dies while its synchronous standby gets nothing, and the standby takes over. */
final class SilentTakesOver extends StandbySilent {
  @Override
  public String name() {
    return "PostgreSQL's primary dies while its synchronous standby gets nothing";
  }

  @Override
  public String holds() {
    return "What was answered is on the standby, however long it has got nothing: commits that it"
        + " lacks were refused, to be handed in again.";
  }

  @Override
  public String ends() {
    return "the standby is promoted and the address moved";
  }

  @Override
  public void mend(Trial trial) {
    pair().primary().kill();
    pair().standby().execute("SELECT pg_wal_replay_resume()"); // or it would not be promoted
    pair().failOver();
    doubtful(trial);
  }
}
