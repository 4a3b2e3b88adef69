package dev.postrider.bench.peers;

import dev.postrider.testkit.internal.debian.DebianPackages;
import dev.postrider.testkit.internal.net.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Debian's Redis, which syncs its log at every write before it answers. */
final class RedisServer implements AutoCloseable {
  private final int port = FreePort.find();
  private final Process process;

  RedisServer(Path folder) throws IOException {
    Path root = DebianPackages.unpackWithDependencies("redis", "redis-server");
    Path own = root.resolve("usr/bin/redis-server");
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Files.isExecutable(own) ? own.toString() : "redis-server",
                "--bind 127.0.0.1",
                "--port " + port,
                "--save ''",
                "--appendonly yes",
                "--appendfsync always",
                "--dir " + Files.createDirectories(folder)));
    builder
        .environment()
        .put("LD_LIBRARY_PATH", root.resolve("usr/lib/x86_64-linux-gnu").toString());
    process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("redis.out").toFile())
            .start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!answers("PING\r\n", "+PONG")) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroy();
        throw new IOException(
            "Redis did not start: " + Files.readString(folder.resolve("redis.out")));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** Its address, and nothing in it. */
  String empty() {
    if (!answers("FLUSHALL\r\n", "+OK")) {
      throw new IllegalStateException("Redis does not answer");
    }
    return "redis://127.0.0.1:" + port;
  }

  private boolean answers(String command, String expected) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      OutputStream out = socket.getOutputStream();
      out.write(command.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readNBytes(expected.length()), StandardCharsets.US_ASCII)
          .equals(expected);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
