package dev.postrider.server.cli.terminal;

import dev.postrider.server.cli.terminal.Exchange.Answer;
import dev.postrider.server.cli.terminal.Exchange.Content;
import dev.postrider.server.config.Build;
import dev.postrider.server.tls.BadTlsFile;
import dev.postrider.server.tls.Trust;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Speaks to a running server. Every problem becomes a {@link Failure} with the server's words. */
public final class Client {
  private static final JsonMapper JSON = new JsonMapper();

  /** By this the log tells the command line from other programs where there are no tokens. */
  private static final String USER_AGENT = "postrider-cli/" + Build.version();

  private static final String JSON_TYPE = "application/json";

  private final String url;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final @Nullable Path ca;
  private @Nullable SSLContext tls;

  /**
   * @param ca whose certificates are believed; null for those that Java believes
   */
  public Client(String url, @Nullable String token, @Nullable Path ca) {
    this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    this.ca = ca;
    headers.put("User-Agent", USER_AGENT);
    if (token != null) {
      headers.put("Authorization", "Bearer " + token);
    }
  }

  public String url() {
    return url;
  }

  private SSLContext tls() {
    if (tls == null) {
      try {
        tls = ca == null ? SSLContext.getDefault() : Trust.only(ca);
      } catch (BadTlsFile e) {
        throw Failure.usage("--ca " + e.getMessage() + ".");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e); // every Java has it
      }
    }
    return tls;
  }

  public JsonNode get(String path) {
    return json(true, send("GET", path, new byte[0]));
  }

  /** What a server may not know yet; empty if this one does not. */
  public Optional<JsonNode> find(String path) {
    Answer answer = send("GET", path, new byte[0]);
    return answer.status() == 404 ? Optional.empty() : Optional.of(json(true, answer));
  }

  public JsonNode post(String path, @Nullable Object body) {
    return json(
        false, send("POST", path, body == null ? new byte[0] : JSON.writeValueAsBytes(body)));
  }

  /** For answers that are put together from several. */
  public ObjectNode empty() {
    return JSON.createObjectNode();
  }

  void delete(String path) {
    json(false, send("DELETE", path, new byte[0]));
  }

  JsonNode put(String path, Object body) {
    return json(false, send("PUT", path, JSON.writeValueAsBytes(body)));
  }

  JsonNode postTable(String path, String table) {
    byte[] bytes = table.getBytes(StandardCharsets.UTF_8);
    Content content = new Content("text/csv", bytes.length, new ByteArrayInputStream(bytes));
    return json(false, send("POST", path, content));
  }

  /** Brings a file to the server, however large. */
  public JsonNode upload(Path file) {
    try (InputStream bytes = Files.newInputStream(file)) {
      return json(
          false,
          send(
              "POST",
              "/v1/media",
              new Content("application/octet-stream", Files.size(file), bytes)));
    } catch (IOException e) {
      throw Failure.because("'" + file + "' cannot be read: " + e.getMessage());
    }
  }

  /** An answer that may be too large to hold. */
  InputStream stream(String path) {
    return streamed(path).body();
  }

  /** A file: a name for it that can do no harm, and its bytes. */
  record Download(String name, InputStream bytes) {}

  private static final Pattern NAME = Pattern.compile("filename=\"([A-Za-z0-9_-][\\w.-]*)\"");

  Download download(String path) {
    Answer answer = streamed(path);
    Matcher name = NAME.matcher(answer.headers().getOrDefault("content-disposition", ""));
    return new Download(name.find() ? name.group(1) : "file", answer.body());
  }

  private Answer streamed(String path) {
    Answer answer = send("GET", path, new byte[0]);
    if (answer.status() >= 300) {
      json(true, answer); // throws
    }
    return answer;
  }

  /**
   * @param question whether it was asked without a body
   */
  private JsonNode json(boolean question, Answer answer) {
    JsonNode body;
    try (InputStream bytes = answer.body()) {
      body = parsed(new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw Failure.notReachable("The server at " + url + " hung up: " + e.getMessage() + ".");
    }
    if (answer.status() >= 300) {
      throw refused(question, answer.status(), body);
    }
    return body;
  }

  private static Failure refused(boolean question, int status, JsonNode problem) {
    String detail = problem.path("detail").asString("");
    if (detail.startsWith("There is nothing at ")) {
      return Failure.because(
          "This server does not know that yet: it is older than this command line. " + detail);
    }
    StringBuilder text =
        new StringBuilder(detail.isEmpty() ? "The server answered " + status + "." : detail);
    if (problem.path("errors").size() > 1) {
      for (JsonNode error : problem.path("errors")) {
        text.append("\n  ").append(error.path("field").asString("")).append(' ');
        text.append(error.path("message").asString(""));
      }
    }
    // A question is all made of options; a body may be a file's, which is not wrong usage.
    boolean misused =
        status == 400 || (question && problem.path("type").asString("").endsWith(":invalid"));
    return misused ? Failure.usage(text.toString()) : Failure.because(text.toString());
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

  private Answer send(String method, String path, byte[] body) {
    return send(method, path, new Content(JSON_TYPE, body.length, new ByteArrayInputStream(body)));
  }

  private Answer send(String method, String path, Content content) {
    try {
      return Exchange.make(method, address(path), headers, content, this::tls);
    } catch (SSLException e) {
      throw Failure.because(
          ("The connection to %s is not safe: %s. If it has a private authority's"
                  + " certificate, give that authority's with --ca FILE; if it speaks plain HTTP,"
                  + " use http://.")
              .formatted(url, e.getMessage()));
    } catch (Exchange.NotConnected e) {
      throw Failure.notReachable(
          "No server answers at "
              + url
              + ". Start one with 'postrider serve', or say where it is with --url.");
    } catch (SocketTimeoutException e) {
      throw Failure.notReachable("The server at " + url + " gave no answer in time.");
    } catch (IOException e) {
      throw Failure.notReachable("The server at " + url + " gave no answer: " + e.getMessage());
    }
  }

  private URI address(String path) {
    try {
      URI address = URI.create(url + path);
      if (address.getHost() != null && List.of("http", "https").contains(address.getScheme())) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw Failure.usage("'" + url + "' is not an address like http://127.0.0.1:8080.");
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
