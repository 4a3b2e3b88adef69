package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.WAITING;

import dev.postrider.testkit.internal.crash.Trial;
import dev.postrider.testkit.platform.FakeTelegram.Step;
import dev.postrider.testkit.platform.Reply;
import java.time.Instant;
import java.util.List;

/** The platform answers, and does not stop answering. */
final class BodiesEndless implements Fault {
  private Instant began = Instant.EPOCH;

  @Override
  public String name() {
    return "The platform's answers have no end";
  }

  @Override
  public String holds() {
    return "An answer is read up to a limit: a heap of 64 MB is enough.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(new Sign(WAITING, "200 without a readable answer"));
  }

  @Override
  public String ends() {
    return "the platform answers in earnest";
  }

  @Override
  public Trial.Settings settings() {
    return new Trial.Settings("", "127.0.0.1", "-Xmx64m");
  }

  @Override
  public void strike(Trial trial) {
    began = Instant.now();
    trial.platform().script((_, _) -> new Step.Refuse(new Reply.EndlessBody(200)));
  }

  @Override
  public void mend(Trial trial) {
    trial.platform().script((_, _) -> null);
    trial.doubtful(began);
  }
}
