package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.Pace;
import dev.postrider.reminder.Content;
import dev.postrider.sqlite.VirtualSqlite;
import dev.postrider.store.Store;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.testkit.engine.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run ends whatever the store throws while it goes. */
class StoreTroubleTest extends RunsBehaviour {
  private final Set<String> failing = new HashSet<>();
  private Supplier<Throwable> failure = () -> new ArithmeticException("of the store");
  private int failed;

  @BeforeEach
  void throwsAnything() {
    world =
        new World(time -> around(Store.class, VirtualSqlite.open(folder.resolve("test.db"), time)));
  }

  /** The calls that are named fail, the others go on. */
  private <T> T around(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (failing.contains(type.getSimpleName() + "." + method.getName())) {
                failed++;
                throw failure.get();
              }
              try {
                Object result = method.invoke(real, arguments);
                return result instanceof dev.postrider.store.reminder.ReminderStore found
                    ? around(dev.postrider.store.reminder.ReminderStore.class, found)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Store.find",
        "ReminderStore.begin",
        "ReminderStore.advance",
        "ReminderStore.settle",
        "ReminderStore.pending",
        "ReminderStore.active",
        "ReminderStore.sending"
      })
  void a_run_goes_on_when_a_call_that_failed_for_a_while_works_again(String call) {
    pace(Pace.perSecond(1));
    start();
    failing.add(call);
    UUID run =
        fire(
            notice(20)
                .messages(List.of(Content.text("Hello {{name}}"), Content.text("and goodbye"))));
    world.pass(Duration.ofSeconds(20));
    failing.clear();
    world.pass(Duration.ofMinutes(5));

    assertThat(failed).isPositive();
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(40);
    assertThat(new HashSet<>(chats())).hasSize(20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Store.find",
        "ReminderStore.begin",
        "ReminderStore.advance",
        "ReminderStore.settle",
        "ReminderStore.pending",
        "ReminderStore.active",
        "ReminderStore.sending"
      })
  void a_run_goes_on_after_an_error(String call) {
    failure = () -> new StackOverflowError("in the store");
    pace(Pace.perSecond(1));
    start();
    failing.add(call);
    UUID run =
        fire(
            notice(20)
                .messages(List.of(Content.text("Hello {{name}}"), Content.text("and goodbye"))));
    world.pass(Duration.ofSeconds(20));
    failing.clear();
    world.pass(Duration.ofMinutes(5));

    assertThat(failed).isPositive();
    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(chats()).hasSize(40);
    assertThat(new HashSet<>(chats())).hasSize(20);
  }
}
