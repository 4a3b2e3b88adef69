package dev.postrider.server.http;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.debian.DebianPackages;
import dev.postrider.testkit.internal.net.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Debian's nginx, in front of another server; {@code -Dpostrider.peers=skip} does without. */
final class Nginx implements AutoCloseable {
  private static final int MOST_SECONDS_TO_START = 60;

  private final int port = FreePort.find();
  private final Process process;

  /**
   * Starts it and returns once it listens.
   *
   * @param folder for its files
   * @param limits what stands beside its server, in its own words
   * @param location what stands in its only location
   */
  Nginx(Path folder, String limits, String location) throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    Path nginx = DebianPackages.unpack("nginx", "nginx").resolve("usr/sbin/nginx");
    Path home = Files.createDirectory(folder.resolve("nginx"));
    Path config =
        Files.writeString(
            home.resolve("nginx.conf"),
            """
            daemon off;
            master_process off;
            pid %1$s/pid;
            error_log %1$s/log;
            events {}
            http {
              access_log off;
              client_body_temp_path %1$s/body;
              proxy_temp_path %1$s/proxy;
              fastcgi_temp_path %1$s/fastcgi;
              uwsgi_temp_path %1$s/uwsgi;
              scgi_temp_path %1$s/scgi;
              %3$s
              server {
                listen 127.0.0.1:%2$d;
                location / { %4$s }
              }
            }
            """
                .formatted(home, port, limits, location));
    Path out = home.resolve("out");
    process =
        new ProcessBuilder(nginx.toString(), "-c", config.toString(), "-e", home + "/log")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    awaitListening(out);
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  private void awaitListening(Path out) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS_TO_START);
    while (true) {
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > end) {
          close();
          throw new IOException("nginx did not start:\n" + Files.readString(out), e);
        }
        TimeUnit.MILLISECONDS.sleep(20); // another program's start: there is nothing to wait on
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
