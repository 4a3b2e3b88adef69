package dev.postrider.channels.http;

import dev.postrider.channels.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  /** Answers to a send are small; a longer one is an error page or an attack. */
  private static final int LONGEST_BODY = 256 * 1024;

  private final Duration timeout;
  private final Secrets secrets;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;

  /**
   * A sender for an account.
   *
   * @param timeout how long a request may take in all, to the last byte of the answer; one with
   *     files gets more
   */
  public HttpSender(Duration connectTimeout, Duration timeout, Secrets secrets) {
    this.timeout = timeout;
    this.secrets = secrets;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connectTimeout)
            .executor(threads)
            .build();
  }

  /** A sender with the account's {@code connectTimeout} and {@code timeout}. */
  public static HttpSender of(Settings settings, Secrets secrets) {
    return new HttpSender(
        positive(settings, "connectTimeout", Duration.ofSeconds(10)),
        positive(settings, "timeout", Duration.ofSeconds(30)),
        secrets);
  }

  private static Duration positive(Settings settings, String key, Duration otherwise) {
    Duration value = settings.duration(key, otherwise);
    if (!value.isPositive()) {
      throw settings.wrong(key, "must be longer than zero");
    }
    return value;
  }

  public HttpResult postJson(URI uri, Map<String, String> headers, String json) {
    Outgoing body = new Outgoing(BodyPublishers.ofString(json));
    return send(request(uri, headers, "application/json"), body, timeout);
  }

  /** Sends a form; the more it holds, the longer it may take. */
  public HttpResult postMultipart(URI uri, Map<String, String> headers, Multipart form) {
    try (Multipart.Content content = form.open()) {
      Outgoing body =
          new Outgoing(
              BodyPublishers.fromPublisher(
                  BodyPublishers.ofInputStream(() -> content), form.length()));
      HttpRequest.Builder request = request(uri, headers, form.contentType());
      return send(request, body, timeout.plus(form.allowance()));
    } catch (IOException e) {
      return new HttpResult.NotSent(secrets.scrub("a file cannot be read: " + describe(e)));
    }
  }

  private static HttpRequest.Builder request(URI uri, Map<String, String> headers, String type) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("User-Agent", "Postrider");
    request.header("Content-Type", type);
    headers.forEach(request::header);
    return request;
  }

  private HttpResult send(HttpRequest.Builder request, Outgoing body, Duration patience) {
    HttpRequest ready = request.POST(body).build();
    Incoming incoming = new Incoming(LONGEST_BODY);
    Throwable failure = await(client.sendAsync(ready, incoming), patience);
    HttpResult.Response response = incoming.soFar(secrets);
    if (response != null) {
      return response;
    }
    String cause = secrets.scrub(ready.uri().getHost() + ": " + describe(failure));
    return isHandshakeFailure(failure) || body.withdraw()
        ? new HttpResult.NotSent(cause)
        : new HttpResult.Unknown(cause);
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
  private static boolean isHandshakeFailure(@Nullable Throwable failure) {
    return failure != null
        && (failure instanceof SSLHandshakeException || isHandshakeFailure(failure.getCause()));
  }

  private static String describe(@Nullable Throwable cause) {
    if (cause == null) {
      return "failed";
    }
    String kind = cause.getClass().getSimpleName();
    return cause.getMessage() == null ? kind : kind + ": " + cause.getMessage();
  }

  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdown();
  }
}
