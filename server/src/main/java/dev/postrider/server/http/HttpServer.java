package dev.postrider.server.http;

import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Refused;
import dev.postrider.server.api.AccountsApi;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.AuditApi;
import dev.postrider.server.api.Callers;
import dev.postrider.server.api.ChannelsApi;
import dev.postrider.server.api.ClusterApi;
import dev.postrider.server.api.ClusterPeers;
import dev.postrider.server.api.ConnectionLimits;
import dev.postrider.server.api.ConnectionTraffic;
import dev.postrider.server.api.Dashboard;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.EventRing;
import dev.postrider.server.api.EventsApi;
import dev.postrider.server.api.FailedLogins;
import dev.postrider.server.api.Gate;
import dev.postrider.server.api.HealthCheck;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.MeApi;
import dev.postrider.server.api.Metrics;
import dev.postrider.server.api.OperatorLog;
import dev.postrider.server.api.PageRoom;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.Router;
import dev.postrider.server.api.StatsApi;
import dev.postrider.server.api.inbound.HooksApi;
import dev.postrider.server.api.inbound.InboundApi;
import dev.postrider.server.api.inbound.InboundMediaApi;
import dev.postrider.server.api.inbound.LeasesApi;
import dev.postrider.server.api.inbound.SessionsApi;
import dev.postrider.server.api.inbound.TurnsApi;
import dev.postrider.server.api.message.DeadLettersApi;
import dev.postrider.server.api.message.LanesApi;
import dev.postrider.server.api.message.MediaApi;
import dev.postrider.server.api.message.MessageBatch;
import dev.postrider.server.api.message.MessagesApi;
import dev.postrider.server.api.message.PublicMediaApi;
import dev.postrider.server.api.message.SandboxApi;
import dev.postrider.server.api.message.WaitingApi;
import dev.postrider.server.api.reminder.RemindersApi;
import dev.postrider.server.api.reminder.RunsApi;
import dev.postrider.server.config.HttpSettings;
import dev.postrider.server.config.Token;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.DirectHandler;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens, and leads every request through gate and route to its answer. */
public final class HttpServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
  private static final Header NO_SNIFFING =
      HeaderValues.create("X-Content-Type-Options", "nosniff");

  /** What is read to its end although nobody wants it, so that the connection can stay. */
  private static final long LARGEST_IGNORED = 64 << 10;

  /** What may wait for its reader beside any number of others. */
  private static final int SMALL_ANSWER = 64 << 10;

  /** Few, and made once: this is on the way of every answer. */
  private static final Map<String, Header> CONTENT_TYPES = new ConcurrentHashMap<>();

  private final HttpSettings settings;
  private final String scheme;
  private final Gate gate;
  private final Callers callers;
  private final FailedLogins failures;
  private final Metrics metrics;
  private final Router router;
  private final OperatorLog operators;
  private final EventsApi events;
  private final ConnectionLimits limits;
  private final PageRoom pages = new PageRoom();
  private final WebServer server;
  private final ListenerWatch listener;

  /**
   * Binds to the address and begins to answer.
   *
   * @throws CannotListen if the address cannot be bound
   */
  public HttpServer(
      HttpSettings settings,
      @Nullable ServerTls tls,
      EngineState engineState,
      Metrics metrics,
      EventRing ring,
      HealthCheck check) {
    this.settings = settings;
    scheme = tls == null ? "http://" : "https://";
    this.metrics = metrics;
    gate = new Gate(settings, scheme);
    callers = new Callers(settings.trustedProxies());
    failures = new FailedLogins(settings.limits().failuresPerMinute(), System::nanoTime);
    events = new EventsApi(ring);
    limits = new ConnectionLimits(settings);
    router = new Router(routes(settings, engineState, metrics, events, check));
    operators = new OperatorLog(engineState);
    server =
        WebServer.builder()
            .host(settings.host())
            .port(settings.port())
            .maxTcpConnections(limits.mostAtOnce())
            .shutdownHook(false)
            .shutdownGracePeriod(Duration.ofSeconds(1))
            .protocolsDiscoverServices(false)
            .addConnectionSelector(
                new HttpConnections(
                    Http1Config.builder().receiveLog(false).sendLog(false).build(), limits, tls))
            .directHandlers(problemsForTransport())
            .routing(HttpRouting.builder().any(this::handle))
            .build();
    server.start();
    if (!server.isRunning()) { // Helidon only logs it
      events.close();
      limits.close();
      throw new CannotListen(settings);
    }
    listener = new ListenerWatch(new InetSocketAddress(reachableHost(), port()));
  }

  /** The routes, in the order of the documentation. */
  static List<Route> routes(
      HttpSettings settings,
      EngineState engineState,
      Metrics metrics,
      EventsApi events,
      HealthCheck check) {
    ClusterPeers peers = new ClusterPeers(engineState, settings.clusterCa());
    MessageBatch batch = new MessageBatch(engineState, settings.bodyLimit(), settings.batchLimit());
    return Stream.of(
            new MeApi(engineState, !settings.tokens().isEmpty()).routes(),
            new MessagesApi(engineState, batch).routes(),
            new MediaApi(engineState).routes(),
            new PublicMediaApi(engineState).routes(),
            new DeadLettersApi(engineState).routes(),
            new AccountsApi(engineState, peers).routes(),
            new ChannelsApi(engineState).routes(),
            new LanesApi(engineState).routes(),
            new WaitingApi(engineState).routes(),
            new RemindersApi(engineState, settings.batchLimit()).routes(),
            new RunsApi(engineState).routes(),
            new HooksApi(engineState).routes(),
            new InboundApi(engineState).routes(),
            new InboundMediaApi(engineState).routes(),
            new LeasesApi(engineState).routes(),
            new TurnsApi(engineState).routes(),
            new SessionsApi(engineState).routes(),
            new StatsApi(engineState, metrics, check).routes(),
            new AuditApi(engineState).routes(),
            new ClusterApi(engineState).routes(),
            events.routes(),
            new SandboxApi(engineState, peers).routes(),
            new Dashboard().routes())
        .flatMap(List::stream)
        .toList();
  }

  /** The port in use, which the system has chosen if the configured one is 0. */
  public int port() {
    return server.port();
  }

  /** Completed when the listener has ended although nobody closed it: nobody can connect. */
  public CompletableFuture<Void> listenerEnded() {
    return listener.ended();
  }

  private String reachableHost() {
    String host = settings.host();
    return host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
  }

  /** Where people find the dashboard. */
  public String address() {
    String host = reachableHost();
    return scheme
        + (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host)
        + ":"
        + port();
  }

  @Override
  public void close() {
    listener.close();
    events.close();
    server.stop();
    limits.close();
  }

  private void handle(ServerRequest request, ServerResponse response) {
    Seen seen = new Seen();
    try {
      handle(request, response, seen);
    } finally {
      seen.leavePage();
    }
  }

  private void handle(ServerRequest request, ServerResponse response, Seen seen) {
    ConnectionTraffic traffic = ConnectionTraffic.current();
    traffic.bodyBegins();
    ApiResponse answer;
    long began = System.nanoTime();
    try {
      answer = answer(request, seen);
    } catch (HttpProblem e) {
      answer = counted(e, request).answer();
    } catch (Refused e) {
      answer = HttpProblem.of(e).answer();
    } catch (InvalidInput e) {
      answer = HttpProblem.of(e).answer();
    } catch (StoreUnavailable e) {
      answer =
          HttpProblem.of(new Refused(Refused.Cause.UNAVAILABLE, String.valueOf(e.getMessage())))
              .answer();
    } catch (StoreClosed e) {
      answer = HttpProblem.notReady("The server is stopping.").answer();
    } catch (CloseConnectionException e) {
      throw e;
    } catch (UncheckedIOException | DataReader.InsufficientDataAvailableException e) {
      throw new CloseConnectionException("The other side has gone.", e);
    } catch (RuntimeException e) {
      String reference = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
      log.error(
          "{} {} failed, reference {}",
          request.prologue().method(),
          request.path().path(),
          reference,
          e);
      answer = HttpProblem.unexpected(reference).answer();
    }
    metrics.answered(
        request.prologue().method().text(),
        seen.route,
        answer instanceof ApiResponse.Whole whole ? whole.status() : 200,
        Duration.ofNanos(System.nanoTime() - began));
    if (answer instanceof ApiResponse.Whole whole) {
      traffic.passedOn();
      if (whole.body().length <= SMALL_ANSWER) {
        seen.leavePage();
      }
    }
    boolean unread = seen.call == null || !seen.call.bodyRead();
    if (isChunked(request) || unread && mayStayUnread(request)) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    try {
      send(request, response, answer);
    } finally {
      traffic.passedOn();
    }
    if (!unread || !request.content().hasEntity()) {
      traffic.requestEnds();
    } // or else Helidon reads it, to throw it away
    if (request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
        || response.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
      // Helidon says that it will close, and leaves that to the other side. The end of a stream it
      // would write only after this method has returned.
      ((RoutingResponse) response).commit();
      throw new CloseConnectionException("The answer was the last one.");
    }
  }

  /** Where it ends others may see otherwise: what follows is not taken for another request. */
  private static boolean isChunked(ServerRequest request) {
    return request.headers().contains(HeaderNames.TRANSFER_ENCODING);
  }

  /**
   * Whether what nobody has read is left where it is: a large body, and one whose sender was to
   * wait until it is wanted, and may not have waited.
   */
  private static boolean mayStayUnread(ServerRequest request) {
    return request.content().hasEntity()
        && (request.headers().contentLength().orElse(Long.MAX_VALUE) > LARGEST_IGNORED
            || request.headers().contains(HeaderNames.EXPECT));
  }

  /** Which route a request has taken. */
  private static final class Seen {
    @Nullable Route route;
    @Nullable ApiRequest call;

    void leavePage() {
      if (call != null) {
        call.leavePage();
      }
    }
  }

  private ApiResponse answer(ServerRequest request, Seen seen) {
    if (request.prologue().fragment().hasValue()) {
      throw HttpProblem.malformed("A path has no '#'; as part of a name it is written %23.");
    }
    String path = request.path().rawPath(); // with ;parameters: a proxy takes them for its part
    ServerRequestHeaders headers = request.headers();
    String host = request.authority();
    Router.Match match;
    try {
      match = router.find(request.prologue().method().text(), path);
    } catch (HttpProblem e) {
      gate.check(null, host, headers);
      throw e;
    }
    Route route = match.route();
    seen.route = route;
    Token token = route.signed() ? null : gate.check(route.role(), route.alsoFor(), host, headers);
    route.check(request.query().names());
    ApiRequest call = new ApiRequest(request, match.values(), settings.bodyLimit(), pages, token);
    seen.call = call;
    if (!route.logged()) {
      return route.handler().answer(call);
    }
    String agent = headers.first(HeaderNames.USER_AGENT).orElse("");
    return operators.answer(
        token == null ? OperatorLog.unnamed(agent) : token.name(), caller(request), route, call);
  }

  private InetAddress caller(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress peer
        ? callers.find(peer.getAddress(), request.headers())
        : InetAddress.getLoopbackAddress();
  }

  /** Who fails again and again is not even told that he fails. */
  private HttpProblem counted(HttpProblem problem, ServerRequest request) {
    if (problem.status() != 401) {
      return problem;
    }
    @Nullable Duration wait = failures.count(caller(request));
    return wait == null ? problem : HttpProblem.tooManyFailures(wait);
  }

  /** To be called now and then, so that nobody is remembered for long. */
  public void forgetFailures() {
    failures.forgetOld();
  }

  private static void send(ServerRequest request, ServerResponse response, ApiResponse answer) {
    response.header(NO_SNIFFING);
    answer.headers().forEach((name, value) -> response.header(name, value));
    if (!answer.contentType().isEmpty()) {
      response.header(CONTENT_TYPES.computeIfAbsent(answer.contentType(), HttpServer::contentType));
    }
    boolean head = request.prologue().method().text().equals("HEAD");
    switch (answer) {
      case ApiResponse.Whole whole -> {
        response.status(whole.status());
        if (head && whole.status() != 204) {
          sendHead(response, whole.body().length);
        } else if (whole.body().length == 0) {
          response.send();
        } else {
          response.send(whole.body());
        }
      }
      case ApiResponse.Bytes file -> send(response, file, head);
      case ApiResponse.Streamed streamed -> {
        try (Counting counting = new Counting();
            OutputStream out = head ? counting : response.outputStream()) {
          streamed.body().writeTo(out);
          if (head) {
            sendHead(response, counting.bytes);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** What ends too early must not look whole, so the connection is closed without an end. */
  private static void send(ServerResponse response, ApiResponse.Bytes file, boolean head) {
    try (InputStream bytes = file.bytes()) {
      response.status(file.status());
      if (head && file.length() >= 0) {
        sendHead(response, file.length());
        return;
      }
      if (head || file.length() == 0) {
        response.send();
        return;
      }
      if (file.length() > 0) {
        response.header(HeaderValues.create(HeaderNames.CONTENT_LENGTH, file.length()));
      }
      OutputStream out = response.outputStream();
      bytes.transferTo(out);
      out.close();
    } catch (IOException e) {
      throw new CloseConnectionException("The file ended too early.", e);
    }
  }

  private static void sendHead(ServerResponse response, long length) {
    response.header(HeaderValues.create(HeaderNames.CONTENT_LENGTH, length));
    response.send();
  }

  /** Throws away what is written and counts it, for those who ask how much it would be. */
  private static final class Counting extends OutputStream {
    private long bytes;

    @Override
    public void write(int one) {
      bytes++;
    }

    @Override
    public void write(byte[] some, int offset, int length) {
      bytes += length;
    }
  }

  private static Header contentType(String type) {
    return HeaderValues.createCached(HeaderNames.CONTENT_TYPE, type);
  }

  /** What Helidon itself refuses is said in our words and our format. */
  private static DirectHandlers problemsForTransport() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
      handlers.addHandler(
          type,
          (_, eventType, given, headers, _) -> {
            // Our own faults are answered by handle(): what Helidon stumbles over came in.
            Status status = given.code() >= 500 ? Status.BAD_REQUEST_400 : given;
            HttpProblem problem = HttpProblem.transport(status.code(), status.reasonPhrase() + ".");
            return DirectHandler.TransportResponse.builder()
                .status(status)
                .headers(headers)
                .keepAlive(eventType.keepAlive())
                .header(HeaderNames.CONTENT_TYPE, "application/problem+json")
                .entity(Json.object(problem::write))
                .build();
          });
    }
    return handlers.build();
  }
}
