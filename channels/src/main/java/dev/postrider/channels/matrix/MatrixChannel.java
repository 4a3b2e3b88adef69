package dev.postrider.channels.matrix;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Matrix rooms that are not encrypted. */
public final class MatrixChannel implements Channel {
  /** What every server that is known to us remembers at least; Synapse does so for a day. */
  private static final Duration TRANSACTION_WINDOW = Duration.ofMinutes(30);

  /** What Synapse allows an account unless it is told otherwise. */
  private static final Pace SYNAPSE = Pace.UNLIMITED.and(Duration.ofSeconds(5), 1).burst(10);

  /** An event may have 64 KiB, with the text in it twice; people like less. */
  private static final TextLimit TEXT = TextLimit.of(4000, Unit.UTF16);

  private static final long LARGEST = 50 << 20;
  private static final MediaRules MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(
                  Set.of("image/jpeg", "image/png", "image/gif", "image/webp"), LARGEST, false),
              MediaKind.VIDEO,
              new Rule(Set.of("video/mp4", "video/webm"), LARGEST, false),
              MediaKind.AUDIO,
              new Rule(
                  Set.of(
                      "audio/mpeg",
                      "audio/mp4",
                      "audio/aac",
                      "audio/ogg",
                      "audio/flac",
                      "audio/wav"),
                  LARGEST,
                  false),
              MediaKind.VOICE,
              new Rule(Set.of("audio/ogg", "audio/mpeg", "audio/mp4"), LARGEST, false),
              MediaKind.DOCUMENT,
              new Rule(Set.of(), LARGEST, false)),
          TEXT,
          1,
          List.of(),
          false,
          true,
          Reuse.BY_UPLOAD);

  @Override
  public String name() {
    return "matrix";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("token", true, true, "an access token of the bot's user"),
        new Setting("baseUrl", true, false, "the homeserver, such as https://matrix.org"),
        new Setting("userId", false, false, "@bot:server; the homeserver is asked if missing"),
        new Setting(
            "transactionWindow",
            false,
            false,
            "how long the homeserver knows a message by its key; 30m"),
        new Setting("sync", false, false, "whether to listen; false"),
        new Setting("syncTimeout", false, false, "how long one question may stay open; 30s"),
        new Setting("gapLimit", false, false, "most messages to catch up on per room; 1000"),
        new Setting("autoJoin", false, false, "whether to accept invitations; false"),
        new Setting(
            "plainInEncryptedRooms",
            false,
            false,
            "whether to write unencrypted into encrypted rooms; false"),
        PermanentErrors.SETTING);
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.MATRIX, TEXT)
        .withMedia(MEDIA)
        .withOptions(MatrixRequest.OPTIONS)
        .remembering(Settings.of(account).duration("transactionWindow", TRANSACTION_WINDOW))
        .paced(SYNAPSE, _ -> Pace.UNLIMITED, 16);
  }

  /** Ids and aliases are the same only letter by letter. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String room = to.strip();
    if (!room.startsWith("!") && !room.startsWith("#")) {
      throw new InvalidInput("to", "must be a room: !id:server or #alias:server");
    }
    return room;
  }

  @Override
  public void check(Message message, Plan plan) {
    MatrixRequest.of(Dispatch.last(message, plan));
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new MatrixInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new MatrixLink(Settings.of(context.config()), context.scheduler());
  }
}
