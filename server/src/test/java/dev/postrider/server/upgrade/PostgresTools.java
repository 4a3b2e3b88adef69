package dev.postrider.server.upgrade;

import dev.postrider.testkit.internal.debian.DebianPackages;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** PostgreSQL's own tools: those of the machine if it has them, else those of Debian. */
public final class PostgresTools {
  private static final String TOOLS = "usr/lib/postgresql/15/bin/";

  private PostgresTools() {}

  /** A database as statements that make it again, for any client to run. */
  static String dump(PostgresServer server, String database) throws IOException {
    String script =
        run(
            server,
            "pg_dump",
            "--inserts",
            "--no-owner",
            "--no-privileges",
            "--schema=public",
            database);
    return script
        .replaceAll("(?m)^(--.*|\\\\.*|SET .*|CREATE SCHEMA .*|COMMENT ON SCHEMA .*)\n", "")
        .replaceAll("\n{2,}", "\n");
  }

  /** Runs a tool, and gives what it prints. */
  public static String run(PostgresServer server, String tool, String... arguments)
      throws IOException {
    Path root = Path.of("/");
    if (!Files.exists(root.resolve(TOOLS + tool))) {
      root = DebianPackages.unpackWithDependencies("postgresql-client", "postgresql-client-15");
    }
    List<String> command = new ArrayList<>(List.of(root.resolve(TOOLS + tool).toString()));
    command.addAll(List.of("--host=127.0.0.1", "--port=" + server.port(), "--username=postgres"));
    command.addAll(List.of(arguments));
    ProcessBuilder process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    process
        .environment()
        .put("LD_LIBRARY_PATH", root.resolve("usr/lib/x86_64-linux-gnu").toString());
    Process running = process.start();
    String out = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (running.waitFor() != 0) {
        throw new IOException(tool + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return out;
  }
}
