package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into reminders and runs comes out of them. */
abstract class ReminderTrips extends ReminderBehaviour {
  private static final String ODD = "😀 \u0001\t\r\n\u2028 \"quoted\" \\ {{name}} \u200d👩‍👩‍👧";

  ReminderTrips(StoreContract contract) {
    super(contract);
  }

  private static StoredReminder called(String name, String document) {
    return new StoredReminder(
        nextId(),
        name,
        "bot",
        Instant.parse("2026-03-01T13:00:00.000001Z"),
        document,
        1,
        Long.MAX_VALUE - 1,
        Instant.parse("2026-03-01T12:00:00.123456Z"),
        Instant.parse("2026-03-01T12:00:00.999999Z"));
  }

  @Test
  void every_field_comes_back_however_odd() {
    StoredReminder draft = called(ODD, "{\"text\": \"" + ODD + "\"}");
    ReminderTarget target = new ReminderTarget("bot", ODD, ODD, Map.of(ODD, ODD, "", ""));
    ReminderTarget empty = new ReminderTarget("bot", "", "", Map.of());

    StoredReminder stored = save(draft, List.of(target, empty));
    StoredRun run = running(stored, 1);

    assertThat(stored.name()).isEqualTo(ODD);
    assertThat(stored.document()).isEqualTo(draft.document());
    assertThat(stored.version()).isEqualTo(draft.version());
    assertThat(stored.nextFire()).isEqualTo(draft.nextFire());
    assertThat(stored.createdAt()).isEqualTo(draft.createdAt());
    assertThat(stored.updatedAt()).isEqualTo(draft.updatedAt());
    assertThat(reminders().targets(stored.id(), 0, 9)).containsExactly(target, empty);
    assertThat(run.name()).isEqualTo(ODD);
    assertThat(run.document()).isEqualTo(draft.document());
    assertThat(all(run)).extracting(RunTarget::target).containsExactly(target, empty);
  }

  @Test
  void what_a_platform_says_stops_nothing() {
    String broken = "NUL \u0000 and half \uD83D of a character";
    StoredRun run = running(1);
    RunTarget begun = begun(run, 0);
    StoredRun paused =
        new StoredRun(
            run.id(),
            run.reminder(),
            run.name(),
            run.instant(),
            run.account(),
            RunStatus.PAUSED,
            broken,
            null,
            run.document(),
            run.total(),
            broken,
            run.createdAt(),
            null,
            null,
            null,
            run.version());

    assertThat(done(reminders().settle(begun, TargetStatus.FAILED, 0, List.of(), broken, at(20))))
        .isTrue();
    assertThat(done(reminders().update(paused))).isTrue();

    assertThat(target(run, 0).error()).startsWith("NUL ").endsWith(" of a character");
    assertThat(run(run.id()).reason()).startsWith("NUL ").endsWith(" of a character");
    assertThat(run(run.id()).summary()).startsWith("NUL ").endsWith(" of a character");
  }

  @Test
  void a_nul_in_what_people_write_comes_back_and_half_a_character_stops_nothing() {
    String nul = "a \u0000 b";
    ReminderTarget odd = new ReminderTarget("bot", "ann", nul, Map.of(nul, nul));
    ReminderTarget broken =
        new ReminderTarget("bot", "ben", "half \uD83D", Map.of("name", "half \uD83D"));

    StoredReminder stored = save(called("name", nul), List.of(odd, broken));

    assertThat(stored.document()).isEqualTo(nul);
    assertThat(reminders().targets(stored.id(), 0, 9))
        .containsExactly(odd, new ReminderTarget("bot", "ben", "half ?", Map.of("name", "half ?")));
    StoredReminder named = save(called("half \uD83D and " + nul, "{}"), List.of());
    assertThat(named.name()).startsWith("half ").endsWith(" b");
  }

  @Test
  void large_variables_documents_and_errors_come_back() {
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      variables.put("name " + i, "ä😀 ".repeat(500));
    }
    variables.put("n".repeat(60_000), "v".repeat(500_000));
    ReminderTarget large = new ReminderTarget("bot", "c".repeat(4_000), "n", variables);
    String document = "ä😀".repeat(200_000);
    StoredReminder stored = save(called("n".repeat(10_000), document), List.of(large));
    StoredRun run = running(stored, 1);
    String error = "e😀".repeat(50_000);

    done(reminders().settle(begun(run, 0), TargetStatus.SENT, 100, messages(100), error, at(20)));

    assertThat(stored.document()).isEqualTo(document);
    assertThat(reminders().targets(stored.id(), 0, 9)).containsExactly(large);
    assertThat(target(run, 0).target()).isEqualTo(large);
    assertThat(target(run, 0).error()).isEqualTo(error);
    assertThat(target(run, 0).messages()).hasSize(100);
    assertThat(reminders().known("bot", List.of("c".repeat(4_000), "c".repeat(3_999))))
        .containsExactly("c".repeat(4_000));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void any_targets_come_back(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<ReminderTarget> targets = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Map<String, String> variables = new HashMap<>();
      for (int v = random.nextInt(4); v > 0; v--) {
        variables.put(RandomValues.text(random), RandomValues.text(random));
      }
      targets.add(
          new ReminderTarget(
              random.nextBoolean() ? "bot" : "other",
              RandomValues.text(random),
              RandomValues.maybe(random, RandomValues::text),
              variables));
    }

    StoredReminder stored = save(draft("bot", null, 0), targets);
    StoredRun run = fire(stored, 1);

    assertThat(reminders().targets(stored.id(), 0, 999)).as("seed %d", seed).isEqualTo(targets);
    assertThat(all(run)).as("seed %d", seed).extracting(RunTarget::target).isEqualTo(targets);
  }
}
