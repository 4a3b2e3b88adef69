package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.DOCTOR;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** The process may open no file and no connection more than it has. */
final class FilesFew implements Fault {
  private static final int FEWER_THAN_OPEN = 20;
  private static final int ENOUGH = 4096;

  private Instant began = Instant.EPOCH;

  @Override
  public String name() {
    return "File descriptors run out";
  }

  @Override
  public String holds() {
    return "While none is free nobody can reach it. Once there are some it ends with 1, because its"
        + " listener has ended, for whatever watches over it to start it again.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(DOCTOR, "None runs at "), // its connection is the one too many
        new Sign(LOG, "Too many open files"));
  }

  @Override
  public String ends() {
    return "the limit is raised and the server started again";
  }

  @Override
  public void strike(Trial trial) throws IOException {
    began = Instant.now();
    limit(trial, FEWER_THAN_OPEN);
    trial.cable().cut(); // and every connection must be made anew
    trial.cable().heal();
  }

  @Override
  public void mend(Trial trial) throws IOException {
    limit(trial, ENOUGH);
    int exit = trial.awaitEnd();
    if (exit != 1) {
      throw new AssertionError("it ended with " + exit);
    }
    trial.start();
    trial.doubtful(began);
  }

  private static void limit(Trial trial, int files) throws IOException {
    Fault.run("prlimit", "--pid", "" + trial.pid(), "--nofile=" + files + ":");
  }
}
