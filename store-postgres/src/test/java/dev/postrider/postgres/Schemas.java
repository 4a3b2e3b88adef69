package dev.postrider.postgres;

import dev.postrider.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A schema per test folder, on the shared server; the last few are kept, for reopening. */
final class Schemas {
  private static final Map<Path, String> URLS = new LinkedHashMap<>();

  private Schemas() {}

  static synchronized String of(Path folder) {
    String url = URLS.get(folder);
    if (url == null) {
      url = PostgresServer.shared().newSchema();
      URLS.put(folder, url);
      if (URLS.size() > 4) {
        Path oldest = URLS.keySet().iterator().next();
        PostgresServer.shared().drop(URLS.remove(oldest));
      }
    }
    return url;
  }
}
