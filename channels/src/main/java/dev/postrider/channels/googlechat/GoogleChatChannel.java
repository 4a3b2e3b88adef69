package dev.postrider.channels.googlechat;

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
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Google Chat: an app with a service account, or the webhook of one space. */
public final class GoogleChatChannel implements Channel {
  private static final Pace PROJECT = Pace.perMinute(3000).burst(50);
  private static final Pace SPACE = Pace.perSecond(1);

  private static final TextLimit TEXT = TextLimit.of(30_000, Unit.UTF8_BYTES);

  /** Leaves room for the addresses of the files. */
  private static final TextLimit CAPTION = TextLimit.of(20_000, Unit.UTF8_BYTES);

  private static final int FILES = 5;
  private static final long MB = 1 << 20;

  /** An app cannot upload: images are shown by their addresses, all else is linked to. */
  private static final MediaRules MEDIA =
      new MediaRules(
          Map.of(
              MediaKind.IMAGE,
              new Rule(Set.of("image/png", "image/jpeg", "image/gif"), 20 * MB, true),
              MediaKind.DOCUMENT,
              new Rule(Set.of(), 200 * MB, true)),
          CAPTION,
          FILES,
          List.of(Set.of(MediaKind.IMAGE, MediaKind.DOCUMENT)),
          false,
          true,
          Reuse.BY_ADDRESS);

  private static final Pattern NAME = Pattern.compile("spaces/[\\w-]+|users/[\\w.@+-]+");

  /** The address of a chat as a browser shows it. */
  private static final Pattern BROWSER =
      Pattern.compile("https://(?:chat|mail)\\.google\\.com/.*?(?:space|room|dm)/([\\w-]+).*");

  private static final Pattern ID = Pattern.compile("(?=.*[A-Za-z])[\\w-]{6,}");

  @Override
  public String name() {
    return "googlechat";
  }

  @Override
  public List<Setting> settings() {
    return HttpSender.settings(
        new Setting("serviceAccount", false, true, "an app: its key file's contents (JSON)"),
        new Setting("webhookUrl", false, true, "instead of an app: the webhook of one space"),
        new Setting("baseUrl", false, false, "the Chat API; https://chat.googleapis.com"),
        new Setting("tokenUrl", false, false, "where tokens come from; the key file says"),
        new Setting("projectNumber", false, false, "events: the number of the app's project"),
        new Setting("endpointUrl", false, false, "events: the HTTP endpoint URL set at Google"),
        new Setting("keysUrl", false, false, "Google's keys; https://www.googleapis.com"),
        PermanentErrors.SETTING);
  }

  private static boolean isWebhook(AccountConfig account) {
    return !account.text("webhookUrl", "").isBlank();
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    Capabilities all =
        Capabilities.of(Dialects.GOOGLE_CHAT, TEXT)
            .withMedia(MEDIA)
            .withOptions(GoogleChatRequest.OPTIONS);
    // A webhook has one space, so the account is paced like it.
    return isWebhook(account)
        ? all.paced(SPACE, _ -> SPACE, 1)
        : all.remembering(Capabilities.FOR_GOOD).paced(PROJECT, _ -> SPACE, 16);
  }

  /** {@code spaces/…} or {@code users/…}, as Google names them. */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    Matcher browser = BROWSER.matcher(chat);
    if (browser.matches()) {
      chat = "spaces/" + browser.group(1);
    } else if (ID.matcher(chat).matches()) {
      chat = "spaces/" + chat;
    }
    String own = GoogleChatWebhookLink.space(account.text("webhookUrl", ""));
    if (!own.isEmpty() && !chat.equals(own)) {
      throw new InvalidInput("to", "is not the space of this account's webhook; use " + own);
    }
    if (!NAME.matcher(chat).matches()) {
      throw new InvalidInput(
          "to", "is neither a space, such as spaces/AAAAabc123, nor a person, such as users/12345");
    }
    return chat;
  }

  @Override
  public void check(Message message, Plan plan) {
    requireOwn("threadId", message.threadId(), "/threads/", message.to());
    requireOwn("replyToId", message.replyToId(), "/messages/", message.to());
    if (!message.channelData().isEmpty()) {
      Contract.SCHEMA.check("ChannelData", message.channelData());
      GoogleChatRequest last = new GoogleChatRequest(Dispatch.last(message, plan), null);
      if (last.size() > GoogleChatRequest.LARGEST) {
        throw new InvalidInput(
            "channelData",
            "makes a message of %d bytes with its text, of which Google Chat takes %d; shorten it"
                    .formatted(last.size(), GoogleChatRequest.LARGEST)
                + " or send it on its own");
      }
    }
  }

  /** A name in full says which space it is of. */
  private static void requireOwn(String field, @Nullable String name, String kind, String chat) {
    if (name == null || !name.startsWith("spaces/")) {
      return;
    }
    if (!name.matches("spaces/[\\w-]+" + kind + "[\\w.-]+")) {
      throw new InvalidInput(field, "is not a name such as spaces/AAAA" + kind + "BBBB");
    }
    if (chat.startsWith("spaces/") && !name.startsWith(chat + "/")) {
      throw new InvalidInput(field, "is of another space than " + chat);
    }
  }

  /** Read when the first message with channel data comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "message.schema.json");
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    boolean told =
        !account.text("projectNumber", "").isEmpty() || !account.text("endpointUrl", "").isEmpty();
    return told && !isWebhook(account)
        ? new GoogleChatHook(Settings.of(account), InstantSource.system())
        : null;
  }

  @Override
  public @Nullable InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return isWebhook(account) ? null : new GoogleChatInboundFiles(account, media);
  }

  /** Refuses an account that is neither an app nor a webhook, or both. */
  @Override
  public void checkAccount(AccountConfig account) {
    Settings settings = Settings.of(account);
    boolean app = !settings.text("serviceAccount", "").isBlank();
    if (isWebhook(account) == app) {
      throw settings.wrong(
          "serviceAccount",
          (app ? "and webhookUrl are both set" : "is missing, and so is webhookUrl")
              + "; give serviceAccount for an app, or webhookUrl for the webhook of one space");
    }
  }

  @Override
  public Link open(AccountContext context) {
    checkAccount(context.config());
    Settings settings = Settings.of(context.config());
    return isWebhook(context.config())
        ? new GoogleChatWebhookLink(settings, context.scheduler())
        : new GoogleChatLink(settings, context.scheduler(), context.memory());
  }
}
