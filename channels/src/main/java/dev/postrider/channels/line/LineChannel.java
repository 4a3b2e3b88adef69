package dev.postrider.channels.line;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Hook;
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
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LINE Official Accounts, by the Messaging API. */
public final class LineChannel implements Channel {
  private static final Pattern CHAT = Pattern.compile("[UCR][0-9a-f]{32}");
  private static final Pace ACCOUNT = Pace.perSecond(2000).burst(2000);

  /** A multicast, and beside it what is live. */
  private static final int CHATS_AT_ONCE = LineMulticast.MOST + 100;

  private static final long MB = 1 << 20;

  /** A day from the first request, less what a request may take. */
  static final Duration KEY_LASTS = Duration.ofHours(24).minusMinutes(10);

  private static final Rule SOUND =
      new Rule(Set.of("audio/mpeg", "audio/mp4"), 200 * MB, true).uncaptioned();

  @Override
  public String name() {
    return "line";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("token", false, true, "the long-lived channel access token; or channelId"),
        new Setting(
            "channelId", false, false, "instead of token: short tokens are got with channelSecret"),
        new Setting("channelSecret", false, true, "what LINE signs webhooks with"),
        new Setting("webhookSecret", false, true, "another name for channelSecret"),
        new Setting("baseUrl", false, false, "the Messaging API; https://api.line.me"),
        new Setting("dataUrl", false, false, "where files of others are; https://api-data.line.me"),
        new Setting(
            "reply",
            false,
            false,
            "what uses free reply tokens: answers, always or never; answers"),
        new Setting(
            "previewImageUrl", false, false, "what is shown of videos; without it they are links"),
        PermanentErrors.SETTING);
  }

  static String secret(Settings settings) {
    return settings.text("channelSecret", settings.text("webhookSecret", ""));
  }

  /** What is shown of a video before it plays; empty if there is nothing. */
  static String preview(Settings settings) {
    String address = settings.text("previewImageUrl", "");
    if (!address.isEmpty() && !address.startsWith("https://")) {
      throw settings.wrong("previewImageUrl", "is not an https address, and LINE takes no other");
    }
    return address;
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.PLAIN, TextLimit.of(5000, Unit.UTF16))
        .withMedia(media(!account.text("previewImageUrl", "").isEmpty()))
        .remembering(KEY_LASTS)
        .withOptions(LineRequest.OPTIONS)
        .bundling(LineRequest.MOST)
        .paced(ACCOUNT, _ -> Pace.UNLIMITED, CHATS_AT_ONCE)
        .sharing(LineMulticast.MOST);
  }

  private static MediaRules media(boolean videos) {
    Map<MediaKind, Rule> kinds = new EnumMap<>(MediaKind.class);
    kinds.put(
        MediaKind.IMAGE, new Rule(Set.of("image/jpeg", "image/png"), 10 * MB, true).uncaptioned());
    kinds.put(MediaKind.AUDIO, SOUND);
    kinds.put(MediaKind.VOICE, SOUND);
    if (videos) {
      kinds.put(MediaKind.VIDEO, new Rule(Set.of("video/mp4"), 200 * MB, true).uncaptioned());
    }
    return new MediaRules(kinds, null, 1, List.of(), false, true, Reuse.BY_SECURE_ADDRESS);
  }

  static boolean isChat(String text) {
    return CHAT.matcher(text).matches();
  }

  /** An id that LINE gave: of a user, a group or a room. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    if (!isChat(chat)) {
      throw new InvalidInput(
          "to",
          "is not an id of LINE's: U, C or R and 32 digits or letters from a to f, as webhooks"
              + " name users, groups and rooms; a LINE ID or @name cannot be written to");
    }
    return chat;
  }

  @Override
  public void check(Message message, Plan plan) {
    for (Part part : plan.parts()) {
      for (Attachment file : part.media()) {
        if (file.hash() == null && !file.url().startsWith("https://")) {
          throw new InvalidInput(
              "media", "must have an https address, which LINE fetches; or upload the file");
        }
      }
    }
    if (!message.channelData().isEmpty()) {
      Contract.SCHEMA.check("channelData", message.channelData());
      LineRequest.of(Dispatch.last(message, plan), "", null);
    }
  }

  /** Read when the first message with channel data comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "send.schema.json");
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    String secret = secret(Settings.of(account));
    return secret.isEmpty() ? null : new LineHook(secret);
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new LineInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new LineLink(context);
  }
}
