package dev.postrider.channels.http;

import dev.postrider.channel.PartFile;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One HTTP request, before it is made. Immutable: each step gives a new one. */
public final class HttpCall {
  /** Answers to a send are small; a longer one is an error page or an attack. */
  private static final int LONGEST_ANSWER = 256 * 1024;

  /** What a request brings along. */
  sealed interface Content {
    record Nothing() implements Content {}

    record Text(String type, String text) implements Content {}

    record Form(Multipart form) implements Content {}

    record File(String type, PartFile.Bytes bytes) implements Content {}
  }

  final String method;
  final URI uri;
  final Map<String, String> headers;
  final Content content;
  final Duration extraTime;
  final int longestAnswer;

  /** What this request alone shows, and no answer may repeat. */
  final Secrets secrets;

  private HttpCall(
      String method,
      URI uri,
      Map<String, String> headers,
      Content content,
      Duration extraTime,
      int longestAnswer,
      Secrets secrets) {
    this.method = method;
    this.uri = uri;
    this.headers = headers;
    this.content = content;
    this.extraTime = extraTime;
    this.longestAnswer = longestAnswer;
    this.secrets = secrets;
  }

  public static HttpCall of(String method, URI uri) {
    return new HttpCall(
        method, uri, Map.of(), new Content.Nothing(), Duration.ZERO, LONGEST_ANSWER, Secrets.of());
  }

  public static HttpCall get(URI uri) {
    return of("GET", uri);
  }

  public static HttpCall post(URI uri) {
    return of("POST", uri);
  }

  public static HttpCall put(URI uri) {
    return of("PUT", uri);
  }

  public HttpCall header(String name, String value) {
    return header(name, value, secrets);
  }

  private HttpCall header(String name, String value, Secrets hidden) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new HttpCall(method, uri, all, content, extraTime, longestAnswer, hidden);
  }

  /** A header with a secret, which is hidden in the answer if somebody on the way repeats it. */
  public HttpCall secret(String name, String secret) {
    return header(name, secret, Secrets.of(secret));
  }

  /** With a token, hidden likewise. */
  public HttpCall bearer(String token) {
    return header("Authorization", "Bearer " + token, Secrets.of(token));
  }

  public HttpCall json(Object value) {
    return with(new Content.Text("application/json", Json.write(value)));
  }

  public HttpCall text(String type, String text) {
    return with(new Content.Text(type, text));
  }

  /** Fields as a web form writes them; those without a value are left out. */
  public HttpCall fields(Map<String, ? extends @Nullable Object> fields) {
    String text =
        fields.entrySet().stream()
            .filter(field -> field.getValue() != null)
            .map(field -> encoded(field.getKey()) + "=" + encoded(String.valueOf(field.getValue())))
            .collect(Collectors.joining("&"));
    return text("application/x-www-form-urlencoded", text);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  public HttpCall form(Multipart form) {
    return with(new Content.Form(form));
  }

  public HttpCall file(String type, PartFile.Bytes bytes) {
    return with(new Content.File(type, bytes));
  }

  private HttpCall with(Content other) {
    return new HttpCall(method, uri, headers, other, extraTime, longestAnswer, secrets);
  }

  /** For a request that the platform answers when it has something to say. */
  public HttpCall waiting(Duration extra) {
    return new HttpCall(method, uri, headers, content, extra, longestAnswer, secrets);
  }

  /** For an answer that may be long. */
  public HttpCall upTo(int bytes) {
    return new HttpCall(method, uri, headers, content, extraTime, bytes, secrets);
  }
}
