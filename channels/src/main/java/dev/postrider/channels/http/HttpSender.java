package dev.postrider.channels.http;

import dev.postrider.channel.Channel;
import dev.postrider.channel.InboundFiles.Opened;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.Settings;
import dev.postrider.channels.socket.TextWebSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Makes one HTTP request at a time per caller, for one account. It does not retry and follows no
 * redirect: both would hide how often a message went out.
 *
 * <p>HTTP/1.1 only, so that a connection carries one request and its failure says something about
 * that request alone. The caller blocks in real time, not through the engine's scheduler: the
 * network does not know virtual time. Thread-safe.
 */
public final class HttpSender implements AutoCloseable {
  private static final int EXCERPT = 4096;

  private final Duration timeout;
  private final Secrets secrets;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;
  private final TextWebSocket.Terms terms;
  private final Set<TextWebSocket> sockets = ConcurrentHashMap.newKeySet(); // that may stand
  private volatile boolean closed;

  /**
   * A sender for an account.
   *
   * @param timeout how long a request may take in all, to the last byte of the answer; one with
   *     files gets more
   */
  public HttpSender(Duration connectTimeout, Duration timeout, Secrets secrets) {
    this(connectTimeout, timeout, secrets, Proxy.NO_PROXY, null);
  }

  private HttpSender(
      Duration connectTimeout,
      Duration timeout,
      Secrets secrets,
      Proxy proxy,
      @Nullable SSLContext tls) {
    this.timeout = timeout;
    this.secrets = secrets;
    terms = new TextWebSocket.Terms(connectTimeout, proxy, tls, Map.of());
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connectTimeout)
            .proxy(
                proxy.address() instanceof InetSocketAddress address
                    ? ProxySelector.of(address)
                    : HttpClient.Builder.NO_PROXY)
            .executor(threads);
    client = (tls == null ? builder : builder.sslContext(tls)).build();
  }

  private static final List<Channel.Setting> SETTINGS =
      List.of(
          new Channel.Setting("connectTimeout", false, false, "how long connecting may take; 10s"),
          new Channel.Setting("timeout", false, false, "how long a request may take in all; 30s"),
          new Channel.Setting("proxy", false, false, "an HTTP proxy, such as http://proxy:3128"),
          TrustedAuthorities.SETTING);

  /** A channel's own settings, and those that {@link #of} reads. */
  public static List<Channel.Setting> settings(Channel.Setting... own) {
    return Stream.concat(Stream.of(own), SETTINGS.stream()).toList();
  }

  /**
   * A sender with the account's {@code connectTimeout}, {@code timeout}, {@code proxy} and {@code
   * caFile}.
   */
  public static HttpSender of(Settings settings, Secrets secrets) {
    return new HttpSender(
        positive(settings, "connectTimeout", Duration.ofSeconds(10)),
        positive(settings, "timeout", Duration.ofSeconds(30)),
        secrets,
        proxy(settings),
        TrustedAuthorities.of(settings));
  }

  private static Proxy proxy(Settings settings) {
    String address = settings.text("proxy", "");
    if (address.isEmpty()) {
      return Proxy.NO_PROXY;
    }
    try {
      URI uri = new URI(address);
      if ("http".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0) {
        return new Proxy(Proxy.Type.HTTP, new InetSocketAddress(uri.getHost(), uri.getPort()));
      }
    } catch (URISyntaxException e) {
      // Told below, without the value.
    }
    throw settings.wrong("proxy", "is not an address such as http://proxy:3128");
  }

  private static Duration positive(Settings settings, String key, Duration otherwise) {
    Duration value = settings.duration(key, otherwise);
    if (!value.isPositive()) {
      throw settings.wrong(key, "must be longer than zero");
    }
    return value;
  }

  /** Makes a request; the more it brings along, the longer it may take. */
  public HttpResult send(HttpCall call) {
    Duration patience = timeout.plus(call.extraTime);
    return switch (call.content) {
      case HttpCall.Content.Nothing _ ->
          send(call, "", new RequestBody(BodyPublishers.noBody()), patience);
      case HttpCall.Content.Text text ->
          send(call, text.type(), new RequestBody(BodyPublishers.ofString(text.text())), patience);
      case HttpCall.Content.Form(Multipart form) ->
          stream(call, form.contentType(), form::open, form.length(), patience);
      case HttpCall.Content.File file ->
          stream(call, file.type(), file.bytes()::open, file.bytes().size(), patience);
    };
  }

  /**
   * Asks for a file, and gives its bytes as they arrive. Closing them closes this sender, too: it
   * is for one file.
   *
   * @param largest most bytes that are wanted
   * @throws Unavailable if no answer came
   */
  public FileAnswer open(HttpCall call, long largest) throws IOException {
    HttpRequest request = request(call, "").method(call.method, BodyPublishers.noBody()).build();
    CompletableFuture<HttpResponse<InputStream>> exchange =
        client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
    Throwable failure = await(exchange, timeout);
    if (failure != null || !exchange.isDone()) {
      throw new Unavailable(
          Unavailable.Why.UNREACHABLE,
          hidden(call).scrub(request.uri().getHost() + ": " + describe(failure)));
    }
    HttpResponse<InputStream> response = exchange.join();
    long size = response.headers().firstValueAsLong("content-length").orElse(-1);
    Duration patience = timeout.plus(PartFile.allowance(size < 0 ? largest : size));
    InputStream bytes = new TimedStream(response.body(), patience, this::close);
    if (response.statusCode() == 200) {
      String type = response.headers().firstValue("content-type").orElse("");
      return new FileAnswer.Found(new Opened(bytes, size), type);
    }
    try (bytes) {
      String said = new String(bytes.readNBytes(call.longestAnswer), StandardCharsets.UTF_8);
      return new FileAnswer.Other(
          new HttpResult.Response(
              response.statusCode(),
              ResponseBody.headers(response.headers()),
              hidden(call).scrub(said)));
    }
  }

  public boolean hasProxy() {
    return !terms.proxy().equals(Proxy.NO_PROXY);
  }

  /**
   * Connects a WebSocket on the same terms: with the account's proxy and TLS, and so long to
   * connect. It ends with this sender at the latest.
   */
  public TextWebSocket webSocket(URI address) throws IOException, InterruptedException {
    return webSocket(address, Map.of());
  }

  /** The same, telling the server this. */
  public TextWebSocket webSocket(URI address, Map<String, String> headers)
      throws IOException, InterruptedException {
    return webSocket(address, terms.with(headers));
  }

  /** The same, if the host's address is allowed. */
  public TextWebSocket webSocket(URI address, Predicate<InetAddress> allowed)
      throws IOException, InterruptedException {
    return webSocket(address, terms.onlyTo(allowed));
  }

  private TextWebSocket webSocket(URI address, TextWebSocket.Terms how)
      throws IOException, InterruptedException {
    TextWebSocket socket = TextWebSocket.connect(how, address);
    sockets.removeIf(TextWebSocket::isOver);
    sockets.add(socket);
    if (closed) { // in the meantime
      socket.close();
    }
    return socket;
  }

  /**
   * Asks for something that has no end, such as a stream of events, and gives what comes as it
   * comes.
   *
   * @param idle how long nothing may come before it counts as lost
   * @throws IOException if the answer is another than 200, with its status and beginning
   */
  public InputStream follow(HttpCall call, Duration idle) throws IOException, InterruptedException {
    HttpRequest request = request(call, "").timeout(timeout).GET().build();
    HttpResponse<InputStream> response;
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new IOException(hidden(call).scrub(call.uri.getHost() + ": " + describe(e)));
    }
    InputStream body = new IdleLimit(response.body(), idle);
    if (response.statusCode() == 200) {
      return body;
    }
    try (body) {
      String start = new String(body.readNBytes(EXCERPT), StandardCharsets.UTF_8);
      String excerpt =
          new HttpResult.Response(response.statusCode(), Map.of(), hidden(call).scrub(start))
              .excerpt();
      throw new IOException(call.uri.getHost() + ": " + response.statusCode() + " " + excerpt);
    }
  }

  @FunctionalInterface
  private interface Source {
    InputStream open() throws IOException;
  }

  private HttpResult stream(
      HttpCall call, String type, Source source, long length, Duration patience) {
    try (InputStream bytes = source.open()) {
      RequestBody body =
          new RequestBody(
              BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> bytes), length));
      return send(call, type, body, patience.plus(PartFile.allowance(length)));
    } catch (IOException e) {
      return new HttpResult.NotSent(secrets.scrub("a file cannot be read: " + describe(e)));
    }
  }

  private HttpResult send(HttpCall call, String type, RequestBody body, Duration patience) {
    HttpRequest ready = request(call, type).method(call.method, body).build();
    ResponseBody incoming = new ResponseBody(call.longestAnswer);
    Throwable failure = await(client.sendAsync(ready, incoming), patience);
    HttpResult.Response response = incoming.soFar(hidden(call));
    if (response != null) {
      return response;
    }
    String cause = hidden(call).scrub(ready.uri().getHost() + ": " + describe(failure));
    if (isNoConnection(failure)) {
      return new HttpResult.Unreachable(cause);
    }
    return body.withdraw() ? new HttpResult.NotSent(cause) : new HttpResult.Unknown(cause);
  }

  /** What is not to be seen in the answer: the account's secrets, and what the request showed. */
  private Secrets hidden(HttpCall call) {
    return secrets.and(call.secrets);
  }

  private static HttpRequest.Builder request(HttpCall call, String type) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(call.uri).setHeader("User-Agent", "Postrider");
    if (!type.isEmpty()) {
      request.setHeader("Content-Type", type);
    }
    call.headers.forEach(request::setHeader);
    return request;
  }

  /** Waits for the exchange to end one way or the other, and gives what went wrong, if anything. */
  private static @Nullable Throwable await(CompletableFuture<?> exchange, Duration patience) {
    try {
      exchange.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (TimeoutException e) {
      exchange.cancel(true);
      return new TimeoutException("no answer within " + patience.toMillis() + " ms");
    } catch (InterruptedException e) {
      exchange.cancel(true);
      Thread.currentThread().interrupt();
      return e;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  /**
   * The client asks for the body before hands are shaken, but what it got stays in its hands until
   * then; so here the exception does tell.
   */
  private static boolean isNoConnection(@Nullable Throwable failure) {
    return failure instanceof ConnectException
        || failure instanceof HttpConnectTimeoutException
        || failure instanceof UnresolvedAddressException
        || failure instanceof NoRouteToHostException
        || failure instanceof UnknownHostException
        || failure instanceof SSLHandshakeException
        || (failure != null && isNoConnection(failure.getCause()));
  }

  private static String describe(@Nullable Throwable cause) {
    return switch (cause) {
      case null -> "failed";
      case HttpConnectTimeoutException _ -> "no connection came about in time";
      case ConnectException e when e.getCause() instanceof UnresolvedAddressException ->
          "the host has no address";
      case UnknownHostException _ -> "the host has no address";
      case ConnectException _ -> "connection refused";
      case NoRouteToHostException _ -> "no route to the host";
      default -> {
        String kind = cause.getClass().getSimpleName();
        yield cause.getMessage() == null ? kind : kind + ": " + cause.getMessage();
      }
    };
  }

  @Override
  public void close() {
    closed = true;
    sockets.forEach(TextWebSocket::close);
    client.shutdownNow();
    threads.shutdown();
  }
}
