package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Route;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Taking files in, for messages to name. */
public final class MediaApi {
  private final EngineState engineState;

  public MediaApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.send("/v1/media", this::take), Route.get("/v1/media/{id}", this::show));
  }

  private ApiResponse take(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    if (MultipartForm.isForm(call)) {
      MultipartForm form = MultipartForm.read(call, postrider);
      if (form.files().size() != 1) {
        throw HttpProblem.invalid("file", "must be there once; a form brings one file at a time");
      }
      MultipartForm.Upload upload = form.files().getFirst();
      return taken(upload.blob(), upload.filename());
    }
    InputStream bytes = call.stream("The file", postrider.mediaLimit(), "media.maxSize");
    return taken(hold(postrider, bytes), call.query("filename"));
  }

  private static ApiResponse taken(Blob blob, @Nullable String filename) {
    return ApiResponse.json(201, json -> MediaJson.write(json, blob, filename));
  }

  /** Streams a file into custody. */
  static Blob hold(Postrider postrider, InputStream bytes) {
    try {
      return postrider.hold(bytes);
    } catch (Blobs.TooLarge e) {
      throw HttpProblem.tooLarge("The file", postrider.mediaLimit(), "media.maxSize");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ApiResponse show(ApiRequest call) {
    Blob blob =
        engineState
            .postrider()
            .held(call.path("id"))
            .orElseThrow(
                () ->
                    HttpProblem.notFound(
                        "There is no upload '" + call.path("id") + "', or not any more."));
    return ApiResponse.json(200, json -> MediaJson.write(json, blob, null));
  }
}
