package dev.postrider.server.http;

import dev.postrider.server.config.Role;
import org.jspecify.annotations.Nullable;

/**
 * What is done at a path.
 *
 * @param path segments, {@code {name}} for one that varies
 * @param role who may; null: anybody who reaches the server
 */
record Route(String method, String path, @Nullable Role role, Handler handler) {

  /** Answers a request. */
  @FunctionalInterface
  interface Handler {
    Answer answer(Call call);
  }

  static Route get(String path, Handler handler) {
    return new Route("GET", path, Role.READ, handler);
  }

  static Route open(String path, Handler handler) {
    return new Route("GET", path, null, handler);
  }

  static Route send(String path, Handler handler) {
    return new Route("POST", path, Role.SEND, handler);
  }

  static Route act(String path, Handler handler) {
    return new Route("POST", path, Role.ADMIN, handler);
  }

  static Route delete(String path, Handler handler) {
    return new Route("DELETE", path, Role.ADMIN, handler);
  }
}
