package dev.postrider.server.api;

import dev.postrider.config.Durations;
import dev.postrider.config.NearestName;
import dev.postrider.config.StorableTime;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.config.Token;
import dev.postrider.store.message.Page;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.RequestException;
import io.helidon.webserver.http.ServerRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One request, with the values that its path holds. */
public final class ApiRequest {
  private static final int USUAL_PAGE = 50;
  private static final int LARGEST_PAGE = 500;
  private static final int LONGEST_REASON = 1_000;
  private static final long PATIENCE_IN_BYTES = 32 << 20;
  private static final HeaderName TRACEPARENT = HeaderNames.create("traceparent");

  private final ServerRequest request;
  private final Map<String, String> path;
  private final long bodyLimit;
  private final PageRoom pages;
  private final @Nullable Token token;
  private boolean holdsPage;
  private boolean read;
  private Map<String, @Nullable Object> given = new LinkedHashMap<>();
  private @Nullable String polled;

  public ApiRequest(
      ServerRequest request,
      Map<String, String> path,
      long bodyLimit,
      PageRoom pages,
      @Nullable Token token) {
    this.request = request;
    this.path = path;
    this.bodyLimit = bodyLimit;
    this.pages = pages;
    this.token = token;
  }

  /** The token it came with; null where none is needed. */
  @Nullable Token token() {
    return token;
  }

  // ---- path and query

  /** The values of the path's variables. */
  Collection<String> pathValues() {
    return path.values();
  }

  public String path(String name) {
    return path.getOrDefault(name, "");
  }

  public MessageId id() {
    try {
      return MessageId.parse(path("id"));
    } catch (IllegalArgumentException e) {
      throw HttpProblem.notFound("'" + path("id") + "' is not the id of a message.");
    }
  }

  public InboundId inboundId() {
    try {
      return InboundId.parse(path("id"));
    } catch (IllegalArgumentException e) {
      throw HttpProblem.notFound("There is no inbound message " + path("id") + ".");
    }
  }

  /** The id in the path of something that is not a message. */
  public UUID uuid(String what) {
    return found(parsed(path("id")), what);
  }

  /** What was looked for by the id in the path. */
  public <T> T found(Optional<T> thing, String what) {
    return thing.orElseThrow(
        () -> HttpProblem.notFound("There is no " + what + " " + path("id") + "."));
  }

  /** An id in its canonical form, if it is one. */
  public static Optional<UUID> parsed(String text) {
    try {
      return text.length() == 36 ? Optional.of(UUID.fromString(text)) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public @Nullable String query(String name) {
    if (!request.query().contains(name)) {
      return null;
    }
    String value = request.query().get(name);
    return value.isEmpty() ? null : value;
  }

  /** Values given as {@code ?name=a,b} or {@code ?name=a&name=b}. */
  List<String> queries(String name) {
    return request.query().contains(name)
        ? request.query().all(name).stream()
            .flatMap(each -> Arrays.stream(each.split(",")))
            .map(String::strip)
            .filter(each -> !each.isEmpty())
            .toList()
        : List.of();
  }

  public int limit() {
    @Nullable String given = query("limit");
    if (given == null) {
      return USUAL_PAGE;
    }
    try {
      int limit = Integer.parseInt(given);
      if (limit >= 1 && limit <= LARGEST_PAGE) {
        return limit;
      }
    } catch (NumberFormatException e) {
      throw HttpProblem.invalid("limit", "must be a whole number");
    }
    throw HttpProblem.invalid("limit", "must be from 1 to " + LARGEST_PAGE);
  }

  public @Nullable Duration duration(String name, Duration longest) {
    @Nullable String given = query(name);
    if (given == null) {
      return null;
    }
    JsonNode object = JsonMapper.shared().createObjectNode().put(name, given);
    return new JsonFields(object, "", Problems.strict()).duration(name, Duration.ZERO, longest);
  }

  /** An instant, or how long ago; null if nothing is given. */
  static @Nullable public Instant instant(String name, @Nullable String given) {
    if (given == null) {
      return null;
    }
    try {
      return StorableTime.checked(
          given.contains("T") && !given.startsWith("P")
              ? OffsetDateTime.parse(given).toInstant()
              : Instant.now().minus(Durations.parse(given)));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw HttpProblem.invalid(
          name, "must be a duration such as 6h, or an instant such as 2026-11-20T09:00:00Z");
    }
  }

  /** Where to go on in a list; what the list says about a cursor it does not know is passed on. */
  public <T> Page<T> page(BiFunction<@Nullable String, Integer, Page<T>> list) {
    int limit = limit();
    pages.enter();
    holdsPage = true;
    try {
      return list.apply(query("cursor"), limit);
    } catch (IllegalArgumentException e) {
      throw HttpProblem.brokenCursor();
    }
  }

  /** The page that was read, if one was, is not in memory any more. */
  public void leavePage() {
    if (holdsPage) {
      holdsPage = false;
      pages.leave();
    }
  }

  /** One of some words, or null if nothing is given. */
  public @Nullable String word(String name, List<String> known) {
    @Nullable String given = query(name);
    return given == null ? null : known(name, given, known);
  }

  /** A word, if it is one of these. */
  public static String known(String name, String given, List<String> known) {
    return known.get(place(name, given, known));
  }

  /** One of the words of an enum, or null if nothing is given. */
  public <E extends Enum<E>> @Nullable E choice(String name, E[] values) {
    @Nullable String given = query(name);
    return given == null ? null : choice(name, given, values);
  }

  public static <E extends Enum<E>> E choice(String name, String given, E[] values) {
    return values[place(name, given, Arrays.stream(values).map(Json::word).toList())];
  }

  private static int place(String name, String given, List<String> known) {
    int at = known.indexOf(given);
    if (at < 0) {
      throw HttpProblem.invalid(
          name, "'" + given + "' is not known" + NearestName.hint(given, known));
    }
    return at;
  }

  /** Some of the words of an enum; empty if nothing is given. */
  public <E extends Enum<E>> Set<E> choices(String name, E[] values) {
    return choices(name, queries(name), values);
  }

  public static <E extends Enum<E>> Set<E> choices(String name, List<String> given, E[] values) {
    Set<E> chosen = new LinkedHashSet<>();
    given.forEach(word -> chosen.add(choice(name, word, values)));
    return chosen;
  }

  public Set<Status> statuses() {
    return choices("status", Status.values());
  }

  public String method() {
    return request.prologue().method().text();
  }

  /** Path and query, as they were sent. */
  String target() {
    String query = request.query().rawValue();
    return request.path().rawPath() + (query.isEmpty() ? "" : "?" + query);
  }

  /** All headers, by lower-case name; of several under one name, the first. */
  public Map<String, String> headers() {
    Map<String, String> all = new LinkedHashMap<>();
    request
        .headers()
        .forEach(header -> all.putIfAbsent(header.headerName().lowerCase(), header.get()));
    return all;
  }

  /** All values of the query, by name; of several under one name, the first. */
  public Map<String, String> queries() {
    Map<String, String> all = new LinkedHashMap<>();
    for (String name : request.query().names()) {
      all.put(name, request.query().get(name));
    }
    return all;
  }

  public Optional<String> header(HeaderName name) {
    return request.headers().first(name);
  }

  /** The message in the trace of this request, unless it says itself in which it is. */
  public Message traced(Message message) {
    return message.traceparent() == null && request.headers().contains(TRACEPARENT)
        ? message.toBuilder().traceparent(request.headers().get(TRACEPARENT).values()).build()
        : message;
  }

  // ---- body

  /** The whole body, which must be of one of the given types, if it says what it is and any are. */
  public byte[] body(long limit, String setting, List<String> types) {
    String type = contentType();
    if (!type.isEmpty() && !types.isEmpty() && !types.contains(type)) {
      throw HttpProblem.wrongType(type, types.getFirst());
    }
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    try {
      InputStream in = content();
      long told = request.headers().contentLength().orElse(limit + 1);
      byte[] bytes = in.readNBytes((int) Math.min(told, limit + 1));
      if (bytes.length > limit) {
        letFinish(in);
        throw HttpProblem.tooLarge("The body", limit, setting);
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the body is said to be, in lower case, without parameters; empty if nothing is said. */
  public String contentType() {
    String given = header(HeaderNames.CONTENT_TYPE).orElse("");
    int parameters = given.indexOf(';');
    return (parameters < 0 ? given : given.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  /** The body as it arrives; one that says itself that it is too large is not let in. */
  public InputStream stream(String what, long limit, String setting) {
    if (request.headers().contentLength().orElse(0) > limit) {
      try {
        letFinish(stream());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      throw HttpProblem.tooLarge(what, limit, setting);
    }
    return stream();
  }

  /** The body as it arrives. */
  public InputStream stream() {
    return request.content().hasEntity() ? new Streamed(content()) : InputStream.nullInputStream();
  }

  private InputStream content() {
    read = true;
    return new Content(request.content().inputStream());
  }

  /** A body, with the sentence for chunks that cannot be read. */
  private static final class Content extends FilterInputStream {
    Content(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return super.read(into, offset, length);
      } catch (NumberFormatException
          | RequestException
          | DataReader.IncorrectNewLineException e) { // as Helidon says it
        throw HttpProblem.transport(400, "The chunks of the body cannot be read.");
      }
    }
  }

  /** Whether anybody has begun to read the body. */
  public boolean bodyRead() {
    return read;
  }

  /** A body that goes elsewhere as it arrives, and so is not in memory. */
  private static final class Streamed extends FilterInputStream {
    Streamed(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      ConnectionTraffic.current().passedOn();
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      ConnectionTraffic.current().passedOn();
      return super.read(bytes, offset, length);
    }
  }

  /** A piece of the body that is no longer than a whole one may be. */
  public byte[] limited(InputStream piece) throws IOException {
    byte[] bytes = piece.readNBytes(Math.toIntExact(bodyLimit + 1));
    if (bytes.length > bodyLimit) {
      throw HttpProblem.tooLarge("The message", bodyLimit, "http.bodyLimit");
    }
    return bytes;
  }

  /** Who is cut off while still sending never reads the answer, so some patience is in place. */
  private static void letFinish(InputStream rest) throws IOException {
    ConnectionTraffic traffic = ConnectionTraffic.current();
    byte[] discarded = new byte[8192];
    long patience = PATIENCE_IN_BYTES;
    for (int read = 0; read >= 0 && patience > 0; patience -= read) {
      traffic.passedOn();
      read = rest.read(discarded);
    }
  }

  public byte[] json() {
    return body(bodyLimit, "http.bodyLimit", List.of(Json.TYPE));
  }

  /** A small object of plain values, which may be left out altogether. */
  public JsonFields options(String... known) {
    byte[] bytes = json();
    JsonNode object =
        bytes.length == 0
            ? JsonMapper.shared().createObjectNode()
            : Json.read(bytes, 0, bytes.length, "{}");
    JsonFields options = new JsonFields(object, "", Problems.strict()).only(List.of(known));
    given = options.values();
    ConnectionTraffic.current().passedOn(); // the answer may be long in coming
    return options;
  }

  /** The options that were read, if any were, and what came of them. */
  Map<String, @Nullable Object> given() {
    return given;
  }

  /** Adds to what the log and the audit trail tell of the request. */
  public void tell(String name, Object value) {
    given.put(name, value);
  }

  /**
   * Says that the request was answered with a word and is asked again and again: the log and the
   * audit trail tell of it when the word changes.
   */
  void polled(String word) {
    polled = word;
  }

  @Nullable String polled() {
    return polled;
  }

  /** Why somebody does something, which is kept and told to everybody who follows. */
  public static String reason(JsonFields options, String otherwise) {
    String reason = options.filled("reason", otherwise);
    if (reason.length() > LONGEST_REASON) {
      throw HttpProblem.invalid(
          "reason", "must not be longer than " + LONGEST_REASON + " characters");
    }
    return reason;
  }
}
