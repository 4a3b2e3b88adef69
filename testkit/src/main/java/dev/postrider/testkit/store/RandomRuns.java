package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations on the targets of a run, against a model that is a list in memory. Whoever acts
 * knows the target as it was at some time, often not as it is. After each one the store and the
 * model agree, however it is asked.
 */
abstract class RandomRuns extends ReminderBehaviour {
  private static final List<String> ACCOUNTS = List.of("bot", "other");
  private static final List<TargetStatus> LATER =
      List.of(TargetStatus.SENT, TargetStatus.DELIVERED, TargetStatus.READ, TargetStatus.FAILED);

  private static final List<TargetStatus> ENDS =
      List.of(TargetStatus.SENT, TargetStatus.FAILED, TargetStatus.SKIPPED, TargetStatus.CANCELLED);
  private static final int CEILING = 40;

  RandomRuns(StoreContract contract) {
    super(contract);
  }

  private final List<RunTarget> model = new ArrayList<>();
  private final List<RunTarget> remembered = new ArrayList<>(); // as they were at some time
  private final Map<String, Integer> days = new HashMap<>();
  private RunStatus runs = RunStatus.RUNNING;
  private Instant now = at(0);

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void the_store_agrees_with_the_model_whatever_happens(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    StoredRun run = start(random);
    for (int step = 0; step < 150; step++) {
      now = now.plusSeconds(1);
      if (remembers() && random.nextInt(50) == 0) {
        reopen();
      }
      String what = act(run, random);
      agree(run, "seed " + seed + ", step " + step + ": " + what);
    }
  }

  private StoredRun start(RandomGenerator random) {
    List<ReminderTarget> targets = new ArrayList<>();
    for (int n = 0; n < 12; n++) {
      targets.add(target(ACCOUNTS.get(random.nextInt(2)), "chat-" + n));
    }
    StoredRun run = running(save(draft("bot", null, 0), targets), 1);
    model.addAll(all(run));
    remembered.addAll(model);
    return run;
  }

  // ---- acting, on the store and on the model

  private String act(StoredRun run, RandomGenerator random) {
    RunTarget known =
        random.nextInt(3) == 0
            ? remembered.get(random.nextInt(remembered.size()))
            : model.get(random.nextInt(model.size()));
    return switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> begin(known, random);
      case 4, 5 -> advance(known, random);
      case 6, 7, 8 -> settle(known, random);
      case 9 -> endPending(run, random);
      case 10 -> revive(run, random);
      case 11, 12 -> follow(known, random);
      default -> turn(run, random);
    };
  }

  private RunTarget is(RunTarget known) {
    return model.get(known.n());
  }

  private void becomes(RunTarget changed) {
    model.set(changed.n(), changed);
    remembered.add(changed);
  }

  private String begin(RunTarget known, RandomGenerator random) {
    int sends = 1 + random.nextInt(3);
    Integer ceiling = random.nextInt(4) == 0 ? null : CEILING;
    RunTarget is = is(known);
    String account = is.target().account();
    int sent = days.getOrDefault(account, 0);
    Begun expected = Begun.YES;
    if (runs != RunStatus.RUNNING
        || is.status() != TargetStatus.PENDING
        || is.tries() != known.tries()) {
      expected = Begun.STALE;
    } else if (ceiling != null && sent + sends > ceiling) {
      expected = Begun.FULL;
    }
    assertThat(done(reminders().begin(known, sends, DAY, ceiling, now)))
        .as("begin %s, which is %s", known, is)
        .isEqualTo(expected);
    if (expected == Begun.YES) {
      days.put(account, sent + sends);
      becomes(
          new RunTarget(
              is.run(),
              is.n(),
              is.target(),
              TargetStatus.SENDING,
              is.step(),
              is.tries() + 1,
              is.messages(),
              is.error(),
              now,
              null));
    }
    return "begin " + known.n() + " " + expected;
  }

  private boolean isThatTry(RunTarget known) {
    return is(known).status() == TargetStatus.SENDING && is(known).tries() == known.tries();
  }

  private String advance(RunTarget known, RandomGenerator random) {
    int step = random.nextInt(5);
    List<MessageId> messages = messages(step);
    boolean applies = isThatTry(known);
    assertThat(done(reminders().advance(known, step, messages))).isEqualTo(applies);
    if (applies) {
      RunTarget is = is(known);
      becomes(settled(is, TargetStatus.SENDING, step, messages, is.error()));
    }
    return "advance " + known.n() + " " + applies;
  }

  private RunTarget settled(
      RunTarget is,
      TargetStatus status,
      int step,
      List<MessageId> messages,
      @Nullable String error) {
    return new RunTarget(
        is.run(),
        is.n(),
        is.target(),
        status,
        step,
        is.tries(),
        messages,
        error,
        is.beganAt(),
        status.ended() ? now : null);
  }

  private String settle(RunTarget known, RandomGenerator random) {
    int choice = random.nextInt(ENDS.size() + 2);
    TargetStatus status = choice < ENDS.size() ? ENDS.get(choice) : TargetStatus.PENDING;
    int step = random.nextInt(5);
    List<MessageId> messages = messages(step);
    String error = random.nextBoolean() ? null : "error " + step;
    boolean applies = isThatTry(known);
    assertThat(done(reminders().settle(known, status, step, messages, error, now)))
        .isEqualTo(applies);
    if (applies) {
      becomes(settled(is(known), status, step, messages, error));
    }
    return "settle " + known.n() + " " + applies;
  }

  /** What platforms say later moves a target that nobody is sending to. */
  private String follow(RunTarget known, RandomGenerator random) {
    if (known.status() == TargetStatus.SENDING) {
      return "nothing";
    }
    TargetStatus status =
        known.status() == TargetStatus.PENDING
            ? TargetStatus.PENDING
            : LATER.get(random.nextInt(LATER.size()));
    int step = random.nextInt(5);
    RunTarget is = is(known);
    boolean applies = is.status() == known.status() && is.tries() == known.tries();
    assertThat(done(reminders().follow(known, status, step, "later"))).isEqualTo(applies);
    if (applies) {
      becomes(
          new RunTarget(
              is.run(),
              is.n(),
              is.target(),
              status,
              step,
              is.tries(),
              is.messages(),
              "later",
              is.beganAt(),
              is.endedAt()));
    }
    return "follow " + known.n() + " " + applies;
  }

  private String endPending(StoredRun run, RandomGenerator random) {
    TargetStatus status = ENDS.get(1 + random.nextInt(ENDS.size() - 1));
    int limit = 1 + random.nextInt(2);
    List<RunTarget> pending =
        model.stream().filter(one -> one.status() == TargetStatus.PENDING).limit(limit).toList();
    assertThat(done(reminders().endPending(run.id(), 0, ALL, status, "over", now, limit)))
        .isEqualTo(pending.size());
    pending.forEach(one -> becomes(settled(one, status, one.step(), one.messages(), "over")));
    return "end " + pending.size();
  }

  private String revive(StoredRun run, RandomGenerator random) {
    TargetStatus status = ENDS.get(random.nextInt(ENDS.size()));
    int limit = 1 + random.nextInt(3);
    List<RunTarget> ended =
        model.stream().filter(one -> one.status() == status).limit(limit).toList();
    assertThat(done(reminders().revive(run.id(), Set.of(status), limit))).isEqualTo(ended.size());
    ended.forEach(
        one -> becomes(settled(one, TargetStatus.PENDING, one.step(), one.messages(), null)));
    return "revive " + ended.size();
  }

  /** Mostly the run runs. */
  private String turn(StoredRun run, RandomGenerator random) {
    RunStatus[] all = RunStatus.values();
    runs = runs == RunStatus.RUNNING ? all[random.nextInt(all.length)] : RunStatus.RUNNING;
    become(run, runs);
    return "run becomes " + runs;
  }

  // ---- looking

  private void agree(StoredRun run, String when) {
    assertThat(all(run)).as(when).isEqualTo(model);
    Map<TargetStatus, Integer> counts = new EnumMap<>(TargetStatus.class);
    Map<String, Integer> left = new HashMap<>();
    for (RunTarget one : model) {
      counts.merge(one.status(), 1, Integer::sum);
      if (!one.status().ended()) {
        left.merge(one.target().account(), 1, Integer::sum);
      }
    }
    assertThat(reminders().counts(run.id())).as(when).isEqualTo(counts);
    assertThat(reminders().left(run.id(), 0, ALL)).as(when).isEqualTo(left);
    for (String account : ACCOUNTS) {
      assertThat(reminders().pending(run.id(), account, 0, ALL, 99))
          .as(when)
          .isEqualTo(of(account, TargetStatus.PENDING));
      assertThat(reminders().sending(account))
          .as(when)
          .isEqualTo(of(account, TargetStatus.SENDING));
      assertThat(reminders().sentOn(account, DAY))
          .as(when)
          .isEqualTo(days.getOrDefault(account, 0));
      assertThat(new TreeSet<>(reminders().known(account, chats(model))))
          .as(when)
          .isEqualTo(
              new TreeSet<>(
                  chats(
                      model.stream()
                          .filter(one -> one.status().reached())
                          .filter(one -> one.target().account().equals(account))
                          .toList())));
    }
  }

  private List<RunTarget> of(String account, TargetStatus status) {
    return model.stream()
        .filter(one -> one.status() == status && one.target().account().equals(account))
        .toList();
  }

  private static List<String> chats(List<RunTarget> targets) {
    return targets.stream().map(one -> one.target().to()).toList();
  }
}
