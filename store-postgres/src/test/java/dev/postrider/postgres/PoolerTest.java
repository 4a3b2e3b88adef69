package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.config.ClusterSettings;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.testkit.internal.debian.DebianPackages;
import dev.postrider.testkit.internal.net.FreePort;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Behind the pooler that most people use: pgbouncer, from Debian's packages. {@code
 * -Dpostrider.peers=skip} skips this.
 */
class PoolerTest {
  private static final int SECONDS_TO_START = 20;

  @TempDir Path folder;
  private final SystemScheduler time = new SystemScheduler();
  private final PostgresServer server = PostgresServer.shared();
  private @Nullable Process pooler;
  private int port;

  /** In a database of its own: a pooler lets nobody choose a schema. */
  @BeforeEach
  void makeDatabase() {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    server.execute("CREATE DATABASE pooled");
  }

  @AfterEach
  void close() throws InterruptedException {
    if (pooler != null) {
      pooler.destroy();
      pooler.waitFor();
    }
    time.close();
    server.execute("DROP DATABASE IF EXISTS pooled WITH (FORCE)");
  }

  private void start(String mode, String... settings) throws Exception {
    Path root = DebianPackages.unpack("pgbouncer", "pgbouncer", "libevent-2.1-7", "libc-ares2");
    port = FreePort.find();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path users = Files.writeString(folder.resolve("users.txt"), "\"postgres\" \"\"\n");
    Path config =
        Files.writeString(
            folder.resolve("pgbouncer.ini"),
            """
            [databases]
            * = host=127.0.0.1 port=%d
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = trust
            auth_file = %s
            pool_mode = %s
            ignore_startup_parameters = extra_float_digits
            %s
            """
                .formatted(server.port(), port, users, mode, String.join("\n", settings)));
    List<String> command = new ArrayList<>(List.of(root.resolve("usr/sbin/pgbouncer").toString()));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("-u", "nobody")); // it does not run as root
    }
    command.add(config.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("pgbouncer.log").toFile());
    builder
        .environment()
        .putAll(Map.of("LD_LIBRARY_PATH", root.resolve("usr/lib/x86_64-linux-gnu").toString()));
    pooler = builder.start();
    awaitListening(pooler);
  }

  private void awaitListening(Process started) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_START);
    while (true) {
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        if (!started.isAlive() || System.nanoTime() > end) {
          throw new IOException(
              "pgbouncer did not start:\n" + Files.readString(folder.resolve("pgbouncer.log")), e);
        }
        Thread.onSpinWait();
      }
    }
  }

  private Store open(String node) {
    return new PostgresStoreProvider()
        .open(
            "jdbc:postgresql://127.0.0.1:" + port + "/pooled?user=postgres",
            ClusterSettings.of(node),
            time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "default_pool_size = 20",
        "default_pool_size = 1",
        "server_round_robin = 1",
        "min_pool_size = 5"
      })
  void a_pooler_in_transaction_mode_is_refused_with_the_reason(String setting) throws Exception {
    start("transaction", setting);

    assertThatThrownBy(() -> open("n1"))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("pooler in transaction mode", "pool_mode = session");
  }

  @Test
  void a_pooler_in_session_mode_is_fine() throws Exception {
    start("session");
    Store store = open("n1");
    try {
      assertThat(
              time.await(store.cluster().orElseThrow().beat("n1", "", Set.of(), List.of())).nodes())
          .hasSize(1);
    } finally {
      store.close(Duration.ofSeconds(5));
    }
  }
}
