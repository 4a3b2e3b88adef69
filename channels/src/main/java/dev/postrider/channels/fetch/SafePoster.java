package dev.postrider.channels.fetch;

import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.Network;
import dev.postrider.media.Fetcher.Refused;
import dev.postrider.media.Fetcher.Unreachable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/**
 * Posts JSON to an address that somebody else may have chosen, under the same checks as a fetch.
 * One request on a connection of its own: no second try, no redirect followed.
 *
 * <p>The client asks for the body when it is connected, hands are shaken and the head is written;
 * until then nothing can have been acted on. Thread-safe; blocks in real time.
 */
public final class SafePoster {
  /** Answers to a post are small; a longer one is an error page or an attack. */
  private static final int LONGEST_ANSWER = 256 << 10;

  private final FetchChain.Bounds bounds;
  private final Secrets secrets;
  private final HostLookup names;
  private final TlsSocketStrategy tls;

  /**
   * @param allowed private networks that may be reached
   * @param timeout how long a request may take in all, to the last byte of the answer
   */
  public SafePoster(List<Network> allowed, Duration timeout, Secrets secrets) {
    this(allowed, timeout, secrets, HostLookup.SYSTEM, FetchRequest.TRUSTED_BY_THE_SYSTEM);
  }

  SafePoster(
      List<Network> allowed,
      Duration timeout,
      Secrets secrets,
      HostLookup names,
      TlsSocketStrategy tls) {
    this.bounds =
        new FetchChain.Bounds(new AllowedAddresses(allowed), timeout, "allowedNetworks", "timeout");
    this.secrets = secrets;
    this.names = names;
    this.tls = tls;
  }

  /**
   * Makes one request.
   *
   * @throws Refused if the address is none, or leads where it must not; nothing was sent
   */
  public HttpResult postJson(String url, Map<String, String> headers, byte[] json) throws Refused {
    FetchAddress place = FetchAddress.of(url);
    Body body = new Body(json);
    var request = new BasicClassicHttpRequest("POST", place.host(), place.target());
    headers.forEach(request::setHeader);
    request.setEntity(body);
    try (FetchChain line = new FetchChain(bounds, names);
        FetchRequest visit = FetchRequest.to(place, line, tls, request)) {
      return response(visit);
    } catch (Refused e) {
      throw e;
    } catch (Unreachable e) {
      return new HttpResult.Unreachable(secrets.scrub(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      String cause = secrets.scrub(String.valueOf(e.getMessage()));
      return body.handedOver ? new HttpResult.Unknown(cause) : new HttpResult.NotSent(cause);
    }
  }

  /** The request's bytes, which know whether they were asked for. */
  private static final class Body extends HttpEntityWrapper {
    private boolean handedOver;

    Body(byte[] json) {
      super(new ByteArrayEntity(json, ContentType.APPLICATION_JSON));
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      handedOver = true;
      super.writeTo(out);
    }
  }

  private HttpResult response(FetchRequest visit) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : visit.response().getHeaders()) {
      headers.put(
          header.getName().toLowerCase(Locale.ROOT),
          secrets.scrub(String.valueOf(header.getValue())));
    }
    ByteArrayOutputStream start = new ByteArrayOutputStream();
    boolean whole = read(visit, start);
    return new HttpResult.Response(
        visit.response().getCode(),
        headers,
        secrets.scrub(start.toString(StandardCharsets.UTF_8)),
        whole);
  }

  /**
   * Reads as much of the answer as arrives in time, and says whether that is all of it: the status
   * counts, whatever becomes of the rest.
   */
  private static boolean read(FetchRequest visit, ByteArrayOutputStream start) {
    try (InputStream in = visit.body()) {
      byte[] chunk = new byte[8192];
      while (start.size() < LONGEST_ANSWER) {
        int read = in.read(chunk, 0, Math.min(chunk.length, LONGEST_ANSWER - start.size()));
        if (read < 0) {
          return true;
        }
        start.write(chunk, 0, read);
      }
    } catch (IOException _) {
      // Cut short, or never meant to end.
    }
    return false;
  }
}
