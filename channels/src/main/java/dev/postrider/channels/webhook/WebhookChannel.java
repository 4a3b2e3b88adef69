package dev.postrider.channels.webhook;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channel.VerbatimDialect;
import dev.postrider.channels.Settings;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.message.MediaKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Signed webhooks. */
public final class WebhookChannel implements Channel {
  private static final String HTTPS = "https://";

  /** Who asks, the host with a port of its own, and the rest. */
  private static final Pattern ADDRESS =
      Pattern.compile("([^/?#]*@|)([^/?#@]+?)(?::443|:)?([/?#].*|)", Pattern.DOTALL);

  private static final int TEXT = 16_000;
  private static final int INLINE = 256 << 10;
  private static final int FILES = 10;

  @Override
  public String name() {
    return "webhook";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("url", false, true, "where messages are posted"),
        new Setting(
            "allowAnyTarget", false, false, "whether to may be an https address of its own; false"),
        new Setting("secret", true, true, "whsec_…, or several: each signs what we post"),
        new Setting(
            "webhookSecret", false, true, "whsec_…, or several: one of them must sign what we get"),
        new Setting("tolerance", false, false, "how old or new what we get may be; 5m"),
        new Setting("permanentOn4xx", false, false, "whether a 4xx ends a message; false"),
        new Setting("inlineLimit", false, false, "most bytes of a file sent inside; 262144"),
        new Setting(
            "allowedNetworks", false, false, "private networks that may be posted to; none"),
        new Setting("throttle", false, false, "the pause after a 429, 502 or 504; 30s"),
        new Setting("timeout", false, false, "how long a request may take in all; 30s"));
  }

  /**
   * An address of one's own in the form that RFC 3986 calls normal, as far as the scheme, host and
   * port go; any other text is a name of the receiver's.
   */
  @Override
  public String canonical(AccountConfig account, String to) {
    String chat = to.strip();
    boolean own = Settings.of(account).flag("allowAnyTarget", false);
    if (!own || !chat.regionMatches(true, 0, HTTPS, 0, HTTPS.length())) {
      return chat;
    }
    Matcher parts = ADDRESS.matcher(chat.substring(HTTPS.length()));
    if (!parts.matches()) {
      return chat;
    }
    String rest = parts.group(3);
    return HTTPS
        + parts.group(1)
        + parts.group(2).toLowerCase(Locale.ROOT)
        + (rest.startsWith("/") ? "" : "/")
        + rest;
  }

  /** Text goes out as it was written: what it looks like is the receiver's business. */
  @Override
  public Capabilities capabilities(AccountConfig account) {
    TextLimit text = TextLimit.of(TEXT, Unit.UTF8_BYTES);
    return Capabilities.of(new VerbatimDialect(), text)
        .withMedia(media(text, Settings.of(account)))
        .remembering(Capabilities.FOR_GOOD);
  }

  /** Standard Webhooks' schedule, which gives a receiver three days. */
  @Override
  public DeliverySettings delivery(DeliverySettings usual) {
    return usual.with(
        s -> {
          s.backoff =
              List.of(
                  Duration.ofSeconds(5),
                  Duration.ofMinutes(5),
                  Duration.ofMinutes(30),
                  Duration.ofHours(2),
                  Duration.ofHours(5),
                  Duration.ofHours(10),
                  Duration.ofHours(14),
                  Duration.ofHours(20),
                  Duration.ofHours(24));
          s.maxAttempts = 10;
          s.expireAfter = Duration.ofDays(4);
        });
  }

  private static MediaRules media(TextLimit text, Settings settings) {
    int inline = Objects.requireNonNullElse(settings.count("inlineLimit"), INLINE);
    Set<MediaKind> all = EnumSet.allOf(MediaKind.class);
    Rule rule = new Rule(Set.of(), inline, true);
    return new MediaRules(
        all.stream().collect(Collectors.toMap(Function.identity(), _ -> rule)),
        text,
        FILES,
        List.of(all),
        false,
        true,
        Reuse.NONE);
  }

  @Override
  public @Nullable Hook hook(AccountConfig account) {
    return account.text("webhookSecret") == null ? null : new WebhookHook(Settings.of(account));
  }

  @Override
  public InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return new WebhookInboundFiles(account, media);
  }

  @Override
  public Link open(AccountContext context) {
    return new WebhookLink(Settings.of(context.config()), context.scheduler());
  }
}
