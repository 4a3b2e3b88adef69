package dev.postrider.channels.matrix;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.matrix.Homeserver.Answer;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.problem.InvalidInput;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One user's connection. Thread-safe. */
final class MatrixLink implements Link {
  private final Homeserver server;
  private final MatrixSync sync;
  private final boolean listens;
  private final boolean plainAnywhere;
  private final RoomEncryption encryption;
  private final Map<String, String> aliases = new ConcurrentHashMap<>();

  MatrixLink(Settings settings, InstantSource clock) {
    server = new Homeserver(settings, clock);
    encryption = new RoomEncryption(server, clock);
    plainAnywhere = settings.flag("plainInEncryptedRooms", false);
    sync = new MatrixSync(server, settings, encryption);
    listens = settings.flag("sync", false);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    Map<String, ?> content;
    try {
      content = MatrixRequest.of(dispatch);
    } catch (InvalidInput e) {
      return new Outcome.Rejected(Blame.MESSAGE, e.first().toString());
    }
    return switch (room(dispatch.to())) {
      case Room.Known(String id) -> send(dispatch.to(), id, dispatch.key(), content);
      case Room.Not(Outcome outcome) -> outcome;
    };
  }

  // ---- rooms

  private sealed interface Room {
    record Known(String id) implements Room {}

    /** The result of the part instead. */
    record Not(Outcome outcome) implements Room {}
  }

  private Room room(String to) {
    String known = to.startsWith("#") ? aliases.get(to) : to;
    if (known != null) {
      return new Room.Known(known);
    }
    return switch (server.ask(HttpCall.get(server.at("client/v3/directory/room/%s", to)))) {
      case Answer.Refused(Outcome outcome) -> new Room.Not(notSent(outcome));
      case Answer.Given(JsonNode body) -> {
        String id = body.path("room_id").asString("");
        if (id.isEmpty()) {
          yield new Room.Not(new Outcome.NotSent("200 without room_id"));
        }
        aliases.put(to, id);
        yield new Room.Known(id);
      }
    };
  }

  private Outcome send(String to, String room, String key, Map<String, ?> content) {
    Outcome obstacle = plainAnywhere ? null : encryption.obstacle(room);
    Outcome outcome = obstacle == null ? put(room, key, content) : obstacle;
    if (outcome instanceof Outcome.Rejected(Blame blame, _) && blame == Blame.TARGET) {
      aliases.remove(to); // it may lead elsewhere by now
    }
    return outcome;
  }

  private Outcome put(String room, String key, Map<String, ?> content) {
    HttpCall call =
        HttpCall.put(server.at("client/v3/rooms/%s/send/m.room.message/%s", room, key))
            .json(content);
    return switch (server.ask(call)) {
      case Answer.Refused(Outcome outcome) -> outcome;
      case Answer.Given(JsonNode body) -> {
        String id = body.path("event_id").asString("");
        yield id.isEmpty() ? new Outcome.Unknown("200 without event_id") : Outcome.delivered(id);
      }
    };
  }

  /** Of a request that came before the one that matters. */
  private static Outcome notSent(Outcome outcome) {
    return outcome instanceof Outcome.Unknown(String cause) ? new Outcome.NotSent(cause) : outcome;
  }

  @Override
  public UploadResult upload(PartFile cargo) {
    Attachment file = cargo.attachment();
    String type = file.type() == null ? MediaTypes.UNKNOWN : file.type();
    HttpCall call =
        HttpCall.post(server.at("media/v3/upload?filename=%s", MatrixRequest.filename(file)))
            .file(type, Objects.requireNonNull(cargo.bytes()));
    return switch (server.ask(call)) {
      case Answer.Refused(Outcome outcome) -> new UploadResult.Failed(notSent(outcome));
      case Answer.Given(JsonNode body) -> {
        String uri = body.path("content_uri").asString("");
        yield uri.isEmpty()
            ? new UploadResult.Failed(new Outcome.NotSent("200 without content_uri"))
            : new UploadResult.Done(new UploadedFile(uri, size(file, cargo.bytes())).handle());
      }
    };
  }

  private static @Nullable ImageSize size(Attachment file, PartFile.@Nullable Bytes bytes) {
    if (file.kind() != MediaKind.IMAGE || bytes == null) {
      return null;
    }
    try (InputStream in = bytes.open()) {
      return ImageSize.read(in);
    } catch (IOException e) {
      return null; // it is only missed by clients that draw a frame before the picture comes
    }
  }

  @Override
  public boolean listens() {
    return listens;
  }

  @Override
  public void listen(InboundSink inlet) throws IOException {
    sync.listen(inlet);
  }

  @Override
  public Probe probe() {
    return switch (server.ask(HttpCall.get(server.at("client/v3/account/whoami")))) {
      case Answer.Given(JsonNode body) -> new Probe.Healthy(body.path("user_id").asString(""));
      case Answer.Refused(Outcome outcome) -> Probe.of(outcome, "");
    };
  }

  @Override
  public void close() {
    server.close();
  }
}
