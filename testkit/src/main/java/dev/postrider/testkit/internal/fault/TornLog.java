package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The power fails in the middle of a write: half a page is at the end of SQLite's log. */
final class TornLog implements Fault {
  private static final int HALF_A_PAGE = 2_000;

  private Instant began = Instant.EPOCH;

  @Override
  public String name() {
    return "The power fails in the middle of a write (a torn last page)";
  }

  @Override
  public String holds() {
    return "What was acknowledged is there; what was not yet, is not.";
  }

  @Override
  public List<Sign> signs() {
    return List.of();
  }

  @Override
  public String ends() {
    return "the server is started again";
  }

  @Override
  public void strike(Trial trial) throws IOException {
    began = Instant.now();
    trial.kill();
    Path log = Path.of(trial.file() + "-wal");
    byte[] frames = Files.readAllBytes(log);
    byte[] torn = Arrays.copyOfRange(frames, 32, 32 + HALF_A_PAGE); // after the log's own head
    Files.write(log, torn, StandardOpenOption.APPEND);
  }

  @Override
  public void mend(Trial trial) {
    trial.start();
    trial.doubtful(began);
  }
}
