package dev.postrider.reminder.run;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.message.Ids;
import dev.postrider.message.Priority;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.ReminderId;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.FiringForecast;
import dev.postrider.reminder.estimate.RunForecast;
import dev.postrider.reminder.internal.run.UploadKeeper;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.StoredReminder;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Reminders on a running {@link Postrider}: fires them, and fans their runs out.
 *
 * <pre>{@code
 * try (Postrider postrider = Postrider.open(config);
 *     Reminders reminders = Reminders.open(postrider, ReminderSettings.DEFAULTS)) {
 *   Reminder reminder =
 *       reminders.create(
 *           Reminder.named("Friday notice")
 *               .account("tg-main")
 *               .zone(ZoneId.of("Asia/Kuala_Lumpur"))
 *               .schedule(new Cron("0 9 * * FRI"))
 *               .targets(List.of(Target.to("-1001").named("Team A")))
 *               .messages(List.of(Content.text("Hello {{name}}"))));
 *   reminders.fire(reminder.id());
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Reminders implements AutoCloseable {
  private static final int PAGE = 1_000;

  private final Postrider postrider;
  private final dev.postrider.store.reminder.ReminderStore store;
  private final Runs runs;
  private final UploadKeeper uploadKeeper;
  private final Ids ids;

  private Reminders(Postrider postrider, ReminderSettings settings, RandomGenerator random) {
    this.postrider = postrider;
    this.store = postrider.store(StoreAccess.OWN).reminders();
    this.ids = new Ids(postrider.time(), random);
    this.runs = new Runs(postrider, settings, random);
    this.uploadKeeper = new UploadKeeper(postrider);
  }

  /** Begins to fire reminders and to lead their runs, for the accounts this process works. */
  public static Reminders open(Postrider postrider, ReminderSettings settings) {
    SplittableRandom seeded = new SplittableRandom(new SecureRandom().nextLong());
    return open(postrider, settings, seeded::nextLong);
  }

  /** The same with randomness injected. */
  public static Reminders open(
      Postrider postrider, ReminderSettings settings, RandomGenerator random) {
    Reminders reminders = new Reminders(postrider, settings, random);
    reminders.runs.start();
    return reminders;
  }

  /** Runs: to look at, and to lead. */
  public Runs runs() {
    return runs;
  }

  // ---- reminders; each throws Refused if it cannot be done, or InvalidInput

  /** Stores a new reminder. */
  public Reminder create(Reminder.Builder draft) {
    Reminder reminder =
        checked(draft.build(new ReminderId(ids.next()), postrider.time().instant()));
    if (!runs.write(store.save(stored(reminder, 1), targets(reminder), null))) {
      throw new Refused(Refused.Cause.CONFLICT, "the reminder's id is taken; try again");
    }
    runs.look();
    return reminder;
  }

  /** Replaces a reminder by another; runs that have begun go on as they were. */
  public Reminder replace(ReminderId id, Reminder.Builder draft) {
    StoredReminder old = stored(id);
    Reminder reminder =
        checked(draft.createdAt(old.createdAt()).build(id, postrider.time().instant()));
    return replace(old, reminder);
  }

  /**
   * Gives a reminder other targets; runs that have begun go on as they were.
   *
   * @param change makes them of those before, and the reminder's accounts
   */
  public Reminder retarget(
      ReminderId id, BiFunction<List<Target>, List<String>, List<Target>> change) {
    StoredReminder old = stored(id);
    Reminder before = read(old);
    Reminder reminder =
        before.toBuilder()
            .targets(change.apply(before.targets(), before.accounts()))
            .build(id, postrider.time().instant());
    checkAccounts(reminder);
    return replace(old, addressed(reminder));
  }

  private Reminder replace(StoredReminder old, Reminder reminder) {
    StoredReminder changed = stored(reminder, old.version() + 1);
    if (!runs.write(store.save(changed, targets(reminder), old.version()))) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "reminder " + reminder.id() + " was changed by somebody else; look again");
    }
    runs.look();
    return reminder;
  }

  public void delete(ReminderId id) {
    if (!runs.write(store.delete(id.value()))) {
      throw notFound(id);
    }
    runs.look();
  }

  /** Follows a reminder's schedule from now on, or does not; nothing else of it changes. */
  public Reminder enable(ReminderId id, boolean enabled) {
    StoredReminder old = stored(id);
    Reminder before = read(old);
    if (before.enabled() == enabled) {
      return before;
    }
    Reminder reminder = before.toBuilder().enabled(enabled).build(id, postrider.time().instant());
    checkSchedule(reminder);
    return replace(old, reminder);
  }

  private Reminder checked(Reminder reminder) {
    checkAccounts(reminder);
    checkSchedule(reminder);
    uploadKeeper.require(FrozenReminder.of(reminder));
    return addressed(reminder);
  }

  private void checkSchedule(Reminder reminder) {
    Instant now = postrider.time().instant();
    if (reminder.enabled() && reminder.schedule() != null && reminder.nextFiring(now).isEmpty()) {
      throw new InvalidInput("schedule", "lies in the past; name a time that is to come");
    }
  }

  /** The same, with every target's address as its channel spells it: so no chat is there twice. */
  private Reminder addressed(Reminder reminder) {
    Problems problems = new Problems();
    List<Target> spelled = new ArrayList<>(reminder.targets().size());
    for (Target target : reminder.targets()) {
      String account = target.account() == null ? reminder.account() : target.account();
      try {
        String to = postrider.canonical(account, target.to());
        spelled.add(target.spelled(to));
      } catch (InvalidInput e) {
        problems.addUnder("targets[" + spelled.size() + "]", e);
        spelled.add(target);
      }
    }
    problems.refuse();
    Reminder addressed =
        spelled.equals(reminder.targets())
            ? reminder
            : reminder.toBuilder().targets(spelled).build(reminder.id(), reminder.updatedAt());
    return addressed.grouped();
  }

  private void checkAccounts(Reminder reminder) {
    for (String account : reminder.accounts()) {
      postrider.paceOf(account); // refuses what is not configured, naming the nearest
    }
  }

  private StoredReminder stored(Reminder reminder, long version) {
    return new StoredReminder(
        reminder.id().value(),
        reminder.name(),
        reminder.account(),
        reminder.nextFiring(postrider.time().instant()).orElse(null),
        ScriptJson.write(FrozenReminder.of(reminder)),
        reminder.targets().size(),
        version,
        reminder.createdAt(),
        reminder.updatedAt());
  }

  /** Each with the account that sends to it: its own wish, or else one after the other. */
  private static List<ReminderTarget> targets(Reminder reminder) {
    List<ReminderTarget> all = new ArrayList<>(reminder.targets().size());
    int next = 0;
    for (Target target : reminder.targets()) {
      String account = target.account();
      if (account == null) {
        account = reminder.accounts().get(next++ % reminder.accounts().size());
      }
      all.add(new ReminderTarget(account, target.to(), target.name(), target.variables()));
    }
    return all;
  }

  // ---- looking

  public Optional<Reminder> find(ReminderId id) {
    return store.reminder(id.value()).map(this::read);
  }

  /** The targets of a reminder in their order, page by page. */
  public Page<Target> targets(ReminderId id, @Nullable String cursor, int limit) {
    FrozenReminder script = ScriptJson.read(stored(id).document());
    int from = place(cursor);
    List<Target> targets = new ArrayList<>();
    for (ReminderTarget target : store.targets(id.value(), from, limit)) {
      targets.add(target(script, target, from + targets.size()));
    }
    int next = from + targets.size();
    return new Page<>(targets, targets.size() < limit ? null : String.valueOf(next));
  }

  private static int place(@Nullable String cursor) {
    try {
      return cursor == null ? 0 : Math.max(0, Integer.parseInt(cursor));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + cursor + "' is not a cursor of this list", e);
    }
  }

  private static Target target(FrozenReminder script, ReminderTarget target, int place) {
    boolean split = script.accounts().size() > 1;
    return new Target(
        target.to(),
        split ? target.account() : null,
        target.variables(),
        target.name(),
        script.ownHours(place));
  }

  /** Lists reminders without reading their targets, the newest first. */
  public Page<StoredReminder> list(@Nullable String account, @Nullable String cursor, int limit) {
    return store.reminders(account, cursor, limit);
  }

  private Reminder read(StoredReminder reminder) {
    FrozenReminder script = ScriptJson.read(reminder.document());
    List<Target> targets = new ArrayList<>();
    List<ReminderTarget> page = store.targets(reminder.id(), 0, PAGE);
    while (!page.isEmpty()) {
      for (ReminderTarget target : page) {
        targets.add(target(script, target, targets.size()));
      }
      page = store.targets(reminder.id(), targets.size(), PAGE);
    }
    return script
        .toReminder()
        .targets(targets)
        .createdAt(reminder.createdAt())
        .build(new ReminderId(reminder.id()), reminder.updatedAt());
  }

  private StoredReminder stored(ReminderId id) {
    return store.reminder(id.value()).orElseThrow(() -> notFound(id));
  }

  private static Refused notFound(ReminderId id) {
    return new Refused(Refused.Cause.NOT_FOUND, "there is no reminder " + id);
  }

  // ---- firing

  /** Fires a reminder now, whatever its schedule says. */
  public RunView fire(ReminderId id) {
    return runs.fire(stored(id));
  }

  /** Sends a reminder's messages to one chat, as a test; it is no run. */
  public List<Delivery> test(ReminderId id, Target target) {
    String document = stored(id).document();
    FrozenReminder script = ScriptJson.read(document);
    if (ScriptJson.isUnreadable(document)) {
      throw new Refused(Refused.Cause.CONFLICT, "reminder " + id + " is " + script.name());
    }
    String account = target.account() == null ? script.accounts().getFirst() : target.account();
    List<Delivery> sent = new ArrayList<>();
    for (Content message : script.messages()) {
      try {
        sent.add(postrider.send(message.fill(account, target).priority(Priority.LIVE).build()));
      } catch (IllegalArgumentException e) {
        throw new InvalidInput("variables", String.valueOf(e.getMessage()));
      }
    }
    return sent;
  }

  /** What a reminder would come to if it fired now; nothing is stored. */
  public RunForecast preview(Reminder.Builder draft) {
    Instant now = postrider.time().instant();
    Reminder reminder = checked(draft.build(new ReminderId(ids.next()), now));
    return runs.ifFiredNow(FrozenReminder.of(reminder), targets(reminder));
  }

  /** What the next firings of a reminder's schedule will come to; none if it is not followed. */
  public List<FiringForecast> firings(Reminder reminder) {
    return runs.firings(FrozenReminder.of(reminder), targets(reminder));
  }

  /** Begins with nothing more. What is under way goes on in the outbox. */
  @Override
  public void close() {
    runs.stop();
  }
}
