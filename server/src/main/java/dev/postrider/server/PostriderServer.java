package dev.postrider.server;

import dev.postrider.Postrider;
import dev.postrider.config.ClusterSettings;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.server.config.ServerConfig;
import dev.postrider.server.http.EventRing;
import dev.postrider.server.http.HttpServer;
import dev.postrider.server.http.Life;
import dev.postrider.server.http.Metrics;
import dev.postrider.server.push.Pushers;
import java.time.Instant;

/**
 * An engine with its reminders and its HTTP server. The server listens first, so that a port in use
 * is found before the store is touched, and says "not ready" until the store is open. It stops
 * last, so that whoever asks during the stop is told so.
 */
public final class PostriderServer implements AutoCloseable {
  private final Life life;
  private final HttpServer http;
  private final Postrider postrider;
  private final Reminders reminders;
  private final Pushers pushers;

  private PostriderServer(
      Life life, HttpServer http, Postrider postrider, Reminders reminders, Pushers pushers) {
    this.life = life;
    this.http = http;
    this.postrider = postrider;
    this.reminders = reminders;
    this.pushers = pushers;
  }

  /**
   * Listens and opens the engine.
   *
   * @throws dev.postrider.server.http.CannotListen if the address cannot be bound
   * @throws dev.postrider.store.StoreUnavailable if the store cannot be opened
   * @throws dev.postrider.store.StoreRefused if the store is in use, or of a newer version
   */
  public static PostriderServer start(ServerConfig config) {
    Life life = new Life();
    Metrics metrics = new Metrics();
    EventRing ring = new EventRing(Instant.now());
    HttpServer http = new HttpServer(config.http(), life, metrics, ring);
    try {
      Postrider postrider = open(config, http.address());
      postrider.events().subscribe(ring);
      postrider.events().subscribe(metrics);
      Reminders reminders = Reminders.open(postrider, config.reminders());
      life.opened(postrider, reminders);
      Pushers pushers = new Pushers(config.pushes(), postrider);
      return new PostriderServer(life, http, postrider, reminders, pushers);
    } catch (RuntimeException e) {
      http.close();
      throw e;
    }
  }

  private static Postrider open(ServerConfig config, String address) {
    ClusterSettings cluster = config.postrider().cluster();
    return Postrider.open(
        cluster.address().isEmpty()
            ? config.postrider().cluster(cluster.at(address))
            : config.postrider());
  }

  public Postrider postrider() {
    return postrider;
  }

  /** Where people find the dashboard. */
  public String address() {
    return http.address();
  }

  /** Stops cleanly: no new attempts, what is in flight is awaited, state is stored. */
  @Override
  public void close() {
    life.stopping();
    try {
      reminders.close();
      postrider.close();
    } finally {
      pushers.close();
      http.close();
    }
  }
}
