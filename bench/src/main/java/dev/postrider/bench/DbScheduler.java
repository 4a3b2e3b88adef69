package dev.postrider.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * db-scheduler with one-time tasks that do nothing, polling with lock-and-fetch. Its table and
 * indexes are those of its own documentation.
 */
final class DbScheduler {
  private static final int THREADS = 50;
  private static final int CALLERS = 8;
  private static final int UNDER_WAY = 1_000;

  private DbScheduler() {}

  /**
   * Executions per second, from the first insert to the last execution.
   *
   * @param perInsert how many tasks are handed in at once
   */
  static double run(String url, int tasks, int perInsert)
      throws SQLException, InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(THREADS + CALLERS + 2);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      createTable(pool);
      return run(pool, tasks, perInsert);
    }
  }

  private static double run(HikariDataSource pool, int tasks, int perInsert)
      throws InterruptedException {
    CountDownLatch executed = new CountDownLatch(tasks);
    Semaphore underWay = new Semaphore(UNDER_WAY);
    OneTimeTask<String> task =
        Tasks.oneTime("send", String.class)
            .execute(
                (_, _) -> {
                  executed.countDown();
                  underWay.release();
                });
    Scheduler scheduler =
        Scheduler.create(pool, task)
            .threads(THREADS)
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(Duration.ofMillis(10))
            .build();
    scheduler.start();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    for (int i = 0; i < CALLERS; i++) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                for (int n = next.getAndAdd(perInsert); n < tasks; n = next.getAndAdd(perInsert)) {
                  underWay.acquireUninterruptibly(perInsert);
                  handIn(scheduler, task, n, perInsert);
                }
              });
    }
    executed.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    scheduler.stop();
    return tasks / seconds;
  }

  private static void handIn(Scheduler scheduler, OneTimeTask<String> task, int from, int count) {
    if (count == 1) {
      scheduler.schedule(task.instance("order-" + from, EndToEnd.TEXT), Instant.now());
    } else {
      List<TaskInstance<?>> batch = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        batch.add(task.instance("order-" + (from + i), EndToEnd.TEXT));
      }
      scheduler.scheduleBatch(batch, Instant.now());
    }
  }

  private static void createTable(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE scheduled_tasks (task_name text NOT NULL, task_instance text NOT"
              + " NULL, task_data bytea,"
              + " execution_time timestamptz NOT NULL, picked boolean NOT NULL, picked_by text,"
              + " last_success timestamptz, last_failure timestamptz, consecutive_failures int,"
              + " last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,"
              + " PRIMARY KEY (task_name, task_instance))");
      statement.execute("CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)");
      statement.execute("CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    }
  }
}
