import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.postrider.bench.peers.Item;
import dev.postrider.bench.peers.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** db-scheduler: one-time tasks, lock-and-fetch, the table of its own documentation. */
public final class DbSchedulerQueue implements Queue {
  private static final int THREADS = 50;

  private final DataSource database;
  private final boolean postgres;
  private volatile Worker worker;
  private final OneTimeTask<String> task =
      Tasks.oneTime("send", String.class)
          .onFailure(new FailureHandler.OnFailureRetryLater<>(Duration.ZERO))
          .execute(
              (instance, context) -> {
                worker.handle(Item.parse(instance.getData()));
                worker.ended();
              });
  private final Scheduler client;

  public DbSchedulerQueue(String target) throws Exception {
    postgres = Databases.isPostgres(target);
    database = Databases.open(target, THREADS + 10);
    Databases.execute(
        database,
        "CREATE TABLE IF NOT EXISTS scheduled_tasks (task_name text NOT NULL, task_instance "
            + "text NOT NULL, task_data "
            + (postgres ? "bytea" : "blob")
            + ", execution_time "
            + (postgres ? "timestamptz" : "timestamp")
            + " NOT NULL, picked boolean NOT NULL, picked_by text, last_success "
            + (postgres ? "timestamptz" : "timestamp")
            + ", last_failure "
            + (postgres ? "timestamptz" : "timestamp")
            + ", consecutive_failures int, last_heartbeat "
            + (postgres ? "timestamptz" : "timestamp")
            + ", version bigint NOT NULL, priority smallint, PRIMARY KEY (task_name, "
            + "task_instance))",
        "CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time)",
        "CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    client = scheduler();
  }

  private Scheduler scheduler() {
    SchedulerBuilder builder =
        Scheduler.create(database, task)
            .threads(THREADS)
            .pollingInterval(Duration.ofMillis(10));
    if (postgres) {
      builder.pollUsingLockAndFetch(1.0, 4.0);
    }
    return builder.build();
  }

  @Override
  public void enqueue(Item item) {
    client.schedule(task.instance("order-" + item.n(), item.text()), Instant.now());
  }

  @Override
  public void enqueueAll(List<Item> items) {
    List<TaskInstance<?>> batch = new ArrayList<>();
    items.forEach(item -> batch.add(task.instance("order-" + item.n(), item.text())));
    client.scheduleBatch(batch, Instant.now());
  }

  @Override
  public void work(Worker chosen) {
    worker = chosen;
    client.start();
  }

  @Override
  public void close() {
    client.stop();
  }
}
