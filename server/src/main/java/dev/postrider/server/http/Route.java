package dev.postrider.server.http;

import dev.postrider.server.config.Role;
import org.jspecify.annotations.Nullable;

/**
 * What is done at a path.
 *
 * @param path segments, {@code {name}} for one that varies
 * @param role who may; null: anybody who reaches the server
 * @param signed whether the request brings a platform's own proof that it may, from wherever it
 *     comes
 * @param logged whether it is something an operator does, and the log tells who did it
 */
record Route(
    String method,
    String path,
    @Nullable Role role,
    boolean signed,
    boolean logged,
    Handler handler) {

  /** Answers a request. */
  @FunctionalInterface
  interface Handler {
    Answer answer(Call call);
  }

  static Route signed(String method, String path, Handler handler) {
    return new Route(method, path, null, true, false, handler);
  }

  static Route get(String path, Handler handler) {
    return new Route("GET", path, Role.READ, false, false, handler);
  }

  static Route open(String path, Handler handler) {
    return new Route("GET", path, null, false, false, handler);
  }

  static Route send(String path, Handler handler) {
    return new Route("POST", path, Role.SEND, false, false, handler);
  }

  /** Leads what a sender has set going. */
  static Route lead(String path, Handler handler) {
    return new Route("POST", path, Role.SEND, false, true, handler);
  }

  static Route put(String path, Handler handler) {
    return new Route("PUT", path, Role.SEND, false, true, handler);
  }

  /** Takes back what its sender has put there. */
  static Route withdraw(String path, Handler handler) {
    return new Route("DELETE", path, Role.SEND, false, true, handler);
  }

  static Route act(String path, Handler handler) {
    return new Route("POST", path, Role.ADMIN, false, true, handler);
  }

  static Route delete(String path, Handler handler) {
    return new Route("DELETE", path, Role.ADMIN, false, true, handler);
  }
}
