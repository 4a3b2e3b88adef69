package dev.postrider.server;

import dev.postrider.Postrider;
import dev.postrider.config.ClusterSettings;
import dev.postrider.server.config.ServerConfig;
import dev.postrider.server.http.EventRing;
import dev.postrider.server.http.HttpServer;
import dev.postrider.server.http.Life;
import dev.postrider.server.http.Metrics;
import dev.postrider.server.push.Pushers;
import java.time.Instant;

/**
 * An engine with its HTTP server. The server listens first, so that a port in use is found before
 * the store is touched, and says "not ready" until the store is open. It stops last, so that
 * whoever asks during the stop is told so.
 */
public final class PostriderServer implements AutoCloseable {
  private final Life life;
  private final HttpServer http;
  private final Postrider postrider;
  private final Pushers pushers;

  private PostriderServer(Life life, HttpServer http, Postrider postrider, Pushers pushers) {
    this.life = life;
    this.http = http;
    this.postrider = postrider;
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
      ClusterSettings cluster = config.postrider().cluster();
      Postrider postrider =
          Postrider.open(
              cluster.address().isEmpty()
                  ? config.postrider().cluster(cluster.at(http.address()))
                  : config.postrider());
      postrider.events().subscribe(ring);
      postrider.events().subscribe(metrics);
      life.opened(postrider);
      return new PostriderServer(life, http, postrider, new Pushers(config.pushes(), postrider));
    } catch (RuntimeException e) {
      http.close();
      throw e;
    }
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
      postrider.close();
    } finally {
      pushers.close();
      http.close();
    }
  }
}
