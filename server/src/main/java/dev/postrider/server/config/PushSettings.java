package dev.postrider.server.config;

import java.net.URI;
import java.time.Duration;

/**
 * Where the inbound messages of an account are pushed.
 *
 * @param secret signs what is pushed; never printed
 * @param timeout how long one push may take, to the last byte of the answer
 */
public record PushSettings(URI to, String secret, Duration timeout) {
  @Override
  public String toString() {
    return "push to " + to.getHost();
  }
}
