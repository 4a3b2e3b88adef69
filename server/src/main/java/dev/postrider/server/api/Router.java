package dev.postrider.server.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the route of a request. Paths without variables win over paths with them. */
public final class Router {
  private final Map<String, Map<String, Route>> plain = new HashMap<>();
  private final List<Route> varying = new ArrayList<>();
  private final List<Route> all;

  public Router(List<Route> routes) {
    all = List.copyOf(routes);
    for (Route route : routes) {
      if (route.path().contains("{")) {
        varying.add(route);
      } else {
        plain.computeIfAbsent(route.path(), _ -> new HashMap<>()).put(route.method(), route);
      }
    }
  }

  /** A route and the values of its variables. */
  public record Match(Route route, Map<String, String> values) {}

  List<Route> routes() {
    return all;
  }

  /**
   * The route of a request.
   *
   * @throws HttpProblem 404 or 405
   */
  public Match find(String method, String path) {
    String asked = method.equals("HEAD") ? "GET" : method;
    @Nullable Map<String, Route> methods = plain.get(path);
    if (methods != null) {
      @Nullable Route route = methods.get(asked);
      if (route != null) {
        return new Match(route, Map.of());
      }
      throw HttpProblem.wrongMethod(method, path, allowed(methods.keySet()));
    }
    TreeSet<String> others = new TreeSet<>();
    String[] segments = path.split("/", -1);
    for (Route route : varying) {
      @Nullable Map<String, String> values = match(route.path().split("/", -1), segments);
      if (values != null && route.method().equals(asked)) {
        return new Match(route, values);
      }
      if (values != null) {
        others.add(route.method());
      }
    }
    if (!others.isEmpty()) {
      throw HttpProblem.wrongMethod(method, path, allowed(others));
    }
    throw HttpProblem.notFound(
        "There is nothing at " + path + "; /openapi.json lists what there is.");
  }

  private static String allowed(Iterable<String> methods) {
    TreeSet<String> allowed = new TreeSet<>();
    methods.forEach(allowed::add);
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    return String.join(", ", allowed);
  }

  private static @Nullable Map<String, String> match(String[] pattern, String[] segments) {
    if (pattern.length != segments.length) {
      return null;
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < pattern.length; i++) {
      if (pattern[i].startsWith("{")) {
        if (segments[i].isEmpty()) {
          return null;
        }
        String name = pattern[i].substring(1, pattern[i].length() - 1);
        values.put(name, decoded(segments[i]));
      } else if (!pattern[i].equals(segments[i])) {
        return null;
      }
    }
    return values;
  }

  private static String decoded(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw HttpProblem.malformed("'" + segment + "' in the path is not percent-encoded rightly.");
    }
  }
}
