package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.FileAnswer;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Route;
import dev.postrider.store.media.Blob;
import io.helidon.http.HeaderNames;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files that platforms fetch, which take nothing else. Whoever has an address may: its signature
 * shows that we made it, for this file and until then. Nothing tells which files there are.
 */
public final class PublicMediaApi {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,15})-(\\d{0,15})");

  private final EngineState engineState;

  public PublicMediaApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.signed("GET", "/media/{hash}", this::file));
  }

  private ApiResponse file(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    String hash = call.path("hash");
    long expires = expires(String.valueOf(call.query("expires")));
    if (!postrider.isMediaAddress(hash, expires, String.valueOf(call.query("signature")))) {
      throw HttpProblem.forgedAddress();
    }
    if (!Instant.now().isBefore(Instant.ofEpochSecond(expires))) {
      throw HttpProblem.expiredAddress();
    }
    Blob blob = postrider.held(hash).orElseThrow(PublicMediaApi::gone);
    try {
      return answer(call, blob, postrider.open(hash));
    } catch (FileNotFoundException e) {
      throw gone();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long expires(String given) {
    return given.matches("\\d{1,12}") ? Long.parseLong(given) : -1;
  }

  private static HttpProblem gone() {
    return HttpProblem.notFound("The file is not here any more.");
  }

  private static ApiResponse answer(ApiRequest call, Blob blob, InputStream bytes)
      throws IOException {
    Map<String, String> headers = FileAnswer.headers(blob.type(), null);
    headers.put("Accept-Ranges", "bytes");
    Matcher range = RANGE.matcher(call.header(HeaderNames.RANGE).orElse(""));
    if (!range.matches()) {
      return new ApiResponse.Bytes(200, blob.type(), headers, blob.size(), bytes);
    }
    long from = Long.parseLong(range.group(1));
    long last = blob.size() - 1;
    long to = range.group(2).isEmpty() ? last : Math.min(last, Long.parseLong(range.group(2)));
    try {
      if (from > to) {
        throw HttpProblem.badRange(blob.size());
      }
      bytes.skipNBytes(from);
    } catch (EOFException | HttpProblem e) {
      bytes.close();
      throw e instanceof HttpProblem problem ? problem : HttpProblem.badRange(blob.size());
    }
    headers.put("Content-Range", "bytes " + from + "-" + to + "/" + blob.size());
    return new ApiResponse.Bytes(
        206, blob.type(), headers, to - from + 1, new Piece(bytes, to - from + 1));
  }

  /** The first bytes of what is left. */
  private static final class Piece extends FilterInputStream {
    private long left;

    Piece(InputStream bytes, long length) {
      super(bytes);
      left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int read = super.read(into, offset, (int) Math.min(length, left));
      left -= Math.max(read, 0);
      return read;
    }
  }
}
