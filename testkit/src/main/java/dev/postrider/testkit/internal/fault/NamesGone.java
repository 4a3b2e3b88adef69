package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.ACCOUNT;
import static dev.postrider.testkit.internal.fault.Sign.Place.DOCTOR;
import static dev.postrider.testkit.internal.fault.Sign.Place.HEALTH;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;
import static dev.postrider.testkit.internal.fault.Sign.Place.WAITING;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** No name can be looked up any more, and the connections there were have ended. */
final class NamesGone implements Fault {
  private static final String HOST = "platform.test";

  private final Path names;
  private Instant began = Instant.EPOCH;

  NamesGone() {
    try {
      names = Files.createTempFile("postrider-names", "");
      names.toFile().deleteOnExit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return "DNS is gone";
  }

  @Override
  public String holds() {
    return "Messages are taken all the while, and wait in order.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(HEALTH, "Account tg is unreachable since "),
        new Sign(ACCOUNT, HOST + ": the host has no address"),
        new Sign(WAITING, HOST + ": the host has no address"),
        new Sign(LOG, "Account tg cannot be reached: " + HOST + ": the host has no address"),
        new Sign(DOCTOR, "tg's platform could not be asked"));
  }

  @Override
  public String ends() {
    return "names are found again";
  }

  /** Java reads names from a file, and keeps none in mind. */
  @Override
  public Trial.Settings settings() {
    return new Trial.Settings(
        "", HOST, "-Djdk.net.hosts.file=" + names + " -Dsun.net.inetaddr.ttl=0");
  }

  @Override
  public void prepare(Trial trial) throws IOException {
    Files.writeString(names, "127.0.0.1 " + HOST + "\n127.0.0.1 localhost\n");
  }

  @Override
  public void strike(Trial trial) throws IOException {
    began = Instant.now();
    Files.writeString(names, "127.0.0.1 localhost\n");
    trial.cable().cut();
    trial.cable().heal();
    trial.doubtful(began);
  }

  @Override
  public void mend(Trial trial) throws IOException {
    Files.writeString(names, "127.0.0.1 " + HOST + "\n127.0.0.1 localhost\n");
  }
}
