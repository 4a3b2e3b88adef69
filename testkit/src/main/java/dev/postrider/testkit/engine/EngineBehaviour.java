package dev.postrider.testkit.engine;

import dev.postrider.store.Store;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of the suites that look at the engine from outside, on any store. */
public abstract class EngineBehaviour {
  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  protected Path folder;

  @SuppressWarnings("NullAway.Init") // made before each test
  protected World world;

  /** Opens the store under test on the given folder. */
  protected abstract Store openStore(Path folder, VirtualTime time);

  @BeforeEach
  void makeWorld() {
    world = new World(time -> openStore(folder, time));
  }

  @AfterEach
  void endWorld() {
    world.close();
  }

  protected static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }
}
