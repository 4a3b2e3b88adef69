package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.crash.Trial;
import dev.postrider.testkit.internal.postgres.PostgresServer;

/** A PostgreSQL server and its streaming standby, behind an address that can move. */
final class PostgresPair implements AutoCloseable {
  private final PostgresServer primary = PostgresServer.start();
  private final Cable replication = Cable.to(primary.port());
  private final Cable address = Cable.to(primary.port());
  private final PostgresServer standby = primary.standby(replication.port());

  /** Every commit waits until the standby has it, from now on. */
  PostgresPair synchronous() {
    primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary.execute("SELECT pg_reload_conf()");
    return this;
  }

  /** What a server of a trial is given. */
  Trial.Settings settings() {
    return new Trial.Settings(PostgresServer.url(address.port()), "127.0.0.1", "");
  }

  PostgresServer primary() {
    return primary;
  }

  PostgresServer standby() {
    return standby;
  }

  /** What lies between the two. */
  Cable replication() {
    return replication;
  }

  /** The standby takes over, and the address moves to it. */
  void failOver() {
    standby.promote();
    address.moveTo(standby.port());
  }

  @Override
  public void close() {
    address.close();
    replication.close();
    standby.close();
    primary.close();
  }
}
