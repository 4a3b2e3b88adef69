package dev.postrider.channels.whatsapp;

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
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Business numbers on WhatsApp, by Meta's Cloud API. */
public final class WhatsAppChannel implements Channel {
  private static final Pace NUMBER = Pace.perSecond(80).burst(80);

  /** To one user, of whose future a burst is borrowed. */
  private static final Pace PAIR = Pace.UNLIMITED.and(Duration.ofSeconds(6), 1).burst(45);

  private static final int LONGEST_NUMBER = 15; // by E.164

  private static final long MB = 1 << 20;

  /** What Meta takes as a document; what is text goes as {@code text/plain}. */
  private static final Set<String> DOCUMENTS =
      Set.of(
          "application/pdf",
          "application/msword",
          "application/vnd.ms-excel",
          "application/vnd.ms-powerpoint",
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
          "application/vnd.openxmlformats-officedocument.presentationml.presentation",
          "application/json",
          "application/xml",
          "text/calendar",
          "text/csv",
          "text/html",
          "text/markdown",
          "text/plain",
          "text/vcard",
          "image/jpeg",
          "image/png",
          "video/mp4",
          "video/3gpp",
          "audio/aac",
          "audio/amr",
          "audio/mpeg",
          "audio/mp4",
          "audio/ogg");

  private static final MediaRules MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(Set.of("image/jpeg", "image/png"), 5 * MB, true),
              MediaKind.VIDEO,
              new Rule(Set.of("video/mp4", "video/3gpp"), 16 * MB, true),
              MediaKind.AUDIO,
              new Rule(
                      Set.of("audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"),
                      16 * MB,
                      true)
                  .uncaptioned(),
              MediaKind.VOICE,
              new Rule(Set.of("audio/ogg"), 16 * MB, true).uncaptioned(),
              MediaKind.DOCUMENT,
              new Rule(DOCUMENTS, 100 * MB, true)),
          TextLimit.of(1024, Unit.UTF16),
          1,
          List.of(),
          false,
          true,
          Reuse.BY_UPLOAD);

  @Override
  public String name() {
    return "whatsapp";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("token", true, true, "an access token, best of a system user"),
        new Setting("phoneNumberId", true, false, "Meta's id of the number; not the number"),
        new Setting("apiVersion", false, false, "the version of the Graph API; v23.0"),
        new Setting("baseUrl", false, false, "the Graph API; https://graph.facebook.com"),
        new Setting(
            "order", false, false, "receipt: a text waits for its file to be sent; or none"),
        new Setting("orderWait", false, false, "how long it waits at most; 10s"),
        new Setting("mediaLasts", false, false, "how long an upload is used again; 29d"),
        new Setting("appSecret", false, true, "what Meta signs webhooks with"),
        new Setting("webhookSecret", false, true, "another name for appSecret"),
        new Setting("verifyToken", false, true, "what Meta must present to set up a webhook"),
        PermanentErrors.SETTING);
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(Dialects.WHATSAPP, TextLimit.of(4096, Unit.UTF16))
        .withMedia(MEDIA)
        .reporting(DeliveryReport.State.values())
        .paced(NUMBER, _ -> PAIR, 16);
  }

  /** The digits of a number, from its country code on; anything else is the id of a group. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    if (!WhatsAppRequest.isPhone(chat)) {
      return chat;
    }
    String digits = chat.replaceAll("\\D", "");
    if (digits.isEmpty() || digits.length() > LONGEST_NUMBER || digits.startsWith("0")) {
      throw new InvalidInput(
          "to",
          "is not a phone number with its country code, such as +49 170 1234567: at most "
              + LONGEST_NUMBER
              + " digits, of which the first is not 0");
    }
    return digits;
  }

  @Override
  public void check(Message message, Plan plan) {
    if (message.channelData().isEmpty()) {
      return;
    }
    Dispatch dispatch = Dispatch.last(message, plan);
    Map<String, @Nullable Object> body = WhatsAppRequest.of(dispatch);
    Contract.SCHEMA.check(String.valueOf(body.get("type")), body);
  }

  /** Read when the first message with channel data comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "send.schema.json");
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    String secret = account.text("appSecret", account.text("webhookSecret", ""));
    return secret.isEmpty()
        ? null
        : new WhatsAppHook(
            secret, account.text("verifyToken", ""), account.text("phoneNumberId", ""));
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new WhatsAppInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new WhatsAppLink(Settings.of(context.config()), context.scheduler(), context.memory());
  }
}
