package dev.postrider.server.api.inbound;

import dev.postrider.Postrider;
import dev.postrider.channel.InboundFiles;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.FileAnswer;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Route;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Blobs;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The files of inbound messages, fetched for whoever may not have the account's secrets. */
public final class InboundMediaApi {
  /** Each holds a connection to a platform and a few buffers. */
  private static final int MOST_AT_ONCE = 64;

  private final EngineState engineState;
  private final Semaphore room = new Semaphore(MOST_AT_ONCE);

  public InboundMediaApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.consume("/v1/inbound/{id}/media/{n}", this::file));
  }

  private ApiResponse file(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    StoredInbound inbound = call.found(postrider.inbox().find(call.inboundId()), "inbound message");
    int index = index(call.path("n"));
    if (!room.tryAcquire()) {
      throw HttpProblem.busy("Too many files are being fetched at once; ask again.");
    }
    Room taken = new Room();
    try {
      InboundFiles.Opened file = postrider.inbox().open(inbound, index);
      return answer(file, inbound.arrival().media().get(index).filename(), taken);
    } catch (InboundFiles.Unavailable e) {
      taken.leave();
      throw HttpProblem.of(e);
    } catch (Blobs.TooLarge e) {
      taken.leave();
      throw HttpProblem.tooLarge("The file", postrider.mediaLimit(), "media.maxSize");
    } catch (IOException e) {
      taken.leave();
      throw HttpProblem.of(
          new InboundFiles.Unavailable(
              InboundFiles.Unavailable.Why.UNREACHABLE, String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      taken.leave();
      throw e;
    }
  }

  private static ApiResponse answer(InboundFiles.Opened file, @Nullable String name, Room taken)
      throws IOException {
    InputStream bytes = new Leaving(file.bytes(), taken);
    try {
      return FileAnswer.of(bytes, file.size(), name);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static int index(String given) {
    return given.matches("\\d{1,6}") ? Integer.parseInt(given) : -1;
  }

  /** One of the places of those who fetch. */
  private final class Room {
    private final AtomicBoolean left = new AtomicBoolean();

    void leave() {
      if (left.compareAndSet(false, true)) {
        room.release();
      }
    }
  }

  /** Bytes that give their place back when they are closed. */
  private static final class Leaving extends FilterInputStream {
    private final Room room;

    Leaving(InputStream bytes, Room room) {
      super(bytes);
      this.room = room;
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        room.leave();
      }
    }
  }
}
