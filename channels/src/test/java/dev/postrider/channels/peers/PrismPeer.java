package dev.postrider.channels.peers;

import dev.postrider.testkit.internal.peers.NpmPeer;
import java.nio.file.Path;

/**
 * A platform made by Prism from the vendor's own contract: it answers a request that the contract
 * allows with one of the contract's examples, and refuses any other with 4xx and the reason in the
 * header {@code sl-violations}. {@code Prefer: code=429} asks for another answer of the contract.
 */
public final class PrismPeer {
  private PrismPeer() {}

  /**
   * Starts it.
   *
   * @param contract below {@code src/test/resources/specs}
   */
  public static NpmPeer start(String contract) throws Exception {
    Path specs = Path.of("src/test/resources/specs").toAbsolutePath();
    return NpmPeer.start(
        "prism",
        "node_modules/@stoplight/prism-cli/dist/index.js",
        "Prism is listening",
        "mock",
        specs.resolve(contract).toString(),
        "-h",
        "127.0.0.1",
        "-p",
        "{port}");
  }
}
