package dev.postrider.channels.feishu;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.Settings;
import dev.postrider.channels.feishu.FeishuApi.Answer;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Multipart;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.problem.InvalidInput;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One app's connection. Thread-safe. */
final class FeishuLink implements Link {
  private static final int ENABLED = 2;

  private final FeishuApi api;
  private final boolean cards;
  private final boolean told;

  FeishuLink(Settings settings, InstantSource clock) {
    cards = cards(settings);
    told = FeishuHook.of(settings) != null;
    api = new FeishuApi(settings, clock);
  }

  static boolean cards(Settings settings) {
    return switch (settings.text("markdown", "card")) {
      case "card" -> true;
      case "post" -> false;
      default -> throw settings.wrong("markdown", "is neither card nor post");
    };
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    try {
      Map<String, Object> body = new LinkedHashMap<>();
      String path = address(dispatch, body);
      FeishuContent content = FeishuContent.of(dispatch, cards);
      body.put("msg_type", content.type());
      body.put("content", Json.write(content.body()));
      body.put("uuid", dispatch.key());
      return switch (api.post(path, call -> call.json(body))) {
        case Answer.Failed(Outcome outcome) -> fitting(outcome, dispatch);
        case Answer.Done(JsonNode answer) -> delivered(answer);
      };
    } catch (InvalidInput e) {
      return new Outcome.Rejected(Blame.MESSAGE, e.first().toString());
    }
  }

  /** To a chat, or as an answer to a message in one. */
  private static String address(Dispatch dispatch, Map<String, Object> body) {
    String quoted = quoted(dispatch);
    String reply = quoted == null ? dispatch.threadId() : quoted;
    if (reply != null) {
      Receiver.checkMessageId("replyToId", reply);
      body.put("reply_in_thread", dispatch.threadId() != null || beginsThread(dispatch));
      return "/im/v1/messages/" + reply + "/reply";
    }
    Receiver receiver = Receiver.of(dispatch.to());
    body.put("receive_id", receiver.id());
    return "/im/v1/messages?receive_id_type=" + receiver.type();
  }

  private static boolean beginsThread(Dispatch dispatch) {
    return Boolean.TRUE.equals(dispatch.channelData().get("reply_in_thread"));
  }

  /** The message to reply to: with every part where that is what puts them in the thread. */
  private static @Nullable String quoted(Dispatch dispatch) {
    return dispatch.threadId() == null
            && beginsThread(dispatch)
            && !dispatch.state().has(Fix.DropReply.class)
        ? dispatch.message().replyToId()
        : dispatch.replyToId();
  }

  /** Feishu has it; where events come in, it also tells when it is read. */
  private Outcome delivered(JsonNode answer) {
    String id = answer.path("data").path("message_id").asString("");
    if (id.isEmpty()) {
      return new Outcome.Unknown("it worked, and no message is named");
    }
    return told ? Outcome.accepted(id) : Outcome.delivered(id);
  }

  /** A fix that changes nothing about this part mends nothing. */
  private static Outcome fitting(Outcome outcome, Dispatch dispatch) {
    if (!(outcome instanceof Outcome.Repairable(Fix fix, String cause))) {
      return outcome;
    }
    boolean mends =
        switch (fix) {
          case Fix.DropReply _ -> quoted(dispatch) != null;
          case Fix.PlainText _ -> dispatch.isMarkup();
          case Fix.UploadInstead _ -> !dispatch.cargo().isEmpty();
          default -> true;
        };
    return mends ? outcome : new Outcome.Rejected(Blame.MESSAGE, cause);
  }

  @Override
  public UploadResult upload(PartFile cargo) {
    Attachment file = cargo.attachment();
    boolean image = file.kind() == MediaKind.IMAGE;
    PartFile.Bytes bytes = Objects.requireNonNull(cargo.bytes(), "Feishu gets files as bytes");
    Multipart.Builder form = Multipart.builder(String.valueOf(file.hash()));
    String name =
        file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
    Multipart whole =
        image
            ? form.field("image_type", "message").file("image", name, file.type(), bytes).build()
            : form.field("file_type", fileType(file.kind(), name))
                .field("file_name", name)
                .file("file", name, file.type(), bytes)
                .build();
    return switch (api.post(image ? "/im/v1/images" : "/im/v1/files", call -> call.form(whole))) {
      case Answer.Done(JsonNode answer) -> {
        String key = answer.path("data").path(image ? "image_key" : "file_key").asString("");
        yield key.isEmpty()
            ? new UploadResult.Failed(new Outcome.NotSent("Feishu does not name the upload"))
            : new UploadResult.Done(FileHandle.of(key));
      }
      // Whatever became of the bytes, the part that needs them was not sent.
      case Answer.Failed(Outcome.Unknown(String cause)) ->
          new UploadResult.Failed(new Outcome.NotSent(cause));
      case Answer.Failed(Outcome outcome) -> new UploadResult.Failed(outcome);
    };
  }

  /** What Feishu calls it; everything that it has no word for is a stream of bytes. */
  private static String fileType(MediaKind kind, String name) {
    return switch (kind) {
      case VIDEO -> "mp4";
      case AUDIO, VOICE -> "opus";
      case IMAGE, DOCUMENT ->
          switch (name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)) {
            case "pdf" -> "pdf";
            case "doc", "docx" -> "doc";
            case "xls", "xlsx" -> "xls";
            case "ppt", "pptx" -> "ppt";
            default -> "stream";
          };
    };
  }

  @Override
  public Probe probe() {
    return switch (api.get("/bot/v3/info")) {
      case Answer.Failed(Outcome outcome) -> Probe.of(outcome, "");
      case Answer.Done(JsonNode answer) -> bot(answer.path("bot"));
    };
  }

  private static Probe bot(JsonNode bot) {
    int status = bot.path("activate_status").asInt(ENABLED);
    String name = bot.path("app_name").asString("a bot without a name");
    return switch (status) {
      case 1 -> new Probe.Broken(name + " is disabled in this organisation: ask its admin");
      case 3 -> new Probe.Broken(name + " is installed and not enabled yet: ask the admin");
      case 5, 6 -> new Probe.Broken(name + " is disabled, for its licence or plan has ended");
      default -> new Probe.Healthy(name);
    };
  }

  @Override
  public void close() {
    api.close();
  }
}
