package dev.postrider.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dashboard's few files and the API's description, from the class path. */
public final class Dashboard {
  private static final Map<String, String> FILES =
      Map.ofEntries(
          Map.entry("/", "dashboard/index.html"),
          Map.entry("/assets/style.css", "dashboard/style.css"),
          Map.entry("/assets/app.js", "dashboard/app.js"),
          Map.entry("/assets/api.js", "dashboard/api.js"),
          Map.entry("/assets/dom.js", "dashboard/dom.js"),
          Map.entry("/assets/views.js", "dashboard/views.js"),
          Map.entry("/assets/inbound.js", "dashboard/inbound.js"),
          Map.entry("/assets/pairing.js", "dashboard/pairing.js"),
          Map.entry("/assets/reminders.js", "dashboard/reminders.js"),
          Map.entry("/assets/reference.js", "dashboard/reference.js"),
          Map.entry("/openapi.json", "openapi.json"));

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "json", Json.TYPE);

  /** Nothing from elsewhere, nothing inline, and in nobody's frame. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
              + " img-src 'self'"
              + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Cache-Control",
          "no-cache",
          "Referrer-Policy",
          "no-referrer");

  public List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    FILES.forEach(
        (path, file) -> {
          ApiResponse answer = load(file);
          routes.add(Route.open(path, _ -> answer));
        });
    return routes;
  }

  private static ApiResponse load(String file) {
    String type = TYPES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "text/plain");
    try (@Nullable InputStream in = Dashboard.class.getResourceAsStream("/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + file);
      }
      return new ApiResponse.Whole(200, type, in.readAllBytes(), HEADERS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
