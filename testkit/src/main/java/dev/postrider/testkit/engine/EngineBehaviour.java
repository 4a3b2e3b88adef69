package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.QueueSettings;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.view.AccountView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of the suites that look at the engine from outside, on any store. */
public abstract class EngineBehaviour implements StoreUnderTest {
  protected static final Outcome REFUSED = new Outcome.NotSent("connection refused");
  protected static final Outcome UNREACHABLE = new Outcome.Unreachable("connection refused");
  protected static final Outcome NO_ANSWER = new Outcome.Unknown("connection reset");

  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  protected Path folder;

  @SuppressWarnings("NullAway.Init") // made before each test
  protected World world;

  private long expectedRescues;

  @BeforeEach
  void makeWorld() {
    world = new World(time -> openStore(folder, time));
  }

  /** A lane that only the safety sweep has found is a defect. */
  @AfterEach
  void endWorld() {
    long rescued = world.rescued();
    world.close();
    assertThat(rescued).as("lanes that were forgotten").isEqualTo(expectedRescues);
  }

  /** This test makes the engine forget so many. */
  protected void expectRescued(long lanes) {
    expectedRescues = lanes;
  }

  // ---- setting up

  /** Changes how the account {@code bot} delivers; takes effect at the next start. */
  protected void delivery(Consumer<DeliverySettings.Draft> change) {
    world.account(account -> account.withDelivery(account.delivery().with(change)));
  }

  /** Delays without jitter and without the fast first retry: every due time can be foretold. */
  protected void steadyBackoff() {
    delivery(
        settings -> {
          settings.jitter = 0;
          settings.fastFirstRetry = Duration.ZERO;
        });
  }

  protected void queue(Consumer<QueueSettings.Draft> change) {
    world.configure(config -> config.queue(config.queue().with(change)));
  }

  protected static Message.Builder to(String chat, String text) {
    return Message.to("bot", chat).text(text);
  }

  protected static Outcome throttled(ThrottleScope scope, Duration delay) {
    return new Outcome.Throttled(scope, delay, "too many requests");
  }

  protected static Outcome rejected() {
    return new Outcome.Rejected(Outcome.Blame.TARGET, "chat not found");
  }

  // ---- acting and looking

  protected void restart() {
    world.stop();
    world.start();
  }

  protected void crashAndStart() {
    world.crash();
    world.start();
  }

  protected int attempts(Delivery delivery) {
    return world.message(delivery.id()).attempts();
  }

  protected AccountView account(String id) {
    return world.postrider().accounts().stream()
        .filter(account -> account.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no account " + id));
  }

  /** What the engine answers to something it does not do. */
  protected static Refused refusal(ThrowingCallable request) {
    return catchThrowableOfType(Refused.class, request);
  }

  protected static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  protected static Duration millis(long count) {
    return Duration.ofMillis(count);
  }

  protected static Duration minutes(long count) {
    return Duration.ofMinutes(count);
  }

  protected static Duration hours(long count) {
    return Duration.ofHours(count);
  }
}
