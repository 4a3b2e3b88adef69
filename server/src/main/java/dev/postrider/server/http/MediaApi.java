package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.store.Blob;
import dev.postrider.store.Blobs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Taking files in, for messages to name. */
final class MediaApi {
  private final Life life;

  MediaApi(Life life) {
    this.life = life;
  }

  List<Route> routes() {
    return List.of(Route.send("/v1/media", this::take), Route.get("/v1/media/{id}", this::show));
  }

  private Answer take(Call call) {
    Postrider postrider = life.postrider();
    if (Form.isForm(call)) {
      Form form = Form.read(call, postrider);
      if (form.files().size() != 1) {
        throw HttpProblem.invalid("file", "must be there once; a form brings one file at a time");
      }
      Form.Upload upload = form.files().getFirst();
      return taken(upload.blob(), upload.filename());
    }
    InputStream bytes = call.stream("The file", postrider.mediaLimit(), "media.maxSize");
    return taken(hold(postrider, bytes), call.query("filename"));
  }

  private static Answer taken(Blob blob, @Nullable String filename) {
    return Answer.json(201, json -> MediaJson.write(json, blob, filename));
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

  private Answer show(Call call) {
    Blob blob =
        life.postrider()
            .held(call.path("id"))
            .orElseThrow(
                () ->
                    HttpProblem.notFound(
                        "There is no upload '" + call.path("id") + "', or not any more."));
    return Answer.json(200, json -> MediaJson.write(json, blob, null));
  }
}
