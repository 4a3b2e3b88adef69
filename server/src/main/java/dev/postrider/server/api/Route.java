package dev.postrider.server.api;

import dev.postrider.config.NearestName;
import dev.postrider.server.config.Role;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is done at a path.
 *
 * @param path segments, {@code {name}} for one that varies
 * @param role who may; null: anybody who reaches the server
 * @param alsoFor who else may, if somebody
 * @param signed whether the request brings a platform's own proof that it may, from wherever it
 *     comes
 * @param logged whether it is something an operator does, and the log tells who did it
 * @param parameters the names its query may have, a dot at the end for any that begin so; null: it
 *     does not look at them
 */
public record Route(
    String method,
    String path,
    @Nullable Role role,
    @Nullable Role alsoFor,
    boolean signed,
    boolean logged,
    @Nullable List<String> parameters,
    Handler handler) {

  private static final List<String> PAGING = List.of("limit", "cursor");

  private Route(
      String method,
      String path,
      @Nullable Role role,
      boolean signed,
      boolean logged,
      Handler handler) {
    this(method, path, role, null, signed, logged, null, handler);
  }

  /** Answers a request. */
  @FunctionalInterface
  public interface Handler {
    ApiResponse answer(ApiRequest call);
  }

  public static Route signed(String method, String path, Handler handler) {
    return new Route(method, path, null, true, false, handler);
  }

  public static Route get(String path, Handler handler, String... parameters) {
    return new Route("GET", path, Role.READ, null, false, false, List.of(parameters), handler);
  }

  /** For those who look, and for those who handle what came in. */
  public static Route consume(String path, Handler handler) {
    return new Route("GET", path, Role.READ, Role.SEND, false, false, List.of(), handler);
  }

  /** A list that comes in pages. */
  public static Route list(String path, Handler handler, String... parameters) {
    return get(
        path,
        handler,
        Stream.concat(Arrays.stream(parameters), PAGING.stream()).toArray(String[]::new));
  }

  /** A list in pages that only administrators may see. */
  static Route adminList(String path, Handler handler) {
    return new Route("GET", path, Role.ADMIN, null, false, false, PAGING, handler);
  }

  static Route open(String path, Handler handler) {
    return new Route("GET", path, null, false, false, handler);
  }

  public static Route send(String path, Handler handler) {
    return new Route("POST", path, Role.SEND, false, false, handler);
  }

  /** Leads what a sender has set going. */
  public static Route lead(String path, Handler handler) {
    return new Route("POST", path, Role.SEND, false, true, handler);
  }

  public static Route put(String path, Handler handler) {
    return new Route("PUT", path, Role.SEND, false, true, handler);
  }

  /** Takes back what its sender has put there. */
  public static Route withdraw(String path, Handler handler) {
    return new Route("DELETE", path, Role.SEND, false, true, handler);
  }

  public static Route act(String path, Handler handler) {
    return new Route("POST", path, Role.ADMIN, false, true, handler);
  }

  public static Route delete(String path, Handler handler) {
    return new Route("DELETE", path, Role.ADMIN, false, true, handler);
  }

  /**
   * Refuses a query that it would not look at: a filter with a slip of the pen would find
   * everything.
   */
  public void check(Iterable<String> names) {
    if (parameters == null) {
      return;
    }
    for (String name : names) {
      if (parameters.stream().noneMatch(known -> fits(known, name))) {
        throw HttpProblem.unknownParameter(
            name,
            parameters.isEmpty()
                ? "is not known; " + path + " takes none"
                : "is not known" + NearestName.hint(name, parameters));
      }
    }
  }

  private static boolean fits(String known, String name) {
    return known.endsWith(".")
        ? name.length() > known.length() && name.startsWith(known)
        : known.equals(name);
  }
}
