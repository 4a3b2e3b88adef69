package dev.postrider.server.api;

import dev.postrider.channel.InboundFiles;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problem;
import dev.postrider.problem.Refused;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;

/** A request that is answered with a problem (RFC 9457) instead of what it asked for. */
public final class HttpProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration LATER = Duration.ofSeconds(10);

  private final int status;
  private final String kind;
  private final String title;
  private final transient List<Problem> errors;
  private final transient Map<String, String> headers;

  private HttpProblem(
      int status,
      String kind,
      String title,
      String detail,
      List<Problem> errors,
      Map<String, String> headers) {
    super(detail, null, false, false); // an answer, not a fault: no stack trace is ever read
    this.status = status;
    this.kind = kind;
    this.title = title;
    this.errors = errors;
    this.headers = headers;
  }

  private static HttpProblem of(int status, String kind, String title, String detail) {
    return new HttpProblem(status, kind, title, detail, List.of(), Map.of());
  }

  private HttpProblem with(String header, String value) {
    return new HttpProblem(
        status, kind, title, String.valueOf(getMessage()), errors, Map.of(header, value));
  }

  private HttpProblem retryAfter(Duration wait) {
    return with("Retry-After", Long.toString(wait.toSeconds()));
  }

  static HttpProblem malformed(JacksonException e) {
    var at = e.getLocation();
    String where =
        at == null ? "" : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
    return malformed("The body is not JSON: " + e.getOriginalMessage() + where);
  }

  public static HttpProblem malformed(String detail) {
    return of(400, "malformed", "The request cannot be read", detail);
  }

  static HttpProblem unknownParameter(String name, String problem) {
    return parameter("unknown-parameter", "The query has a name that is not known", name, problem);
  }

  public static HttpProblem brokenCursor() {
    return parameter(
        "broken-cursor",
        "The list cannot go on there",
        "cursor",
        "must be 'next' of the page before, with the same filter");
  }

  private static HttpProblem parameter(String kind, String title, String name, String problem) {
    return new HttpProblem(
        400,
        kind,
        title,
        "'" + name + "' " + problem + ".",
        List.of(new Problem(name, problem)),
        Map.of());
  }

  /** For whoever speaks plain HTTP to a port with TLS. */
  public static HttpProblem httpsOnly() {
    return of(400, "https-only", "This port speaks HTTPS", "Use https:// in the address.")
        .with("Connection", "close");
  }

  static HttpProblem unauthorized() {
    return of(
            401,
            "unauthorized",
            "A token is needed",
            "Send 'Authorization: Bearer SECRET' with the secret of one of http.tokens.")
        .with("WWW-Authenticate", "Bearer");
  }

  public static HttpProblem forged(String cause) {
    return of(401, "forged", "The webhook is not genuine", "It was refused: " + cause + ".");
  }

  public static HttpProblem forgedAddress() {
    return of(
        401, "forged", "The address is not genuine", "Its signature is missing or not right.");
  }

  public static HttpProblem expiredAddress() {
    return of(410, "expired", "The address has run out", "It was good for a while only.");
  }

  public static HttpProblem badRange(long size) {
    return of(416, "bad-range", "There is no such range", "The file has " + size + " bytes.")
        .with("Content-Range", "bytes */" + size);
  }

  public static HttpProblem tooManyFailures(Duration wait) {
    return of(
            429,
            "too-many-failures",
            "Too many requests without a right token or signature",
            "Too many requests from your address had a wrong token or signature, or"
                + " none; the limit is http.failuresPerMinute. A right one is let in at any"
                + " time.")
        .retryAfter(wait.plusSeconds(1));
  }

  static HttpProblem forbidden(String detail) {
    return of(403, "forbidden", "Not allowed", detail);
  }

  public static HttpProblem notFound(String detail) {
    return of(404, "not-found", "There is no such thing", detail);
  }

  static HttpProblem wrongMethod(String method, String path, String allowed) {
    return of(
            405,
            "method-not-allowed",
            "Wrong method",
            path + " does not take " + method + "; it takes " + allowed + ".")
        .with("Allow", allowed);
  }

  public static HttpProblem tooLarge(String what, long limit, String setting) {
    return of(
            413,
            "too-large",
            "Too much at once",
            "%s has more than %d bytes; the limit is %s.".formatted(what, limit, setting))
        .with("Connection", "close"); // or the rest of it would have to be read
  }

  static HttpProblem wrongType(String given, String wanted) {
    return of(
        415,
        "unsupported-media-type",
        "Wrong content type",
        "The body is '" + given + "'; send " + wanted + ".");
  }

  /** All of them are counted, the first are named. */
  public static HttpProblem of(InvalidInput invalid) {
    Problem first = invalid.first();
    int named = invalid.problems().size();
    int count = named + invalid.more();
    String detail =
        count == 1
            ? "'" + first.field() + "' " + first.message() + "."
            : count == named
                ? count + " fields are wrong; see errors."
                : "%d fields are wrong; errors has the first %d.".formatted(count, named);
    return new HttpProblem(
        422, "invalid", "Something is wrong with a field", detail, invalid.problems(), Map.of());
  }

  public static HttpProblem invalid(String field, String message) {
    return of(new InvalidInput(field, message));
  }

  public static HttpProblem notReady(String detail) {
    return of(503, "not-ready", "Not ready", detail).retryAfter(SOON);
  }

  /** Over a bound of what the server takes on at once. */
  public static HttpProblem busy(String detail) {
    return of(503, "busy", "Too much at once", detail)
        .with("Connection", "close")
        .retryAfter(LATER);
  }

  public static HttpProblem inboxFull(String detail) {
    return of(503, "inbox-full", "The inbox is full", detail).retryAfter(LATER);
  }

  /** Who speaks cannot be told now. */
  public static HttpProblem unverified(String detail) {
    return of(503, "unverified", "The webhook cannot be verified now", detail).retryAfter(LATER);
  }

  /** A file that a platform does not give us. */
  public static HttpProblem of(InboundFiles.Unavailable unavailable) {
    String cause = String.valueOf(unavailable.getMessage());
    return switch (unavailable.why()) {
      case GONE ->
          of(
              404,
              "file-gone",
              "The file is gone",
              cause + ". With inbound.keepMedia, files are kept here when they come.");
      case UNREACHABLE ->
          of(503, "platform-unreachable", "The platform cannot be reached", cause + ".")
              .retryAfter(LATER);
      case REFUSED -> of(502, "file-refused", "The platform does not give the file", cause + ".");
    };
  }

  public static HttpProblem unexpected(String reference) {
    return of(
        500,
        "unexpected",
        "Something went wrong on our side",
        "The server's log says more under " + reference + ".");
  }

  /** For answers that the HTTP layer gives before a request reaches us. */
  public static HttpProblem transport(int status, String detail) {
    return of(status, "malformed", "The request cannot be read", detail);
  }

  public static HttpProblem of(Refused refused) {
    String detail = String.valueOf(refused.getMessage());
    return switch (refused.why()) {
      case INVALID -> invalid(refused.field(), detail);
      case UNKNOWN_ACCOUNT ->
          new HttpProblem(
              422,
              "unknown-account",
              "No such account",
              detail,
              List.of(new Problem("account", detail)),
              Map.of());
      case NOT_FOUND -> notFound(detail);
      case CONFLICT -> of(409, "conflict", "Not possible in this state", detail);
      case KEY_REUSED -> of(409, "key-reused", "The idempotency key is taken", detail);
      case QUEUE_FULL -> of(429, "queue-full", "The queue is full", detail).retryAfter(LATER);
      case UNAVAILABLE ->
          of(503, "store-unavailable", "The store cannot write", detail).retryAfter(LATER);
      case STOPPING -> of(503, "stopping", "The server is stopping", detail).retryAfter(LATER);
    };
  }

  public int status() {
    return status;
  }

  /** Writes the members of the problem object, without its braces. */
  public void write(JsonGenerator json) {
    json.writeStringProperty("type", "urn:postrider:problem:" + kind);
    json.writeStringProperty("title", title);
    json.writeNumberProperty("status", status);
    json.writeStringProperty("detail", String.valueOf(getMessage()));
    if (!errors.isEmpty()) {
      Json.objects(
          json,
          "errors",
          errors,
          error -> {
            json.writeStringProperty("field", error.field());
            json.writeStringProperty("message", error.message());
          });
    }
  }

  public ApiResponse answer() {
    return new ApiResponse.Whole(
        status, "application/problem+json", Json.object(this::write), headers);
  }
}
