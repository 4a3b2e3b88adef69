package dev.postrider.server.cli.terminal;

import dev.postrider.server.config.Build;
import dev.postrider.server.tls.BadTlsFile;
import dev.postrider.server.tls.Trust;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Speaks to a running server. Every problem becomes a {@link Failure} with the server's words. */
public final class Client {
  private static final JsonMapper JSON = new JsonMapper();

  /** By this the log tells the command line from other programs where there are no tokens. */
  private static final String USER_AGENT = "postrider-cli/" + Build.version();

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final String url;
  private final @Nullable String token;
  private final HttpClient http;

  /**
   * @param ca whose certificates are believed; null for those that Java believes
   */
  Client(String url, @Nullable String token, @Nullable Path ca) {
    this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    this.token = token;
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
    if (ca != null) {
      builder.sslContext(trust(ca));
    }
    http = builder.build();
  }

  private static SSLContext trust(Path ca) {
    try {
      return Trust.only(ca);
    } catch (BadTlsFile e) {
      throw Failure.because("--ca " + e.getMessage() + ".");
    }
  }

  public JsonNode get(String path) {
    return json(send("GET", path, BodyPublishers.noBody(), BodyHandlers.ofString()));
  }

  public JsonNode post(String path, @Nullable Object body) {
    BodyPublisher publisher =
        body == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(JSON.writeValueAsString(body));
    return json(send("POST", path, publisher, BodyHandlers.ofString()));
  }

  JsonNode put(String path, Object body) {
    BodyPublisher publisher = BodyPublishers.ofString(JSON.writeValueAsString(body));
    return json(send("PUT", path, publisher, BodyHandlers.ofString()));
  }

  JsonNode postTable(String path, String table) {
    return json(
        send("POST", path, "text/csv", BodyPublishers.ofString(table), BodyHandlers.ofString()));
  }

  /** Brings a file to the server, however large. */
  public JsonNode upload(Path file) {
    try {
      return json(
          send(
              "POST",
              "/v1/media",
              "application/octet-stream",
              BodyPublishers.ofFile(file),
              BodyHandlers.ofString()));
    } catch (FileNotFoundException e) {
      throw Failure.because("'" + file + "' is neither a file nor a URL.");
    }
  }

  void delete(String path) {
    json(send("DELETE", path, BodyPublishers.noBody(), BodyHandlers.ofString()));
  }

  /** An answer that may be too large to hold. */
  InputStream stream(String path) {
    return streamed(path).body();
  }

  /** A file: a name for it that can do no harm, and its bytes. */
  record Download(String name, InputStream bytes) {}

  private static final Pattern NAME = Pattern.compile("filename=\"([A-Za-z0-9_-][\\w.-]*)\"");

  Download download(String path) {
    HttpResponse<InputStream> response = streamed(path);
    Matcher name = NAME.matcher(response.headers().firstValue("Content-Disposition").orElse(""));
    return new Download(name.find() ? name.group(1) : "file", response.body());
  }

  private HttpResponse<InputStream> streamed(String path) {
    HttpResponse<InputStream> response =
        send("GET", path, BodyPublishers.noBody(), BodyHandlers.ofInputStream());
    if (response.statusCode() < 300) {
      return response;
    }
    try (InputStream body = response.body()) {
      String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      throw refused(response.statusCode(), parsed(text));
    } catch (IOException e) {
      throw Failure.because("The server hung up: " + e.getMessage());
    }
  }

  private JsonNode json(HttpResponse<String> response) {
    JsonNode body = parsed(response.body());
    if (response.statusCode() >= 300) {
      throw refused(response.statusCode(), body);
    }
    return body;
  }

  private Failure refused(int status, JsonNode problem) {
    String detail = problem.path("detail").asString("");
    StringBuilder text =
        new StringBuilder(detail.isEmpty() ? "The server answered " + status + "." : detail);
    if (problem.path("errors").size() > 1) {
      for (JsonNode error : problem.path("errors")) {
        text.append("\n  ").append(error.path("field").asString("")).append(' ');
        text.append(error.path("message").asString(""));
      }
    }
    return Failure.because(text.toString());
  }

  private JsonNode parsed(String body) {
    if (body.isEmpty()) {
      return JSON.createObjectNode();
    }
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      throw Failure.because("What answers at " + url + " is not Postrider.");
    }
  }

  private <T> HttpResponse<T> send(
      String method, String path, BodyPublisher body, HttpResponse.BodyHandler<T> handler) {
    return send(method, path, "application/json", body, handler);
  }

  private <T> HttpResponse<T> send(
      String method,
      String path,
      String type,
      BodyPublisher body,
      HttpResponse.BodyHandler<T> handler) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url + path))
              .timeout(PATIENCE)
              .header("User-Agent", USER_AGENT)
              .method(method, body);
      if (method.equals("POST") || method.equals("PUT")) {
        request.header("Content-Type", type);
      }
      if (token != null) {
        request.header("Authorization", "Bearer " + token);
      }
      return http.send(request.build(), handler);
    } catch (IllegalArgumentException e) {
      throw Failure.because("'" + url + "' is not an address like http://127.0.0.1:8080.");
    } catch (SSLException e) {
      throw Failure.because(
          ("The connection to %s is not safe: %s. If it has a private authority's"
                  + " certificate, give that authority's with --ca FILE; if it speaks plain HTTP,"
                  + " use http://.")
              .formatted(url, e.getMessage()));
    } catch (IOException e) {
      throw Failure.notReachable(url);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.because("Interrupted.");
    }
  }

  /** One step of a path. */
  static String step(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A path of the API from its steps, whatever is in them. */
  public static String path(String... steps) {
    return "/v1/" + Arrays.stream(steps).map(Client::step).collect(Collectors.joining("/"));
  }
}
