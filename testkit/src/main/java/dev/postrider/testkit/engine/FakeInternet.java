package dev.postrider.testkit.engine;

import dev.postrider.config.MediaSettings;
import dev.postrider.media.Fetcher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Addresses that give what a test put there, and a record of who asked. */
public final class FakeInternet implements Fetcher {
  private final Map<String, byte[]> files = new HashMap<>();
  private final Map<String, IOException> failures = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  public void put(String url, byte[] bytes) {
    files.put(url, bytes);
    failures.remove(url);
  }

  public void fail(String url, IOException how) {
    failures.put(url, how);
  }

  /** Every address that was asked for, in order. */
  public List<String> asked() {
    return asked;
  }

  @Override
  public <T> T fetch(String url, MediaSettings settings, Taker<T> taker) throws IOException {
    asked.add(url);
    IOException failure = failures.get(url);
    if (failure != null) {
      throw failure;
    }
    byte[] bytes = files.get(url);
    if (bytes == null) {
      throw new Refused(url + " is not there");
    }
    return taker.take(new ByteArrayInputStream(bytes));
  }
}
