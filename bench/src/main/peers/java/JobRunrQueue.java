import dev.postrider.bench.peers.Item;
import dev.postrider.bench.peers.Queue;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/** JobRunr: background jobs on its SQL storage, polled as often as it can be. */
public final class JobRunrQueue implements Queue {
  private static volatile Worker worker;

  private final StorageProvider storage;
  private final JobScheduler client;

  public JobRunrQueue(String target) throws Exception {
    DataSource database = Databases.open(target, 32);
    storage = SqlStorageProviderFactory.using(database);
    client = JobRunr.configure().useStorageProvider(storage).initialize().getJobScheduler();
  }

  /** What a job does. */
  public static void handle(String text) {
    worker.handle(Item.parse(text));
    worker.ended();
  }

  @Override
  public void enqueue(Item item) {
    String text = item.text();
    client.enqueue(() -> JobRunrQueue.handle(text));
  }

  @Override
  public void enqueueAll(List<Item> items) {
    client.enqueue(items.stream().map(Item::text), text -> JobRunrQueue.handle(text));
  }

  @Override
  public void work(Worker chosen) {
    worker = chosen;
    JobRunr.configure()
        .useStorageProvider(storage)
        .useBackgroundJobServer(
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andPollInterval(Duration.ofMillis(200))
                .andWorkerCount(50))
        .initialize();
  }

  @Override
  public void close() {
    JobRunr.destroy();
  }
}
